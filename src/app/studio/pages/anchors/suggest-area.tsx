import {useState} from 'preact/hooks'
import {counted, percent} from '../../../../base/text/index.ts'
import type {ConceptSuggestions, Suggestion} from '../../../../use/advice/index.ts'
import {suggestionText, suggestionWarnings} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {focusSoon} from '../../ui/focus.ts'
import {intervalText, Severity, Whisker} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {DocumentsLink} from './member-table.tsx'

/** Rows that are shown at first. */
const FIRST = 5

/**
 * Words that may be added. No hides a word until the studio is closed and changes nothing: a word that shall never count is a veto, and
 * belongs in "Ruled out by".
 */
export function SuggestArea({concept, hasWords}: {concept: string; hasWords: boolean}) {
  const studio = useStudio()
  const [hidden, setHidden] = useHidden(concept)
  const [isAll, setAll] = useState(false)
  const {revision, counts, numbers} = studio.state.value
  const canAsk = hasWords && counts.is !== 'none'
  const {answer, fault, isOld} = useAnswer(
    canAsk ? concept : undefined,
    [revision, counts.is, numbers.is].join(' '),
    () => studio.session.suggest(concept)
  )
  const all = answer?.words.filter(({word}) => !hidden.has(word)) ?? []
  const shown = isAll ? all : all.slice(0, FIRST)
  // Nobody measured the rates of the concept, so shares beside a word are unknown.
  const isScore = isScored(studio.state.value, concept)
  const looking = answer === undefined ? 'Looking …' : 'No word is good enough to be suggested.'
  const none = canAsk ? looking : 'Suggestions need documents.'
  return (
    <section class="area suggest" aria-labelledby="suggest-title">
      <div class="head">
        <h2 id="suggest-title" tabIndex={-1}>
          Suggested words
        </h2>
        {all.length > 0 ? <span class="soft">{`${shown.length} of ${all.length}`}</span> : null}
      </div>
      {fault === undefined ? null : <p class="say bad">{fault.message}</p>}
      {shown.length === 0 ? (
        <p class="soft">{hasWords ? none : 'Add a first word; related words are then suggested here.'}</p>
      ) : (
        <table class={isOld ? 'stale' : undefined}>
          <thead>
            <tr>
              <th scope="col">word</th>
              <th scope="col" class="n">
                documents
              </th>
              <th scope="col">{isScore ? 'its anchor fires in' : `of these have ${concept}`}</th>
              {isScore ? null : (
                <th scope="col" class="n roomy">
                  covers
                </th>
              )}
              <th scope="col">
                <span class="unseen">what to do</span>
              </th>
            </tr>
          </thead>
          {shown.map((suggestion, at) => (
            <Word
              key={suggestion.word}
              concept={concept}
              suggestion={suggestion}
              rates={answer?.rates}
              isScore={isScore}
              onGone={() => focusSoon(addAt(at), addAt(at - 1), '#suggest-title')}
              onHide={word => setHidden(new Set([...hidden, word]))}
            />
          ))}
        </table>
      )}
      <div class="rowed more">
        {all.length > shown.length ? (
          <Button look="quiet" isLittle onClick={() => setAll(true)}>
            Show all {all.length}
          </Button>
        ) : null}
        {hidden.size > 0 ? (
          <Button look="quiet" isLittle onClick={() => setHidden(new Set())}>
            Show {counted(hidden.size, 'hidden word')} again
          </Button>
        ) : null}
      </div>
    </section>
  )
}

/** What was answered with No, by concept, as long as the studio is open. */
const hiddenOf = new Map<string, ReadonlySet<string>>()

function useHidden(concept: string) {
  const [hidden, set] = useState<ReadonlySet<string>>(hiddenOf.get(concept) ?? new Set())
  const setHidden = (words: ReadonlySet<string>) => {
    hiddenOf.set(concept, words)
    set(words)
  }
  return [hidden, setHidden] as const
}

const addAt = (at: number) => `.suggest tbody:nth-of-type(${at + 1}) .add`

interface WordProps extends Pick<ConceptSuggestions, 'concept' | 'rates'> {
  readonly suggestion: Suggestion
  readonly isScore: boolean
  readonly onGone: () => void
  readonly onHide: (word: string) => void
}

function Word({concept, suggestion, rates, isScore, onGone, onHide}: WordProps) {
  const studio = useStudio()
  const [isOpen, setOpen] = useState(false)
  const {word, documents, share, precision, coverage} = suggestion
  const warnings = suggestionWarnings(suggestion, rates)
  const act = (step: () => void) => () => {
    step()
    onGone()
  }
  return (
    <tbody>
      <tr>
        <th scope="row">
          <Button look="quiet" isLittle also="open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <code>{word}</code>
            <span class="unseen">: why</span>
          </Button>
          {warnings.length > 0 ? <Severity is="warning">check first</Severity> : null}
        </th>
        <td class="n">
          <DocumentsLink concept={concept} feature={word} documents={documents} />
        </td>
        <td class="nowrap">
          {isScore ? (
            percent(share.value)
          ) : (
            <>
              <Whisker estimate={precision} max={1} /> {percent(precision.value)}{' '}
              <span class="soft roomy">{`(${intervalText(precision)})`}</span>
            </>
          )}
        </td>
        {isScore ? null : <td class="n roomy">{percent(coverage.value)}</td>}
        <td class="n">
          <Button isLittle also="add" onClick={act(() => studio.edit({kind: 'addMember', concept, feature: word}))}>
            Add<span class="unseen">{` ${word}`}</span>
          </Button>{' '}
          <Button look="quiet" isLittle onClick={act(() => onHide(word))}>
            Hide<span class="unseen">{` ${word}`}</span>
          </Button>
        </td>
      </tr>
      {isOpen ? (
        <tr class="reason">
          <td colSpan={isScore ? 4 : 5}>{[suggestionText(suggestion, rates), ...warnings].map(sentence).join(' ')}</td>
        </tr>
      ) : null}
    </tbody>
  )
}
