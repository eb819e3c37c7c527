import {render} from 'preact'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {SessionApi, SessionState} from '../session/index.ts'
import {Frame} from './frame.tsx'
import {createStudio, emptyState, type PageName} from './store.ts'
import {demoProject, fakeSession, graphView, readyState} from './test-session.ts'

/**
 * The studio with a fake session; page and state by the fragment: `#anchors`, `#label,short`, `#documents,old`, `#start,fault`.
 * `window.heard` holds what was asked of the session.
 */
const [page, kind = ''] = location.hash.slice(1).split(',') as [PageName, string | undefined]
const base = fakeSession()
const heard: unknown[] = []
Object.assign(window, {heard})
let labels: readonly LabelRow[] = []
let isResampled = false
let stop: (error: Error) => void = () => {}

function stateOf(revision: number): SessionState {
  if (page === 'start' || kind === 'none') return {...emptyState, revision}
  const {threshold: _, ...unlearned} = readyState
  const scores = {is: 'computing', words: 'scoring documents', share: 0.4} as const
  const message = 'no concept can be used; give one an anchor that fires'
  const states: Record<string, SessionState> = {
    old: {...readyState, numbers: {is: 'old'}, scores},
    unscored: {...readyState, scores},
    computing: {...unlearned, numbers: {is: 'computing', words: 'waiting'}, scores},
    failed: {...unlearned, numbers: {is: 'failed', message}, scores: {is: 'old'}}
  }
  return {...(states[kind] ?? readyState), revision}
}

async function question(): ReturnType<SessionApi['question']> {
  const done = labels.length
  const {question: _, ...view} = await base.question()
  if (kind === 'end') return {...view, progress: {...view.progress, enough: 'documents', documents: 200}}
  const {at, name, parts, concepts} = await base.document(5 + 3 * done)
  const isShort = kind === 'short' || done % 12 > 9
  const all = concepts.map(({name}, place) => ({name, isPreset: place < 2}))
  const asked = isShort
    ? ({drawn: 'anchored', concepts: all.slice(7, 8)} as const)
    : ({drawn: 'random', concepts: all} as const)
  const progress = {...view.progress, documents: 37 + done}
  return {...view, progress, question: {at, name, parts, ...asked}}
}

const never = new Promise<never>(() => {})
const refuse = (message: string) => () => Promise.reject(new Error(message))
/** What the session does not answer, or refuses, by the state. */
const refusals: Readonly<Record<string, Partial<SessionApi>>> = {
  fault: {
    survey: refuse('visits.jsonl, line 4,817: not valid JSON: Unexpected end of JSON input. Mend or remove the line.'),
    question: refuse('visits.jsonl cannot be read any more')
  },
  reading: {open: () => never},
  refused: {evaluate: refuse('the evaluation was stopped')},
  judging: {evaluate: () => never}
}
const session = fakeSession({
  change: async (_, revision) => {
    const project = studio.project.value
    heard.push({edges: project.edges, structure: project.fit.structure})
    labels = project.labels
    setTimeout(() => studio.hear({kind: 'state', state: stateOf(revision)}), 5)
  },
  question,
  answer: async present => {
    heard.push(present)
    const row = {id: labels.length, labels: new Map(), drawn: 'random', skipped: undefined, others: new Map()} as const
    return [...labels, row]
  },
  list: async (query, from, count) => {
    heard.push({list: query, from})
    const list = await base.list(query, from, count)
    return kind === 'unscored' ? {...list, rows: list.rows.map(({probability: _, ...row}) => row)} : list
  },
  document: async at => ({...(await base.document(at)), ...(kind === 'unscored' && {concepts: []})}),
  explain: async (at, concept, known) => {
    heard.push({explain: at, concept, known})
    return base.explain(at, concept, known)
  },
  graph: async () => graphView(isResampled ? 0.93 : undefined),
  picture: async request => {
    heard.push({picture: request})
    return kind === 'dense' && request.kind === 'network' ? undefined : base.picture(request)
  },
  resample: replicates => {
    heard.push({resample: replicates})
    studio.hear({kind: 'progress', words: 'resampling for intervals', share: 0.4})
    return new Promise((resolve, reject) => {
      stop = reject
      setTimeout(() => {
        isResampled = true
        resolve(graphView(0.93))
      }, 400)
    })
  },
  cancel: async () => stop(new Error('resampling was stopped')),
  ...refusals[kind]
})
const studio = createStudio(session)
const {intake} = studio
if (page !== 'start') studio.replace({...demoProject, reading: {id: 'id', text: ['text']}}, true)
studio.hear({kind: 'state', state: stateOf(1)})
studio.go({page, ...(page !== 'start' && {concept: 'alcohol'})})
if (page === 'start' && kind !== 'empty')
  intake.add([new File(['x'], 'visits.jsonl')]).then(kind === 'reading' ? intake.read : undefined)

render(<Frame studio={studio} />, document.body)
