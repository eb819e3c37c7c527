import {percent} from '../../../../base/text/index.ts'
import {suggestionText, suggestionWarnings, Table} from '../../../present/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer} from '../../ui/answer.ts'
import {Area, Say, useFew} from '../../ui/area.tsx'
import {isScored} from '../../ui/concept-marks.ts'
import {Button} from '../../ui/controls.tsx'
import {DocumentsLink} from '../../ui/go-link.tsx'
import {focusSoon} from '../../ui/keys.ts'
import {rangeText, Severity} from '../../ui/marks.tsx'
import {sentence} from '../../ui/sentence.ts'
import {useAnchor} from './anchor-context.ts'

/** Rows that are shown at first. */
const FIRST = 5

/** Words that may be added, with their reasons. */
export function SuggestArea() {
  const studio = useStudio()
  const {anchor, concept} = useAnchor()
  const {revision, counts, numbers} = studio.state.value
  const hasWords = anchor.any.length > 0
  const canAsk = hasWords && counts.is !== 'none'
  const {answer, fault, isOld} = useAnswer(
    canAsk ? concept : undefined,
    [revision, counts.is, numbers.is].join(' '),
    () => studio.session.suggest(concept)
  )
  const {words = [], rates} = answer ?? {}
  const [shown, more] = useFew(words, FIRST)
  const looking = answer === undefined ? 'Looking …' : 'No word is good enough to be suggested.'
  const none = canAsk ? looking : 'Suggestions need documents.'
  // Nobody measured the rates of the concept, so shares beside a word are unknown.
  const isScore = isScored(studio.state.value, concept)
  return (
    <Area
      also="suggest"
      title="Suggested words"
      id="suggest-title"
      aside={words.length > 0 ? <span class="soft">{`${shown.length} of ${words.length}`}</span> : null}
    >
      <Say is="bad">{fault?.message}</Say>
      {shown.length === 0 ? (
        <p class="soft">{hasWords ? none : 'Add a first word; related words are then suggested here.'}</p>
      ) : (
        <Table
          class={isOld ? 'stale' : undefined}
          rows={shown}
          keyOf={({word}) => word}
          columns={[
            {
              name: 'word',
              cell: suggestion => {
                const warnings = suggestionWarnings(suggestion, rates)
                return (
                  <details>
                    <summary>
                      <code>{suggestion.word}</code>
                      <span class="unseen">: why</span>
                      {warnings.length > 0 ? <Severity is="warning">check first</Severity> : null}
                    </summary>
                    <p class="soft">{[suggestionText(suggestion, rates), ...warnings].map(sentence).join(' ')}</p>
                  </details>
                )
              }
            },
            {
              name: 'documents',
              isFigure: true,
              cell: ({word, documents}) => <DocumentsLink concept={concept} feature={word} documents={documents} />
            },
            {
              name: isScore ? 'its anchor fires in' : `of these have ${concept}`,
              look: 'nowrap',
              cell: ({share, precision}) =>
                isScore ? (
                  percent(share.value)
                ) : (
                  <>
                    {percent(precision.value)} <span class="soft roomy">{`(${rangeText(precision)})`}</span>
                  </>
                )
            },
            {
              name: 'what to do',
              isFigure: true,
              isUnseen: true,
              cell: ({word}, at) => (
                <Button
                  isLittle
                  also="add"
                  of={word}
                  onClick={() => {
                    studio.edit({kind: 'addMember', concept, feature: word})
                    focusSoon(addAt(at), addAt(at - 1), '#suggest-title')
                  }}
                >
                  Add
                </Button>
              )
            }
          ]}
        />
      )}
      {more}
    </Area>
  )
}

const addAt = (at: number) => `.suggest tbody tr:nth-child(${at + 1}) .add`
