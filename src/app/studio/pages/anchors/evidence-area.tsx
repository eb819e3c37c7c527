import {useState} from 'preact/hooks'
import {grouped} from '../../../../base/text/index.ts'
import type {DocumentLine, ListQuery, SessionState} from '../../../session/index.ts'
import {useStudio} from '../../store.ts'
import {useAnswer, versionOf} from '../../ui/answer.ts'
import {Area, Say, useFew} from '../../ui/area.tsx'
import {conceptOf, isScored} from '../../ui/concept-marks.ts'
import {Choices} from '../../ui/controls.tsx'
import {GoLink} from '../../ui/go-link.tsx'
import {useListKeys} from '../../ui/keys.ts'
import {chance, StateMark} from '../../ui/marks.tsx'
import {Line} from '../documents/list-area.tsx'
import {useAnchor} from './anchor-context.ts'

/** Rows that are shown at first, and in all; the others are on Documents. */
const FIRST = 5
const MOST = 25

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
  const state = studio.state.value
  const query = {concept, ...KINDS[kind].query(state)}
  const isScore = isScored(state, concept)
  const isRefused = conceptOf(state, concept)?.refused !== undefined
  const isLearned = state.threshold !== undefined && !isRefused
  const canAsk = anchor.any.length > 0 && state.documents > 0 && (kind !== 'missed' || isLearned)
  const {answer, fault, isOld} = useAnswer(canAsk ? `${kind} ${concept}` : undefined, versionOf(state), () =>
    studio.session.list(query, 0, MOST)
  )
  const [rows, more] = useFew(answer?.rows ?? [], FIRST)
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
        onPick={setKind}
      />
      <p class="soft small">
        {KINDS[kind].words(isScore, state)}{' '}
        {state.scores.is === 'ready' || !canAsk ? null : <StateMark stage={state.scores} what="Scores" />}
      </p>
      <Say is="bad">{fault?.message}</Say>
      {rows.length === 0 ? (
        <p class="soft none">{answer === undefined ? missing : 'No documents.'}</p>
      ) : (
        <Hits query={query} rows={rows} isOld={isOld} />
      )}
      {more}
    </Area>
  )
}

interface HitsProps {
  readonly query: ListQuery
  readonly rows: readonly DocumentLine[]
  readonly isOld: boolean
}

/** The name opens the document. */
function Hits({query, rows, isOld}: HitsProps) {
  const {stop, onKeyDown, onFocus} = useListKeys(rows.length, 0, at => `.evidence .hits li:nth-child(${at + 1}) a`)
  return (
    <ul class={isOld ? 'hits stale' : 'hits'} aria-label="Documents" onKeyDown={onKeyDown}>
      {rows.map((row, at) => (
        <li class="hit" key={row.at} onFocusCapture={() => onFocus(at)}>
          <Line line={row} concept={query.concept}>
            <GoLink to={{page: 'documents', query, document: row.at}} tabIndex={at === stop ? 0 : -1}>
              {row.name}
            </GoLink>
          </Line>
        </li>
      ))}
    </ul>
  )
}
