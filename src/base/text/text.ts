import {printableLine} from './printable.ts'

/** Numbers and lists are written alike in reports, messages and pictures, whatever the language of the machine. */

/** Writes a share as "33%", "4.2%", "0.06%" or "<0.01%"; a share just below 1 is ">99.9%", never "100%". */
export function percent(share: number): string {
  const value = 100 * share
  if (value === 0 || value === 100) return `${value}%`
  if (value < 0.005) return '<0.01%'
  if (value > 99.9) return '>99.9%'
  if (value >= 99.5) return `${value.toFixed(1)}%`
  return `${value.toFixed(value >= 9.95 ? 0 : value >= 0.95 ? 1 : 2)}%`
}

/** Writes a factor that multiplies odds as "3.1", "0.40" or "24"; as ">100" if it is 100 or more, as "<0.01" if it is below 0.01. */
export function factorText(factor: number): string {
  return factor >= 100 ? '>100' : factor >= 9.95 ? factor.toFixed(0) : factor < 0.01 ? '<0.01' : factor.toPrecision(2)
}

/** Writes "1 document" or "2,000 documents". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`
}

/** Tells whether an interval is too narrow to be worth printing: its width is at most 1% of its upper end. */
export function isPoint(low: number, high: number): boolean {
  return high - low <= 0.01 * high
}

/** Writes a whole number as "2,000". */
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Writes "a, b and c". */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
}

/** Lists the first 20 names without quotes, each cut after 80 characters; "..." stands for what is left out. */
export function firstNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map(name => printableLine(name.length > 80 ? `${name.slice(0, 80)}...` : name))
  return `${shown.join(', ')}${names.length > shown.length ? ', ...' : ''}`
}

/** Writes "'a', 'b' and 2 more". */
export function nameList(names: readonly string[], limit = 5): string {
  const shown = names.slice(0, limit).map(name => `'${printableLine(name)}'`)
  return names.length > limit ? `${shown.join(', ')} and ${names.length - limit} more` : shown.join(', ')
}
