/** Documents by probability, features, anchors and labels. */
import {AdfaError} from '../../base/checks/index.ts'
import type {WrongDocument} from '../../use/evaluation/index.ts'
import {createLiner} from './document-views.ts'
import {anchorOf, type Facts, firedIn, labelReader, probabilityOf} from './facts.ts'

/** Which documents, and in which order: by probability of the concept, or as in the file. */
export interface ListQuery {
  readonly concept?: string
  readonly low?: number
  readonly high?: number
  /** Features that the document has, or lacks. */
  readonly has?: string
  readonly lacks?: string
  readonly anchor?: 'fires' | 'silent'
  readonly label?: 'yes' | 'no' | 'none'
  /** Documents that cross the threshold in the last comparison: by the second side alone, or by the first alone. */
  readonly crossed?: 'entered' | 'left'
  /** Documents that the last evaluation found wrong: reported without the tag, or tagged and not reported. */
  readonly wrong?: 'alarm' | 'miss'
}

/** The most rows of one answer: about 200 kB. */
export const MOST_ROWS = 100

/** The numbers of documents by query, until results, labels or documents change. */
export type KnownLists = Map<string, Promise<readonly number[]>>

/** Queries that are remembered. */
const REMEMBERED = 8

export type DocumentList = Awaited<ReturnType<typeof listDocuments>>
/** A document of a list; `at` is its number, from 0. */
export type DocumentLine = DocumentList['rows'][number]

export async function listDocuments(facts: Facts, known: KnownLists, query: ListQuery, from: number, count: number) {
  const wrong = query.wrong && new Map(wrongDocuments(facts, query).map(one => [one.document, one.probability]))
  const numbers = wrong ? [...wrong.keys()] : await listedNumbers(facts, known, query)
  const line = createLiner(facts, query.concept)
  const answer = labelReader(facts, query.concept)
  const scored = query.concept === undefined ? undefined : probabilityOf(query.concept, facts.results)
  const probability = wrong ? (at: number) => wrong.get(at) : scored
  return {
    total: numbers.length,
    from,
    rows: numbers.slice(from, from + Math.min(count, MOST_ROWS)).map(at => {
      const [label, p] = [answer(at), probability?.(at)]
      return {...line(at), ...(p !== undefined && {probability: p}), ...(label !== undefined && {label})}
    })
  }
}

/** The documents of a query, in order. */
export function listedNumbers(facts: Facts, known: KnownLists, query: ListQuery): Promise<readonly number[]> {
  const name = JSON.stringify(Object.entries(query).sort())
  const numbers = known.get(name) ?? select(facts, query)
  known.delete(name)
  known.set(name, numbers)
  numbers.catch(() => known.delete(name))
  const [oldest] = known.keys()
  if (known.size > REMEMBERED) known.delete(oldest)
  return numbers
}

/** The surest mistakes first, with the probabilities that were judged. */
function wrongDocuments(facts: Facts, query: ListQuery): readonly WrongDocument[] {
  checkQuery(facts, query)
  const {judged, documents} = facts
  const {concept = '', wrong = 'miss'} = query
  if (judged?.documents !== documents)
    throw new AdfaError('bad-option', 'there are no figures of these documents yet; evaluate the model first')
  return judged.wrong(concept, wrong)
}

async function select(facts: Facts, query: ListQuery): Promise<readonly number[]> {
  const {documents, results, work} = facts
  const {concept, low = 0, high = 1, has, lacks} = query
  if (query.wrong !== undefined) return wrongDocuments(facts, query).map(({document}) => document)
  checkQuery(facts, query)
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const tests: ((at: number) => boolean)[] = []
  // Without a model that has the concept, no probability is in any range.
  if (low > 0 || high < 1)
    tests.push(at => probability !== undefined && probability(at) >= low && probability(at) <= high)
  const within = (list: Iterable<number>, isIn: boolean) => {
    const flags = new Uint8Array(documents.count)
    for (const at of list) flags[at] = 1
    tests.push(at => (flags[at] === 1) === isIn)
  }
  if (concept !== undefined && query.anchor !== undefined) within(firedIn(concept, results), query.anchor === 'fires')
  if (concept !== undefined && query.crossed !== undefined) within(crossedIn(facts, concept, query.crossed), true)
  if (has !== undefined) within(await work.slices(documents.index.scan(has)), true)
  if (lacks !== undefined) within(await work.slices(documents.index.scan(lacks)), false)
  if (query.label !== undefined) {
    const answer = labelReader(facts, concept)
    const wanted = {yes: true, no: false, none: undefined}[query.label]
    tests.push(at => answer(at) === wanted)
  }
  const numbers: number[] = []
  await work.each(documents.count, at => {
    if (tests.every(test => test(at))) numbers.push(at)
  })
  return probability === undefined ? numbers : numbers.sort((a, b) => probability(b) - probability(a) || a - b)
}

function crossedIn({crossed}: Facts, concept: string, which: 'entered' | 'left'): readonly number[] {
  if (crossed === undefined)
    throw new AdfaError('bad-option', 'nothing has been compared yet; choose two models on Compare first')
  return crossed.get(concept)?.[which] ?? []
}

/** What a list can be by only where it has a concept. */
const OF_CONCEPT = {
  low: 'a range of probabilities',
  high: 'a range of probabilities',
  anchor: 'its anchor',
  label: 'a label',
  crossed: 'the last comparison',
  wrong: 'mistakes'
} as const

function checkQuery({project}: Facts, query: ListQuery): void {
  if (query.concept !== undefined) {
    anchorOf(project, query.concept)
    return
  }
  const given = Object.entries(OF_CONCEPT).filter(([name]) => query[name as keyof ListQuery] !== undefined)
  const [[, what] = []] = given
  if (what !== undefined) throw new AdfaError('bad-option', `a list by ${what} needs a concept; choose one`)
}
