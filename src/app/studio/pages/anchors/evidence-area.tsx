import type {ComponentChildren} from 'preact'
import {useEffect, useRef, useState} from 'preact/hooks'
import {counted, grouped} from '../../../../base/text/index.ts'
import {
  type ConceptView,
  type DocumentLine,
  type ListQuery,
  MOST_ROWS,
  type SessionState
} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {isScored} from '../../ui/concept-marks.ts'
import {Button, Choices} from '../../ui/controls.tsx'
import {Snippet} from '../../ui/doc-text.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {useListKeys} from '../../ui/keys.ts'
import {chance, StateMark} from '../../ui/marks.tsx'
import {selectedFeature} from '../../ui/select-words.ts'

type Which = 'anchored' | 'missed' | 'newest'

const FIRST = 5
const MORE = 20

interface EvidenceProps {
  readonly concept: string
  readonly view: ConceptView | undefined
  readonly hasWords: boolean
  readonly onTry: (feature: string) => void
}

/** The documents behind the anchor. Missed ones come first: they are where anchors grow. */
export function EvidenceArea({concept, view, hasWords, onTry}: EvidenceProps) {
  const studio = useStudio()
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
    () => studio.session.list(query, 0, count)
  )
  const pick = (picked: Which) => {
    setWhich(picked)
    setCount(FIRST)
  }
  return (
    <section class="area" aria-labelledby="evidence-title">
      <div class="head">
        <h2 id="evidence-title">Evidence</h2>
        <GoLink to={{page: 'documents', query, document: undefined}}>all documents</GoLink>
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
          <Hits query={query} rows={answer.rows} isOld={isOld} />
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

function queryOf(which: Which, concept: string, {threshold = 0.5}: SessionState): ListQuery {
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

const WORDS: Readonly<Record<Which, (state: SessionState, isScore: boolean) => string>> = {
  anchored: () => 'The anchor fires. Evidence is underlined.',
  missed: ({threshold}, isScore) =>
    threshold === undefined
      ? 'Likely, but the anchor does not fire. Shown once the documents are scored.'
      : `Likely (${chance(threshold, isScore)} or more), but the anchor does not fire. Evidence is underlined.`,
  newest: () => 'New matches of the anchor since the last edit.'
}

interface HitsProps {
  readonly query: ListQuery
  readonly rows: readonly DocumentLine[]
  readonly isOld: boolean
}

/** The name opens the document; the text stays plain, so that its words can be selected. */
function Hits({query, rows, isOld}: HitsProps) {
  const studio = useStudio()
  const names = rows.map(({name}) => name)
  const isScore = isScored(studio.state.value, query.concept)
  const {stop, onKeyDown, onFocus} = useListKeys(names, 0, at => `.evidence .hits li:nth-child(${at + 1}) a`)
  return (
    <ul class={isOld ? 'hits stale' : 'hits'} aria-label="Documents" onKeyDown={onKeyDown}>
      {rows.map((row, at) => (
        <li class="hit" key={row.at} onFocusCapture={() => onFocus(at)}>
          <span class="p">{row.probability === undefined ? '' : chance(row.probability, isScore)}</span>
          <span class="id">
            <GoLink to={{page: 'documents', query, document: row.at}} tabIndex={at === stop ? 0 : -1}>
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

interface SelectedProps {
  readonly concept: string
  readonly onTry: (feature: string) => void
  readonly children: ComponentChildren
}

/** Words that are selected in the text of documents can be tried as an anchor. */
function SelectedWords({concept, onTry, children}: SelectedProps) {
  const root = useRef<HTMLDivElement>(null)
  const [feature, setFeature] = useState<string>()
  useEffect(() => {
    const look = () => setFeature(selectedFeature(root.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [])
  return (
    <div class="selecting" ref={root}>
      {children}
      {feature === undefined ? null : (
        <div class="selected">
          {/* The selection would be gone before the click. */}
          <Button onMouseDown={event => event.preventDefault()} onClick={() => onTry(feature)}>
            <span class="clip">
              Try <code>{feature}</code> for {concept}
            </span>
          </Button>
        </div>
      )}
    </div>
  )
}
