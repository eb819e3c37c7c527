import {exp} from '../../base/numeric/index.ts'
import {counted, factorText, listed, nameList, percent, withoutControls} from '../../base/text/index.ts'
import {type Model, wordNamer} from '../../learn/model/index.ts'
import {isFunctionWord, readVote} from '../../read/data/index.ts'
import type {Explanation} from './explain.ts'
import type {Contribution} from './explain-parts.ts'

/** One step of a waterfall: its label, and the log-odds before and after it. */
export interface WaterfallRow {
  readonly label: string
  readonly logOdds: number
  readonly from: number
  readonly to: number
  /** The probability if this piece of evidence were reversed, as text; empty if it cannot be. */
  readonly otherwise: string
  /** The 90% interval of the log-odds of a word, as text. */
  readonly interval?: string
}

/** Maximal number and minimal size of the steps shown; the others are summed up in one or two steps. */
const SHOWN = 16
const WORTH_SHOWING = 0.05

/** The prior, then all other evidence, strongest first; sums of small steps come last. */
export function waterfallRows({contributions, concept, scores}: Explanation, shown = SHOWN): WaterfallRow[] {
  const [prior, ...rest] = contributions
  const bySize = (a: Contribution, b: Contribution) => Math.abs(b.logOdds) - Math.abs(a.logOdds)
  const isSum = ({kind}: Contribution) => kind === 'rest' || kind === 'balance'
  const functions = functionWords(rest)
  const single = rest.filter(item => !isSum(item) && !functions.includes(item)).sort(bySize)
  const sums = rest.filter(isSum).sort(bySize)
  const large = single.filter(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING).slice(0, shown)
  const left = single.slice(large.length)
  // A single small step takes no more room with its name.
  const named = left.length === 1 ? [...large, ...left] : large
  const steps = [prior, ...named, ...sums].map(item => ({
    label: labelOf(item, scores),
    logOdds: item.logOdds,
    otherwise: otherwiseOf(item, scores.includes(concept)),
    ...intervalOf(item)
  }))
  let at = 0
  const sumOfFunctions = functions.length === 0 ? [] : [together(functions, 'function word')]
  return [...steps, ...(left.length > 1 ? leftOver(left) : []), ...sumOfFunctions].map(step => {
    const from = at
    at += step.logOdds
    return {...step, from, to: at}
  })
}

/** Function words count like any word but mean nothing to people: they are one step, if they amount to one. */
function functionWords(items: readonly Contribution[]): Contribution[] {
  const found = items.filter(
    item => item.kind === 'word' && isFunctionWord(item.word.slice(item.word.lastIndexOf(':') + 1))
  )
  const {logOdds} = together(found, '')
  return Math.abs(logOdds) >= WORTH_SHOWING ? found : []
}

function together(items: readonly Contribution[], noun: string, side = ''): Omit<WaterfallRow, 'from' | 'to'> {
  const logOdds = items.reduce((sum, item) => sum + item.logOdds, 0)
  return {label: `${counted(items.length, noun)}${side}`, logOdds, otherwise: ''}
}

/** The evidence as people read it: words without the name of the only text field. */
export function readableExplanation({lexicon}: Model, explanation: Explanation): Explanation {
  const nameOf = wordNamer(lexicon)
  const contributions = explanation.contributions.map(item => {
    if (item.kind === 'word') return {...item, word: nameOf(item.word)}
    if (item.kind === 'members') return {...item, fired: item.fired.map(nameOf), silent: item.silent.map(nameOf)}
    if (item.kind === 'vote') return {...item, feature: nameOf(item.feature)}
    return item.kind === 'concept' ? {...item, sharedWords: item.sharedWords.map(nameOf)} : item
  })
  return {...explanation, contributions}
}

/** The small steps, summed for and against separately if both sums matter, since they may nearly cancel. */
function leftOver(left: readonly Contribution[]): Omit<WaterfallRow, 'from' | 'to'>[] {
  const sides = [
    together(
      left.filter(({logOdds}) => logOdds > 0),
      'smaller reason',
      ' for it'
    ),
    together(
      left.filter(({logOdds}) => logOdds <= 0),
      'smaller reason',
      ' against it'
    )
  ]
  const isEach = sides.every(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING)
  return isEach ? sides : [together(left, 'smaller reason')]
}

/** "97%", or "score 0.97" where nobody measured a share. */
export function chanceText(probability: number, isScore: boolean): string {
  return isScore ? `score ${probability.toFixed(2)}` : percent(probability)
}

function labelOf(item: Contribution, scores: readonly string[]): string {
  switch (item.kind) {
    case 'prior':
      return item.probability === undefined
        ? 'before anything is read'
        : `found in ${percent(item.probability)} of all documents`
    case 'known':
      return `known: ${withoutControls(item.concept)} is ${item.present ? 'present' : 'absent'}`
    case 'anchor':
      return item.fired ? 'its anchor fires' : 'its anchor does not fire'
    case 'word':
      return `"${withoutControls(item.word)}" ${item.present ? 'occurs' : 'does not occur'}`
    case 'concept':
      return conceptLabel(item, scores.includes(item.concept))
    case 'exclusive':
      return `it and ${item.others.map(withoutControls).join(', ')} exclude each other`
    case 'members':
      return membersLabel(item)
    case 'vote':
      return voteLabel(item.feature)
    case 'no-vote':
      return 'nothing votes for it'
    case 'balance':
      return 'baseline of a typical document'
    case 'rest':
      return restLabel(item)
  }
}

function voteLabel(feature: string): string {
  const {source, vote} = readVote(feature) ?? {}
  return source === undefined
    ? `"${withoutControls(feature)}" occurs`
    : `${withoutControls(source)} votes ${withoutControls(vote ?? '')}`
}

/** The factor comes before names, which may be cut. */
function membersLabel({fired, silent, logOdds}: Extract<Contribution, {kind: 'members'}>): string {
  const all = [...fired, ...silent]
  const s = fired.length === 1 ? 's' : ''
  const odds = `odds x ${factorText(exp(logOdds))}`
  const fields = all.map(name => /^([^:]+):(.+)$/s.exec(name) ?? [])
  if (fields.every(([, field, word]) => field !== undefined && word === fields[0][2])) {
    const names = fields.map(([, field]) => withoutControls(field))
    const matching = listed(names.slice(0, fired.length))
    if (silent.length === 0) return `${matching} ${fired.length === 2 ? 'both' : 'all'} match: ${odds}`
    return `${matching} match${s && 'es'}, not ${listed(names.slice(fired.length))}: ${odds}`
  }
  const votes = all.map(readVote)
  if (votes.every(vote => vote !== undefined)) {
    const sources = votes.slice(0, fired.length).map(({source}) => source)
    return `${fired.length} of ${counted(all.length, 'source')} vote${s} for it: ${odds} (${nameList(sources)})`
  }
  return `${fired.length} of ${counted(all.length, 'member')} of its anchor match${s && 'es'}: ${odds} (${nameList(fired)})`
}

function conceptLabel(item: Extract<Contribution, {kind: 'concept'}>, isScore: boolean): string {
  const {concept, probability, fired, linked, sharedWords, logOdds} = item
  // A concept less probable here than usual leaves its words to this one.
  const accounts = probability >= 0.5 ? 'accounts' : logOdds > 0 ? 'hardly accounts' : 'could account'
  const words = sharedWords.map(word => `"${withoutControls(word)}"`).join(', ')
  const why = [
    fired ? 'its anchor fires' : '',
    linked ? 'linked in the network' : '',
    words === '' ? '' : `${accounts} for ${words}`
  ].filter(reason => reason !== '')
  return `${withoutControls(concept)} (${chanceText(probability, isScore)})${why.length > 0 ? `: ${why.join('; ')}` : ''}`
}

function restLabel({of, count}: Extract<Contribution, {kind: 'rest'}>): string {
  switch (of) {
    case 'absent-words':
      return `${counted(count, 'other word')} that ${count === 1 ? 'does' : 'do'} not occur`
    case 'known-tags':
      return counted(count, 'other known tag')
    case 'concepts':
      return counted(count, 'other concept')
    case 'concepts-jointly':
      return 'joint effect of the other concepts'
  }
}

function otherwiseOf(item: Contribution, isScore: boolean): string {
  if (!('otherwise' in item) || item.otherwise === undefined) return ''
  const chance = chanceText(item.otherwise, isScore)
  switch (item.kind) {
    case 'known':
      return `${chance} were it ${item.present ? 'absent' : 'present'}`
    case 'anchor':
      return `${chance} if it ${item.fired ? 'did not' : 'did'}`
    case 'word':
      return `${chance} ${item.present ? 'without it' : 'if it did'}`
    case 'vote':
      return `${chance} without it`
    case 'concept':
      return `${chance} were it ${item.probability < 0.5 ? 'present' : 'absent'}`
  }
}

function intervalOf(item: Contribution): {interval?: string} {
  if (item.kind !== 'word' || item.low === undefined || item.high === undefined) return {}
  return {interval: `${signed(item.low)} to ${signed(item.high)}`}
}

/** "+1.20", "-0.35"; infinity is "certain". */
export function signed(logOdds: number): string {
  if (logOdds === Number.POSITIVE_INFINITY) return 'certain'
  if (Math.abs(logOdds) < 0.005) return '0.00'
  return `${logOdds < 0 ? '-' : '+'}${Math.abs(logOdds).toFixed(2)}`
}

/** The lowest and highest log-odds of all steps, including 0; certainty ends a little to the right of the rest. */
export function waterfallRange(rows: readonly WaterfallRow[]): {low: number; high: number} {
  const finite = rows.flatMap(({from, to}) => [from, to]).filter(Number.isFinite)
  const low = Math.min(0, ...finite)
  const high = Math.max(0, ...finite)
  const isCertain = rows.some(({to}) => to === Number.POSITIVE_INFINITY)
  return {low, high: isCertain ? high + 0.25 * (high - low) + 1 : high}
}
