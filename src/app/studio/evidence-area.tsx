import {useState} from 'preact/hooks'
import {counted, grouped} from '../../base/text/index.ts'
import {type ConceptView, type DeskState, type DocumentLine, type ListQuery, MOST_ROWS} from '../desk/index.ts'
import {isScored} from './concept-marks.ts'
import {GoLink} from './go-link.tsx'
import {Button, Choices, chance, Snippet, StateMark} from './parts.tsx'
import {SelectedWords} from './selected-words.tsx'
import type {Studio} from './store.ts'
import {useAnswer, versionOf} from './use-answer.ts'
import {useListKeys} from './use-list-keys.ts'

type Which = 'anchored' | 'missed' | 'newest'

const FIRST = 5
const MORE = 20

interface EvidenceProps {
  readonly studio: Studio
  readonly concept: string
  readonly view: ConceptView | undefined
  readonly hasWords: boolean
  readonly onTry: (feature: string) => void
}

/** The documents behind the anchor. Missed ones come first: they are where anchors grow. */
export function EvidenceArea({studio, concept, view, hasWords, onTry}: EvidenceProps) {
  const [which, setWhich] = useState<Which>('missed')
  const [count, setCount] = useState(FIRST)
  const state = studio.state.value
  const query = queryOf(which, concept, state)
  const isRefused = state.concepts.some(({name, refused}) => name === concept && refused !== undefined)
  const canAsk =
    hasWords && state.documents > 0 && (which !== 'missed' || (state.threshold !== undefined && !isRefused))
  const {answer, fault, isOld} = useAnswer(
    canAsk ? `${which} ${concept}` : undefined,
    `${versionOf(state)} ${count}`,
    () => studio.desk.list(query, 0, count)
  )
  const pick = (picked: Which) => {
    setWhich(picked)
    setCount(FIRST)
  }
  return (
    <section class="area" aria-labelledby="evidence-title">
      <div class="head">
        <h2 id="evidence-title">Evidence</h2>
        <GoLink studio={studio} to={{page: 'documents', query, document: undefined}}>
          all documents
        </GoLink>
      </div>
      <Choices legend="Which documents" value={which} options={optionsOf(view)} onPick={pick} />
      <p class="soft small">
        {WORDS[which](state, isScored(state, concept))}{' '}
        {state.scores.is === 'ready' || !canAsk ? null : <StateMark stage={state.scores} what="Scores" />}
      </p>
      {fault === undefined ? null : <p class="say bad">{fault.message}</p>}
      {answer === undefined ? (
        <p class="soft none">
          {canAsk
            ? 'Looking …'
            : !hasWords
              ? 'No words yet.'
              : isRefused
                ? 'The concept is left out of the model.'
                : 'Not known yet.'}
        </p>
      ) : answer.rows.length === 0 ? (
        <p class="soft none">No documents.</p>
      ) : (
        <SelectedWords concept={concept} onTry={onTry}>
          <Hits studio={studio} query={query} rows={answer.rows} isOld={isOld} />
        </SelectedWords>
      )}
      {answer !== undefined && answer.total > answer.rows.length && count < MOST_ROWS ? (
        <div class="rowed more">
          <Button look="quiet" isLittle onClick={() => setCount(Math.min(MOST_ROWS, count + MORE))}>
            Show {Math.min(MORE, answer.total - answer.rows.length)} more
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function queryOf(which: Which, concept: string, {threshold = 0.5}: DeskState): ListQuery {
  if (which === 'anchored') return {concept, anchor: 'fires'}
  return which === 'missed' ? {concept, anchor: 'silent', low: threshold} : {concept, isNewest: true}
}

function optionsOf(view: ConceptView | undefined): readonly (readonly [Which, string])[] {
  const words = (name: string, count: number | undefined) => (count === undefined ? name : `${name} ${grouped(count)}`)
  return [
    ['anchored', words('Anchored', view?.anchored)],
    ['missed', words('Missed', view?.missed)],
    ['newest', words('Newest', view?.newest)]
  ]
}

const WORDS: Readonly<Record<Which, (state: DeskState, isScore: boolean) => string>> = {
  anchored: () => 'The anchor fires. Evidence is underlined.',
  missed: ({threshold}, isScore) =>
    threshold === undefined
      ? 'Likely, but the anchor does not fire. Shown once the documents are scored.'
      : `Likely (${chance(threshold, isScore)} or more), but the anchor does not fire. Evidence is underlined.`,
  newest: () => 'New matches of the anchor since the last edit.'
}

interface HitsProps {
  readonly studio: Studio
  readonly query: ListQuery
  readonly rows: readonly DocumentLine[]
  readonly isOld: boolean
}

/** The name opens the document; the text stays plain, so that its words can be selected. */
function Hits({studio, query, rows, isOld}: HitsProps) {
  const names = rows.map(({name}) => name)
  const isScore = isScored(studio.state.value, query.concept)
  const {stop, onKeyDown, onFocus} = useListKeys(names, 0, at => `.evidence .hits li:nth-child(${at + 1}) a`)
  return (
    <ul class={isOld ? 'hits stale' : 'hits'} aria-label="Documents" onKeyDown={onKeyDown}>
      {rows.map((row, at) => (
        <li class="hit" key={row.at} onFocusCapture={() => onFocus(at)}>
          <span class="p">{row.probability === undefined ? '' : chance(row.probability, isScore)}</span>
          <span class="id">
            <GoLink studio={studio} to={{page: 'documents', query, document: row.at}} tabIndex={at === stop ? 0 : -1}>
              {row.name}
            </GoLink>
            <span>{counted(row.words, 'word')}</span>
          </span>
          <Snippet parts={row.parts} concept={query.concept} />
        </li>
      ))}
    </ul>
  )
}
