import {render} from 'preact'
import type {LabelRow} from '../../use/labelling/index.ts'
import type {DeskApi, DeskState, DocumentLine} from '../desk/index.ts'
import {createStudio} from './create-studio.ts'
import {Frame} from './frame.tsx'
import type {PageName} from './store.ts'
import {CONCEPTS, fakeDesk, readyState} from './test-desk.ts'
import {demoProject} from './test-studio.ts'

/**
 * Label and Documents in the frame, with a desk that asks on and lists 100,000 documents. The fragment names page and state:
 * `#label`, `#label,short`, `#documents,old`. `window.heard` holds what was asked of the desk.
 */
const [page, kind = ''] = location.hash.slice(1).split(',') as [PageName, string | undefined]
const DOCUMENTS = 100_000
const base = fakeDesk()
const heard: unknown[] = []
Object.assign(window, {heard})
let labels: readonly LabelRow[] = []
const documents = kind === 'none' ? 0 : DOCUMENTS

function stateOf(revision: number): DeskState {
  const scores: Record<string, DeskState['scores']> = {
    old: {is: 'computing', words: 'scoring documents', share: 0.4},
    unscored: {is: 'computing', words: 'scoring documents', share: 0.4},
    failed: {is: 'failed', message: 'the anchors of stroke and fall share a member; give it to one of them'}
  }
  return {...readyState, revision, documents, scores: scores[kind] ?? {is: 'ready'}}
}

async function question(): ReturnType<DeskApi['question']> {
  const view = await base.question()
  const done = labels.length
  const isShort = kind === 'short' || done % 12 > 9
  const asked = await base.document(5 + 3 * done)
  const concepts = asked.concepts.map(({name, probability}, at) => ({name, probability, isPreset: at < 2}))
  const next = {at: asked.at, name: asked.name, parts: asked.parts}
  return {
    ...view,
    documents: 37 + done,
    ...(kind === 'enough' ? {enough: 'intervals' as const, documents: 118} : {}),
    ...(kind === 'end'
      ? {enough: 'documents' as const, documents: 200, question: undefined}
      : {
          question: isShort
            ? {...next, drawn: 'anchored', concepts: concepts.slice(7, 8)}
            : {...next, drawn: 'random', concepts}
        })
  } as Awaited<ReturnType<DeskApi['question']>>
}

const desk = fakeDesk({
  setProject: async (project, revision) => {
    labels = project.labels
    setTimeout(() => shell.hear({kind: 'state', state: stateOf(revision)}), 5)
  },
  question: kind === 'fault' ? () => Promise.reject(new Error('visits.jsonl cannot be read any more')) : question,
  answer: async present => {
    heard.push(present)
    const row = {id: labels.length, labels: new Map(), drawn: 'random', skipped: undefined, others: new Map()} as const
    return [...labels, row]
  },
  list: async (query, from, count) => {
    heard.push({list: query, from})
    if (query.has?.startsWith('/('))
      throw new Error(`${query.has} is not a valid regular expression: unterminated group`)
    const {rows} = await base.list(query, 0, count)
    const total = query.has === 'nowhere' ? 0 : DOCUMENTS
    const shown = Array.from({length: Math.min(count, total - from)}, (_, at): DocumentLine => {
      const {probability = 0, ...row} = rows[at % rows.length]
      const number = from + at
      const scored =
        kind === 'unscored' || query.concept === undefined ? {} : {probability: probability * (1 - number / DOCUMENTS)}
      return {...row, ...scored, at: number, name: `emergency-${String(number).padStart(6, '0')}`}
    })
    return {total, from, rows: shown}
  },
  document: async at => {
    const view = await base.document(at)
    const concepts = view.concepts.map((one, place) => (place === 2 ? {...one, label: true} : one))
    return {...view, concepts: kind === 'unscored' ? [] : concepts}
  },
  explain: async (at, concept, known) => {
    heard.push({explain: at, concept, known})
    const explanation = await base.explain(at, concept, known)
    const moved = Object.keys(known).length > 0
    const probabilities = Object.entries(explanation.probabilities).map(([name, p]) => [name, moved ? p * 0.6 : p])
    return {...explanation, probabilities: Object.fromEntries(probabilities)}
  }
})
const shell = createStudio(desk)
const anchors = kind === 'no-concepts' ? [] : demoProject.anchors
shell.replace({...demoProject, reading: {id: 'id', text: ['text']}, anchors}, true)
shell.hear({kind: 'state', state: {...stateOf(1), concepts: stateOf(1).concepts.slice(0, CONCEPTS.length)}})
const query = kind === 'missed' ? {query: {concept: 'alcohol', low: 0.44, high: 1, anchor: 'silent' as const}} : {}
shell.go({page, concept: anchors[1]?.concept, ...query})
render(<Frame shell={shell} />, document.body)
