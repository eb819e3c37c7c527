/** Documents by probability, features, anchors and labels. */
import {AdfaError} from '../../base/checks/index.ts'
import type {WrongDocument} from '../../use/evaluation/index.ts'
import {createLiner} from './document-views.ts'
import {anchorOf, type Facts, labelReader} from './facts.ts'
import type {Results} from './pipeline.ts'
import {firedIn, thresholdOf} from './state-view.ts'
import type {ListQuery} from './views.ts'

/** The most rows of one answer: about 200 kB. */
export const MOST_ROWS = 100

/** The probability of a concept in each document; undefined without a model that has it. */
export function probabilityOf(name: string, {scored}: Results): ((at: number) => number) | undefined {
  if (scored === undefined) return undefined
  const {concepts} = scored.learned.model
  const i = concepts.findIndex(concept => concept.name === name)
  return i < 0 ? undefined : at => scored.probabilities[at * concepts.length + i]
}

/** Documents that likely have the concept although its anchor does not fire; undefined without a model that has it. */
export function countMissed(name: string, results: Results): number | undefined {
  const probability = probabilityOf(name, results)
  const {encoded, scored} = results
  if (probability === undefined || scored === undefined || encoded === undefined) return undefined
  const threshold = thresholdOf(scored.learned.model)
  const fired = new Set(firedIn(name, results))
  let count = 0
  for (let at = 0; at < encoded.documents.count; at++) if (probability(at) >= threshold && !fired.has(at)) count++
  return count
}

export type DocumentList = Awaited<ReturnType<Lists['page']>>
/** A document of a list; `at` is its number, from 0. */
export type DocumentLine = DocumentList['rows'][number]

/** Queries that are remembered. */
const REMEMBERED = 8

/** Answers queries about the documents; the latest are remembered until the results change. */
export class Lists {
  #facts: Facts | undefined
  readonly #known = new Map<string, Promise<readonly number[]>>()

  async page(facts: Facts, query: ListQuery, from: number, count: number) {
    const wrong = query.wrong && new Map(wrongDocuments(facts, query).map(one => [one.document, one.probability]))
    const numbers = wrong ? [...wrong.keys()] : await this.numbers(facts, query)
    const rows = numbers.slice(from, from + Math.min(count, MOST_ROWS))
    const line = createLiner(facts, query.concept)
    const answer = labelReader(facts, query.concept)
    const scored = query.concept === undefined ? undefined : probabilityOf(query.concept, facts.results)
    const probability = wrong ? (at: number) => wrong.get(at) : scored
    return {
      total: numbers.length,
      from,
      rows: rows.map(at => {
        const [label, p] = [answer(at), probability?.(at)]
        return {...line(at), ...(p !== undefined && {probability: p}), ...(label !== undefined && {label})}
      })
    }
  }

  /** The documents of a query, in order. */
  numbers(facts: Facts, query: ListQuery): Promise<readonly number[]> {
    const last = this.#facts
    if (last?.results.encoded !== facts.results.encoded || last?.results.scored !== facts.results.scored)
      this.#known.clear()
    if (last?.project.labels !== facts.project.labels || last?.documents !== facts.documents) this.#known.clear()
    if (last?.crossed !== facts.crossed) this.#known.clear()
    this.#facts = facts
    const name = JSON.stringify(Object.entries(query).sort())
    const known = this.#known.get(name) ?? select(facts, query)
    this.#known.delete(name)
    this.#known.set(name, known)
    known.catch(() => this.#known.delete(name))
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED) this.#known.delete(oldest)
    return known
  }
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
  const {documents, results, slices} = facts
  const {concept, low = 0, high = 1, has, lacks} = query
  if (query.wrong !== undefined) return wrongDocuments(facts, query).map(({document}) => document)
  checkQuery(facts, query)
  const probability = concept === undefined ? undefined : probabilityOf(concept, results)
  const tests: ((at: number) => boolean)[] = []
  // Without a model that has the concept, no probability is in any range.
  if (low > 0 || high < 1)
    tests.push(at => probability !== undefined && probability(at) >= low && probability(at) <= high)
  const within = (list: ArrayLike<number> & Iterable<number>, isIn: boolean) => {
    const flags = new Uint8Array(documents.count)
    for (const at of list) flags[at] = 1
    tests.push(at => (flags[at] === 1) === isIn)
  }
  if (concept !== undefined && query.anchor !== undefined) within(firedIn(concept, results), query.anchor === 'fires')
  if (concept !== undefined && query.isNewest) within(results.encoded?.newest.get(concept) ?? new Uint32Array(), true)
  if (concept !== undefined && query.crossed !== undefined) within(crossedIn(facts, concept, query.crossed), true)
  if (has !== undefined) within(await documents.hits(has, slices), true)
  if (lacks !== undefined) within(await documents.hits(lacks, slices), false)
  if (query.label !== undefined) {
    const answer = labelReader(facts, concept)
    const wanted = {yes: true, no: false, none: undefined}[query.label]
    tests.push(at => answer(at) === wanted)
  }
  const numbers: number[] = []
  await slices.each(documents.count, at => {
    if (tests.every(test => test(at))) numbers.push(at)
  })
  return probability === undefined ? numbers : numbers.sort((a, b) => probability(b) - probability(a) || a - b)
}

function crossedIn({crossed}: Facts, concept: string, which: 'entered' | 'left'): readonly number[] {
  if (crossed === undefined)
    throw new AdfaError('bad-option', 'nothing has been compared yet; choose two models on Compare first')
  return crossed.get(concept)?.[which] ?? []
}

function checkQuery({project}: Facts, query: ListQuery): void {
  const {concept, low, high, anchor, label, isNewest, crossed, wrong} = query
  if (concept !== undefined) anchorOf(project, concept)
  const needs = {
    'a range of probabilities': low ?? high,
    'its anchor': anchor,
    'a label': label,
    'the newest documents': isNewest,
    'the last comparison': crossed,
    mistakes: wrong
  }
  const [what] = Object.entries(needs).find(([, value]) => value !== undefined && value !== false) ?? []
  if (concept === undefined && what !== undefined)
    throw new AdfaError('bad-option', `a list by ${what} needs a concept; choose one`)
}
