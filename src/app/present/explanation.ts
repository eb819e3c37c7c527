import {exp} from '../../base/numeric/index.ts'
import {clipCells, counted, factorText, nameList, percent, withoutControls} from '../../base/text/index.ts'
import {type Model, wordNamer} from '../../learn/model/index.ts'
import {isFunctionWord, readVote} from '../../read/data/index.ts'
import {
  type Contribution,
  type Explanation,
  type RestKind,
  strongestFirst,
  totalOf
} from '../../use/prediction/index.ts'
import {type Block, column, kept, paragraph, tableOf} from './blocks.ts'

/** The steps from nothing to the log-odds of a concept, and where they are drawn. */
export interface Waterfall {
  /** The last one is all of them together. */
  readonly rows: readonly WaterfallRow[]
  readonly low: number
  readonly high: number
  /** Where log-odds are on a scale from 0 to 1; certainty is a little to the right of the rest. */
  place(logOdds: number): number
}

export interface WaterfallRow {
  readonly head: string
  /** Why the evidence counts, where that is not the same for all of its kind. */
  readonly why?: string | undefined
  /** The evidence; sums have none. */
  readonly item?: Contribution
  readonly logOdds: number
  readonly from: number
  readonly to: number
  readonly isWhole: boolean
  /** The probability if this piece of evidence were reversed, as text; empty if it cannot be. */
  readonly otherwise: string
  /** The 90% interval of the log-odds of a word, as text. */
  readonly interval?: string
}

type Step = Pick<WaterfallRow, 'head' | 'why' | 'item' | 'logOdds' | 'otherwise' | 'interval'>

/** Maximal number and minimal size of the steps shown; the others are summed up in one or two steps. */
const [SHOWN, WORTH_SHOWING] = [16, 0.05]

/** The prior, then all other evidence, strongest first; sums of small steps come last. */
export function waterfall({contributions, concept, scores, logOdds}: Explanation): Waterfall {
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
    return {head, why, item, logOdds: item.logOdds, otherwise, ...(interval && {interval})}
  })
  let at = 0
  const all = [...steps, ...smallSteps(single.slice(named.length)), ...together(functions, 'function word')]
  const rows = all.map((step): WaterfallRow => {
    const from = at
    at += step.logOdds
    return {...step, from, to: at, isWhole: false}
  })
  rows.push({head: 'together', logOdds, from: 0, to: logOdds, isWhole: true, otherwise: ''})
  return {rows, ...scaleOf(rows.map(({to}) => to))}
}

/** The scale of all steps and 0; what is certain has a place a little beyond them. */
function scaleOf(ends: readonly number[]): Pick<Waterfall, 'low' | 'high' | 'place'> {
  const finite = [0, ...ends.filter(Number.isFinite)]
  const [least, most] = [Math.min(...finite), Math.max(...finite)]
  const beyond = 0.25 * (most - least) + 1
  const low = ends.includes(Number.NEGATIVE_INFINITY) ? least - beyond : least
  const high = ends.includes(Number.POSITIVE_INFINITY) ? most + beyond : most
  return {low, high, place: value => (Math.max(low, Math.min(value, high)) - low) / Math.max(1e-9, high - low)}
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
  const side = (isFor: boolean, words: string) => {
    const own = items.filter(({logOdds}) => logOdds > 0 === isFor)
    return together(own, 'smaller reason', words)
  }
  const sides = [...side(true, ' for it'), ...side(false, ' against it')]
  const isEach = sides.length === 2 && sides.every(({logOdds}) => Math.abs(logOdds) >= WORTH_SHOWING)
  return isEach ? sides : together(items, 'smaller reason')
}

function together(items: readonly Contribution[], noun: string, side = ''): Step[] {
  if (items.length === 0) return []
  return [{head: `${counted(items.length, noun)}${side}`, logOdds: totalOf(items), otherwise: ''}]
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
  const why = kept([
    fired && 'its anchor fires',
    linked && 'linked in the network',
    words !== '' && `${accounts} for ${words}`
  ])
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
  if (!Number.isFinite(logOdds)) return 'certain'
  if (Math.abs(logOdds) < 0.005) return '0.00'
  return `${logOdds < 0 ? '-' : '+'}${Math.abs(logOdds).toFixed(2)}`
}

/** The label of a row in one line. */
export function rowLabel({head, why}: WaterfallRow): string {
  return why === undefined ? head : `${head}: ${why}`
}

/** Concepts named before the others are counted, and signs of a bar in a terminal. */
const [CONCEPTS, BAR_CELLS] = [8, 24]
/** Cells of a terminal beside the labels and the bars. */
const BESIDE = 42

/** The probable concepts of the document, the evidence for one of them as a waterfall in text of so many columns, and how it was computed. */
export function explanationBlocks(model: Model, explanation: Explanation, columns: number): Block[] {
  const {probability, logOdds, concept, scores} = explanation
  const isScore = scores.includes(concept)
  const {rows, place} = waterfall(explanation)
  const room = Math.max(24, columns - BAR_CELLS - BESIDE)
  return [
    paragraph(probableConcepts(model, explanation)),
    paragraph(`Why ${withoutControls(concept)}: ${chanceText(probability, isScore)}, log-odds ${signed(logOdds)}`),
    tableOf(rows, [
      column('evidence', row => clipCells(rowLabel(row), room)),
      column('log-odds', row => signed(row.logOdds).padStart('log-odds'.length)),
      column('', row => barText(place(row.from), place(row.to), place(0))),
      column(`${isScore ? 'score' : 'probability'} if reversed`, row => {
        return `${row.otherwise}${row.interval === undefined ? '' : ` (${row.interval})`}`
      })
    ]),
    paragraph(notes(model, explanation).join('\n'), 'quiet')
  ]
}

function probableConcepts({concepts}: Model, {posterior, scores}: Explanation): string {
  const ranked = concepts
    .map(({name}, i) => ({name, p: posterior.probabilities[i]}))
    .sort((a, b) => b.p - a.p)
    .filter(({p}, at) => at === 0 || p >= 0.01)
  const shown = ranked
    .slice(0, CONCEPTS)
    .map(({name, p}) => `${withoutControls(name)} ${chanceText(p, scores.includes(name))}`)
  const hidden = ranked.length - shown.length
  const more = hidden > 0 ? `, and ${hidden} more at ${chanceText(0.01, scores.length > 0)} or above` : ''
  return `Most probable concepts: ${shown.join(', ')}${more}`
}

/** A step as a row of signs; | marks even odds. */
function barText(from: number, to: number, zero: number): string {
  const cell = (share: number) => Math.round(share * (BAR_CELLS - 1))
  const [first, last] = [cell(Math.min(from, to)), cell(Math.max(from, to))]
  const cells = Array.from({length: BAR_CELLS}, (_, at): string => (at === cell(zero) ? '|' : ' '))
  for (let at = first; at <= last; at++) cells[at] = to < from ? '-' : '+'
  return cells.join('')
}

/** How to read the figures, and how they were computed. */
function notes({wordModel}: Model, {posterior: {certificate}, contributions}: Explanation): string[] {
  const first = 'Positive steps are evidence for the concept, negative ones against it; +0.7 doubles the odds.'
  if (certificate.method === 'exact') return [first, 'Computed exactly.']
  if (certificate.method !== 'weights') {
    const settled = certificate.status === 'step-limit' ? ', and did not fully converge' : ''
    return [first, `Computed by message passing, an approximation${settled}.`]
  }
  const hasFired = contributions.some(item => item.kind === 'anchor' && item.fired)
  const isClass = contributions.some(({kind}) => kind === 'exclusive')
  return kept([
    first,
    'Words, its anchor and other concepts add up; absent words do not count. The baseline subtracts the evidence of a typical document.',
    contributions.some(item => item.kind === 'word' && item.low !== undefined) &&
      'In brackets, the 90% interval of the step of a word.',
    contributions.some(({kind}) => kind === 'members') &&
      'The odds of members are compared with the average document where its anchor fires.',
    wordModel.kind === 'weights' &&
      hasFired &&
      !isClass &&
      `Its anchor fires: words count only ${percent(wordModel.firedShare)} of their weight, other concepts not at all.`
  ])
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
