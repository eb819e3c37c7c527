import {percent} from '../../base/text/index.ts'
import type {ListQuery} from '../desk/index.ts'

/** "0.44", "44%" or ".44" as a share; `undefined` for nothing, `'bad'` for what is no share. */
export function shareOf(text: string): number | undefined | 'bad' {
  const typed = text.trim()
  if (typed === '') return undefined
  const match = /^(\d*[.,]?\d+|\d+[.,])\s*(%?)$/.exec(typed)
  const share = match === null ? Number.NaN : Number(match[1].replace(',', '.')) / (match[2] === '%' ? 100 : 1)
  return share >= 0 && share <= 1 ? share : 'bad'
}

/** A query with one thing changed; what is undefined or empty is left out, and without a concept all that depends on one. */
export function withChange(query: ListQuery, change: {[K in keyof ListQuery]: ListQuery[K] | undefined}): ListQuery {
  const changed = {...query, ...change}
  const ofConcept = ['low', 'high', 'anchor', 'label', 'isNewest', 'crossed']
  const isKept = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== '' && (changed.concept !== undefined || !ofConcept.includes(name))
  return Object.fromEntries(Object.entries(changed).filter(isKept))
}

/** "alcohol, 44% or more, anchor does not fire". */
export function queryWords({concept, low, high, has, lacks, anchor, label, isNewest, crossed}: ListQuery): string {
  const words = [
    concept,
    rangeWords(low, high),
    has === undefined ? undefined : `has ${has}`,
    lacks === undefined ? undefined : `lacks ${lacks}`,
    isNewest ? 'newest' : undefined,
    crossed === undefined ? undefined : `reported only by ${crossed === 'entered' ? 'B' : 'A'} of Compare`,
    anchor === undefined ? undefined : anchor === 'fires' ? 'anchor fires' : 'anchor does not fire',
    label === undefined ? undefined : label === 'none' ? 'not labelled' : `labelled ${label}`
  ].filter(part => part !== undefined)
  return words.length === 0 ? 'all documents' : words.join(', ')
}

function rangeWords(low: number | undefined, high: number | undefined): string | undefined {
  const [from, to] = [low === 0 ? undefined : low, high === 1 ? undefined : high]
  if (from === undefined) return to === undefined ? undefined : `${percent(to)} or less`
  return to === undefined ? `${percent(from)} or more` : `${percent(from)} to ${percent(to)}`
}
