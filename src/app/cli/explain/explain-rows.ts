import type {Contribution, Explanation} from '../../../use/prediction/index.ts'
import {plainText} from '../label/label-text.ts'
import {counted, percent} from '../text.ts'

/** One step of a waterfall: what it is, and from where to where it takes the log-odds. */
export interface WaterfallRow {
  readonly label: string
  readonly logOdds: number
  readonly from: number
  readonly to: number
  /** What the probability would be if this were the other way round, in words; empty where there is no other way. */
  readonly otherwise: string
}

/** Steps that are shown at most, and how large they are at least; what is left makes one or two more. */
const SHOWN = 16
const WORTH_SHOWING = 0.05

/** The prior, then everything else, the strongest first; sums of small things come last. */
export function waterfallRows({contributions}: Explanation, shown = SHOWN): WaterfallRow[] {
  const [prior, ...rest] = contributions
  const bySize = (a: Contribution, b: Contribution) => Math.abs(b.logOdds) - Math.abs(a.logOdds)
  const isSum = ({kind}: Contribution) => kind === 'rest' || kind === 'balance'
  const single = rest.filter(item => !isSum(item)).sort(bySize)
  const sums = rest.filter(isSum).sort(bySize)
  const large = single.filter(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING).slice(0, shown)
  const left = single.slice(large.length)
  // One that is left alone takes no more room by its name.
  const named = left.length === 1 ? [...large, ...left] : large
  const steps = [prior, ...named, ...sums].map(item => ({
    label: labelOf(item),
    logOdds: item.logOdds,
    otherwise: otherwiseOf(item)
  }))
  let at = 0
  return [...steps, ...(left.length > 1 ? leftOver(left) : [])].map(step => {
    const from = at
    at += step.logOdds
    return {...step, from, to: at}
  })
}

/** What is left, for and against apart where both come to something: many small reasons may hide behind their difference. */
function leftOver(left: readonly Contribution[]): Omit<WaterfallRow, 'from' | 'to'>[] {
  const together = (items: readonly Contribution[], side: string) => ({
    label: `${counted(items.length, 'smaller reason')}${side}`,
    logOdds: items.reduce((sum, {logOdds}) => sum + logOdds, 0),
    otherwise: ''
  })
  const sides = [
    together(
      left.filter(({logOdds}) => logOdds > 0),
      ' for it'
    ),
    together(
      left.filter(({logOdds}) => logOdds <= 0),
      ' against it'
    )
  ]
  return sides.every(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING) ? sides : [together(left, '')]
}

function labelOf(item: Contribution): string {
  switch (item.kind) {
    case 'prior':
      return `found in ${smallPercent(item.probability)} of all documents`
    case 'known':
      return `known: ${plainText(item.concept)} is ${item.present ? 'present' : 'absent'}`
    case 'anchor':
      return item.fired ? 'its anchor fires' : 'its anchor does not fire'
    case 'word':
      return `"${plainText(item.word)}" ${item.present ? 'occurs' : 'does not occur'}`
    case 'concept':
      return conceptLabel(item)
    case 'other-anchor':
      return `the anchor of ${plainText(item.concept)} ${item.fired ? 'fires' : 'does not fire'}`
    case 'balance':
      return 'balance for what is usual'
    case 'rest':
      return restLabel(item)
  }
}

function conceptLabel(item: Extract<Contribution, {kind: 'concept'}>): string {
  const {concept, probability, linked, sharedWords, logOdds} = item
  // A concept that is rarer here than usual leaves its words to this one.
  const accounts = probability >= 0.5 ? 'accounts' : logOdds > 0 ? 'hardly accounts' : 'could account'
  const words = sharedWords.map(word => `"${plainText(word)}"`).join(', ')
  const why = [...(linked ? ['tied to it'] : []), ...(words === '' ? [] : [`${accounts} for ${words}`])]
  return `${plainText(concept)} (${smallPercent(probability)})${why.length > 0 ? `: ${why.join('; ')}` : ''}`
}

function restLabel({of, count}: Extract<Contribution, {kind: 'rest'}>): string {
  const isOne = count === 1
  switch (of) {
    case 'absent-words':
      return `${counted(count, 'other word')} that ${isOne ? 'does' : 'do'} not occur`
    case 'silent-anchors':
      return `${counted(count, 'anchor')} of ${isOne ? 'another concept does' : 'other concepts do'} not fire`
    case 'known-tags':
      return counted(count, 'other known tag')
    case 'concepts':
      return counted(count, 'other concept')
  }
}

function otherwiseOf(item: Contribution): string {
  switch (item.kind) {
    case 'known':
      return `${smallPercent(item.otherwise)} were it ${item.present ? 'absent' : 'present'}`
    case 'anchor':
    case 'other-anchor':
      return `${smallPercent(item.otherwise)} if it ${item.fired ? 'did not' : 'did'}`
    case 'word':
      return `${smallPercent(item.otherwise)} ${item.present ? 'without it' : 'if it did'}`
    case 'concept':
      return `${smallPercent(item.otherwise)} were it ${item.probability < 0.5 ? 'present' : 'absent'}`
    default:
      return ''
  }
}

/** A percentage that is not rounded to none or to all. */
export function smallPercent(p: number): string {
  if (p > 0 && p < 0.0005) return '<0.1%'
  if (p < 1 && p > 0.9995) return '>99.9%'
  return p > 0.985 && p < 1 ? `${(100 * p).toFixed(1)}%` : percent(p)
}

/** "+1.20", "-0.35"; what is beyond all numbers is certain. */
export function signed(logOdds: number): string {
  if (logOdds === Number.POSITIVE_INFINITY) return 'certain'
  if (Math.abs(logOdds) < 0.005) return '0.00'
  return `${logOdds < 0 ? '-' : '+'}${Math.abs(logOdds).toFixed(2)}`
}

/** The lowest and highest log-odds on the way, 0 among them; what is certain ends a little to the right of the rest. */
export function waterfallRange(rows: readonly WaterfallRow[]): {low: number; high: number} {
  const finite = rows.flatMap(({from, to}) => [from, to]).filter(Number.isFinite)
  const low = Math.min(0, ...finite)
  const high = Math.max(0, ...finite)
  const isCertain = rows.some(({to}) => to === Number.POSITIVE_INFINITY)
  return {low, high: isCertain ? high + 0.25 * (high - low) + 1 : high}
}
