import {exp} from '../../base/numeric/index.ts'

/** Numbers and lists in words that people read. */

/** A number and, where it is known, how far it may be off. */
export interface Estimate {
  readonly value: number
  readonly range?: readonly [low: number, high: number]
}

/** "33%", "4.2%", "0.06%", "<0.01%"; next to everything is ">99.9%" and not 100%. */
export function shareText(share: number): string {
  const value = 100 * share
  if (value === 0 || value === 100) return `${value}%`
  if (value < 0.005) return '<0.01%'
  if (value > 99.9) return '>99.9%'
  if (value >= 99.5) return `${value.toFixed(1)}%`
  return `${value.toFixed(value >= 9.95 ? 0 : value >= 0.95 ? 1 : 2)}%`
}

/** "33% (28% to 38%)"; a range without width says nothing and is left out. */
export function estimateText({value, range}: Estimate): string {
  return range === undefined ? shareText(value) : `${shareText(value)} (${rangeText(range)})`
}

export function rangeText([low, high]: readonly [number, number]): string {
  return `${shareText(low)} to ${shareText(high)}`
}

/** "1 document", "2,000 documents". */
export function countText(count: number, noun: string): string {
  return `${wholeText(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** "2,000", whatever the language of the machine. */
export function wholeText(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** "a, b and c". */
export function listText(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
}

/** Odds that grow or fall by a factor: "× 3.2", "÷ 2.0"; beyond a hundred digits do not matter. */
export function oddsText(logOdds: number): string {
  const factor = exp(Math.abs(logOdds))
  const digits = factor >= 100 ? '>100' : factor >= 10 ? factor.toFixed(0) : factor.toFixed(1)
  return `${logOdds >= 0 ? '×' : '÷'}\u00a0${digits}`
}
