import {type ExplanationView, namedFeature, readableFeature} from '../desk/index.ts'

type Row = ExplanationView['rows'][number]

/** A bar from `x`, in the units of the picture. */
export interface FallBar {
  readonly x: number
  readonly width: number
}

/** Places of log-odds on a picture of this width; certainty ends a little to the right of the rest. */
export interface FallScale {
  readonly zero: number
  bar(from: number, to: number): FallBar
}

const EDGE = 3
/** What is smaller is drawn this wide, to be seen. */
const LEAST_WIDTH = 1.5

export function fallScale(rows: readonly Pick<Row, 'from' | 'to'>[], logOdds: number, width: number): FallScale {
  const ends = [0, logOdds, ...rows.flatMap(({from, to}) => [from, to])]
  const finite = ends.filter(Number.isFinite)
  const [low, high] = [Math.min(...finite), Math.max(...finite)]
  const spare = 0.25 * (high - low) + 1
  const first = ends.includes(Number.NEGATIVE_INFINITY) ? low - spare : low
  const last = ends.includes(Number.POSITIVE_INFINITY) ? high + spare : high
  const scale = (width - 2 * EDGE) / Math.max(1e-9, last - first)
  const place = (value: number) => EDGE + scale * (Math.max(first, Math.min(value, last)) - first)
  return {
    zero: place(0),
    bar(from, to) {
      const [left, right] = [place(Math.min(from, to)), place(Math.max(from, to))]
      return {x: left, width: Math.max(LEAST_WIDTH, right - left)}
    }
  }
}

/** "+1.20", "\u22120.35"; infinity is "certain". */
export function signedText(logOdds: number): string {
  if (!Number.isFinite(logOdds)) return 'certain'
  if (Math.abs(logOdds) < 0.005) return '0.00'
  return `${logOdds < 0 ? '\u2212' : '+'}${Math.abs(logOdds).toFixed(2)}`
}

/** The label of a row: a word, or what else is said, and its detail. */
export interface Reason {
  readonly head: string
  readonly word?: string
  readonly detail: string
}

const WORD = /^"(.+)" (occurs|does not occur)$/s
/** A concept with its probability, or members that match, and why that counts. */
const DETAILED = /^(.+? (?:\([<>]?[\d.]+%\)|match(?:es)?|votes? for it)): (.+)$/s

/** `"dispensed:thiamine" occurs` reads "thiamine", dispensed. */
export function readReason(label: string): Reason {
  const [, feature, occurs] = WORD.exec(label) ?? []
  if (feature !== undefined) {
    const {group, isNegated} = namedFeature(feature)
    const detail = [isNegated ? '' : (group ?? ''), occurs === 'occurs' ? '' : occurs].filter(Boolean).join(', ')
    return {head: '', word: readableFeature(feature), detail}
  }
  const [, head = label, detail = ''] = DETAILED.exec(label) ?? []
  return {head, detail: detail.replace(/"([^"]+)"/g, (_, name: string) => `"${readableFeature(name)}"`)}
}
