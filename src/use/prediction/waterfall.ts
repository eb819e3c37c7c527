import {exp} from '../../base/numeric/index.ts'
import {counted, factorText, nameList, percent, withoutControls} from '../../base/text/index.ts'
import {type Model, wordNamer} from '../../learn/model/index.ts'
import {isFunctionWord, readVote} from '../../read/data/index.ts'
import {type Contribution, type RestKind, strongestFirst, totalOf} from './contributions.ts'
import type {Explanation} from './explain.ts'

/** One step of a waterfall: its label, and the log-odds before and after it. */
export interface WaterfallRow {
  readonly label: string
  /** The two parts of a label that says what the evidence is and why it counts. */
  readonly parts?: readonly [head: string, why: string]
  /** The evidence; a sum of small steps has none. */
  readonly item?: Contribution
  readonly logOdds: number
  readonly from: number
  readonly to: number
  /** The probability if this piece of evidence were reversed, as text; empty if it cannot be. */
  readonly otherwise: string
  /** The 90% interval of the log-odds of a word, as text. */
  readonly interval?: string
}

type Step = Omit<WaterfallRow, 'from' | 'to'>

/** Maximal number and minimal size of the steps shown; the others are summed up in one or two steps. */
const SHOWN = 16
const WORTH_SHOWING = 0.05

/** The prior, then all other evidence, strongest first; sums of small steps come last. */
export function waterfallRows({contributions, concept, scores}: Explanation): WaterfallRow[] {
  const [prior, ...rest] = contributions
  const functions = functionWords(rest)
  const isSum = ({kind}: Contribution) => kind === 'rest' || kind === 'balance'
  const single = rest.filter(item => !isSum(item) && !functions.includes(item)).sort(strongestFirst)
  const large = single.filter(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING).slice(0, SHOWN)
  // A single small step takes no more room with its name.
  const named = single.length === large.length + 1 ? single : large
  const steps = [prior, ...named, ...rest.filter(isSum).sort(strongestFirst)].map((item): Step => {
    const [head, reversed, why] = wordsOf(item, scores)
    const chance = 'otherwise' in item && item.otherwise !== undefined ? item.otherwise : undefined
    const otherwise = chance === undefined ? '' : `${chanceText(chance, scores.includes(concept))} ${reversed}`
    const hasInterval = item.kind === 'word' && item.low !== undefined && item.high !== undefined
    const interval = hasInterval && `${signed(item.low ?? 0)} to ${signed(item.high ?? 0)}`
    const named = why === undefined ? {label: head} : {label: `${head}: ${why}`, parts: [head, why] as const}
    return {...named, item, logOdds: item.logOdds, otherwise, ...(interval && {interval})}
  })
  let at = 0
  return [...steps, ...smallSteps(single.slice(named.length)), ...together(functions, 'function word')].map(step => {
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
  return Math.abs(totalOf(found)) >= WORTH_SHOWING ? found : []
}

/** The small steps, summed for and against separately if both sums matter, since they may nearly cancel. */
function smallSteps(items: readonly Contribution[]): Step[] {
  const sides = [
    ...together(
      items.filter(({logOdds}) => logOdds > 0),
      'smaller reason',
      ' for it'
    ),
    ...together(
      items.filter(({logOdds}) => logOdds <= 0),
      'smaller reason',
      ' against it'
    )
  ]
  const isEach = sides.length === 2 && sides.every(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING)
  return isEach ? sides : together(items, 'smaller reason')
}

function together(items: readonly Contribution[], noun: string, side = ''): Step[] {
  if (items.length === 0) return []
  return [{label: `${counted(items.length, noun)}${side}`, logOdds: totalOf(items), otherwise: ''}]
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

/** "97%", or "score 0.97" where nobody measured a share. */
export function chanceText(probability: number, isScore: boolean): string {
  return isScore ? `score ${probability.toFixed(2)}` : percent(probability)
}

/** What a step is called, its reversal, and why it counts where that is not the same for all of its kind. */
function wordsOf(
  item: Contribution,
  scores: readonly string[]
): readonly [head: string, reversed?: string | undefined, why?: string | undefined] {
  switch (item.kind) {
    case 'prior': {
      const {probability: p} = item
      return [p === undefined ? 'before anything is read' : `found in ${percent(p)} of all documents`]
    }
    case 'known': {
      const [state, other] = item.present ? ['present', 'absent'] : ['absent', 'present']
      return [`known: ${withoutControls(item.concept)} is ${state}`, `were it ${other}`]
    }
    case 'anchor':
      return item.fired ? ['its anchor fires', 'if it did not'] : ['its anchor does not fire', 'if it did']
    case 'word': {
      const name = `"${withoutControls(item.word)}"`
      return item.present ? [`${name} occurs`, 'without it'] : [`${name} does not occur`, 'if it did']
    }
    case 'concept': {
      const chance = chanceText(item.probability, scores.includes(item.concept))
      const reversed = `were it ${item.probability < 0.5 ? 'present' : 'absent'}`
      return [`${withoutControls(item.concept)} (${chance})`, reversed, conceptReasons(item)]
    }
    case 'exclusive':
      return [`it and ${item.others.map(withoutControls).join(', ')} exclude each other`]
    case 'members':
      return membersWords(item)
    case 'vote': {
      const {source, vote} = readVote(item.feature) ?? {source: item.feature, vote: '?'}
      return [`${withoutControls(source)} votes ${withoutControls(vote)}`, 'without it']
    }
    case 'no-vote':
      return ['nothing votes for it']
    case 'balance':
      return ['baseline of a typical document']
    case 'rest':
      return [restLabels[item.of](item.count)]
  }
}

/** The factor comes before names, which may be cut. */
function membersWords({fired, silent, logOdds}: Extract<Contribution, {kind: 'members'}>) {
  const sources = fired.flatMap(name => readVote(name)?.source ?? [])
  const isVotes = sources.length === fired.length
  const all = counted(fired.length + silent.length, isVotes ? 'source' : 'member')
  const [verb, verbs] = isVotes ? ['votes for it', 'vote for it'] : ['of its anchor matches', 'of its anchor match']
  const names = nameList(isVotes ? sources : fired)
  const head = `${fired.length} of ${all} ${fired.length === 1 ? verb : verbs}`
  return [head, undefined, `odds x ${factorText(exp(logOdds))} (${names})`] as const
}

function conceptReasons(item: Extract<Contribution, {kind: 'concept'}>): string | undefined {
  const {probability, fired, linked, sharedWords, logOdds} = item
  // A concept less probable here than usual leaves its words to this one.
  const accounts = probability >= 0.5 ? 'accounts' : logOdds > 0 ? 'hardly accounts' : 'could account'
  const words = sharedWords.map(word => `"${withoutControls(word)}"`).join(', ')
  const why = [
    fired ? 'its anchor fires' : '',
    linked ? 'linked in the network' : '',
    words === '' ? '' : `${accounts} for ${words}`
  ].filter(reason => reason !== '')
  return why.length > 0 ? why.join('; ') : undefined
}

const restLabels: Readonly<Record<RestKind, (count: number) => string>> = {
  'absent-words': count => `${counted(count, 'other word')} that ${count === 1 ? 'does' : 'do'} not occur`,
  'known-tags': count => counted(count, 'other known tag'),
  concepts: count => counted(count, 'other concept'),
  'concepts-jointly': () => 'joint effect of the other concepts'
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
