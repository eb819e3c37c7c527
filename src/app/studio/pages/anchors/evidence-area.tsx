import {useState} from 'preact/hooks'
import {counted, grouped} from '../../../../base/text/index.ts'
import {type DocumentLine, type ListQuery, MOST_ROWS, type SessionState} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Area, More, Say} from '../../ui/area.tsx'
import {conceptOf, isScored} from '../../ui/concept-marks.ts'
import {Choices} from '../../ui/controls.tsx'
import {Snippet} from '../../ui/doc-text.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {useListKeys} from '../../ui/keys.ts'
import {chance, StateMark} from '../../ui/marks.tsx'
import {useAnchor} from './anchor-context.ts'

const FIRST = 5
const MORE = 20

/** Documents by what the anchor makes of them: their name, which they are, and what is said of them. */
const KINDS = {
  anchored: {
    title: 'Anchored',
    query: (): ListQuery => ({anchor: 'fires'}),
    words: () => 'The anchor fires. Evidence is underlined.'
  },
  missed: {
    title: 'Missed',
    query: ({threshold = 0.5}: SessionState): ListQuery => ({anchor: 'silent', low: threshold}),
    words: (isScore: boolean, {threshold}: SessionState) =>
      threshold === undefined
        ? 'Likely, but the anchor does not fire. Shown once the documents are scored.'
        : `Likely (${chance(threshold, isScore)} or more), but the anchor does not fire. Evidence is underlined.`
  }
}

type Kind = keyof typeof KINDS

const kinds = Object.keys(KINDS) as Kind[]

/** The documents behind the anchor. Missed ones come first: they are where anchors grow. */
export function EvidenceArea() {
  const studio = useStudio()
  const {anchor, concept, view} = useAnchor()
  const [kind, setKind] = useState<Kind>('missed')
  const [count, setCount] = useState(FIRST)
  const state = studio.state.value
  const query = {concept, ...KINDS[kind].query(state)}
  const isScore = isScored(state, concept)
  const isRefused = conceptOf(state, concept)?.refused !== undefined
  const isLearned = state.threshold !== undefined && !isRefused
  const canAsk = anchor.any.length > 0 && state.documents > 0 && (kind !== 'missed' || isLearned)
  const version = `${versionOf(state)} ${count}`
  const {answer, fault, isOld} = useAnswer(canAsk ? `${kind} ${concept}` : undefined, version, () =>
    studio.session.list(query, 0, count)
  )
  const {rows = [], total = 0} = answer ?? {}
  const unknown = isRefused ? 'The concept is left out of the model.' : 'Not known yet.'
  const missing = anchor.any.length === 0 ? 'No words yet.' : canAsk ? 'Looking …' : unknown
  return (
    <Area title="Evidence" aside={<GoLink to={{page: 'documents', query, document: undefined}}>all documents</GoLink>}>
      <Choices
        legend="Which documents"
        value={kind}
        options={kinds.map(one => [
          one,
          `${KINDS[one].title} ${grouped(view?.[one] ?? Number.NaN)}`.replace(' NaN', '')
        ])}
        onPick={picked => {
          setKind(picked)
          setCount(FIRST)
        }}
      />
      <p class="soft small">
        {KINDS[kind].words(isScore, state)}{' '}
        {state.scores.is === 'ready' || !canAsk ? null : <StateMark stage={state.scores} what="Scores" />}
      </p>
      <Say is="bad">{fault?.message}</Say>
      {rows.length === 0 ? (
        <p class="soft none">{answer === undefined ? missing : 'No documents.'}</p>
      ) : (
        <Hits query={query} rows={rows} isScore={isScore} isOld={isOld} />
      )}
      {count < MOST_ROWS ? (
        <More count={Math.min(MORE, total - rows.length)} onMore={() => setCount(Math.min(MOST_ROWS, count + MORE))} />
      ) : null}
    </Area>
  )
}

interface HitsProps {
  readonly query: ListQuery
  readonly rows: readonly DocumentLine[]
  readonly isScore: boolean
  readonly isOld: boolean
}

/** The name opens the document. */
function Hits({query, rows, isScore, isOld}: HitsProps) {
  const {stop, onKeyDown, onFocus} = useListKeys(rows.length, 0, at => `.evidence .hits li:nth-child(${at + 1}) a`)
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
