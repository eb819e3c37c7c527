import {grouped} from '../../../src/base/text/index.ts'
import type {PolytopeName} from '../../../src/learn/moments/index.ts'
import type {Markup} from '../../../src/use/report/index.ts'
import type {Run} from '../experiment.ts'
import {bulletList} from '../presentation.ts'
import {slowStepLimit, type TimingCell, type TimingResult} from './measure.ts'

export type TimingRun = Run<TimingCell, TimingResult>

/** Names of the polytopes in pictures and tables, from loose to tight. */
export const polytopeNames: ReadonlyMap<PolytopeName, string> = new Map([
  ['simplex', 'simplex'],
  ['local', 'local polytope'],
  ['cycle', 'cycle polytope'],
  ['marginal', 'marginal polytope']
])

/** Section 5.3.1, in seconds: "learning a model with 50 concept variables". */
export const paperSeconds: ReadonlyMap<PolytopeName, number> = new Map([
  ['simplex', 30],
  ['local', 519],
  ['marginal', 6073]
])
export const PAPER_CONCEPTS = 50

export type TimingSummary = ReturnType<typeof summarizeTiming>

export function summarizeTiming(runs: readonly TimingRun[]) {
  const learned = runs.filter(({cell}) => cell.task === 'learning').map(({cell}) => cell)
  const rising = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
  const concepts = rising(learned.map(cell => cell.concepts))
  const sizes = rising(learned.map(cell => cell.documents))
  const all = sizes[sizes.length - 1]
  const find = (task: TimingCell['task'], polytope: PolytopeName, count: number, documents = all) =>
    runs.find(
      ({cell}) =>
        cell.task === task && cell.polytope === polytope && cell.concepts === count && cell.documents === documents
    )?.result
  const distance = (count: number) => Math.abs(count - PAPER_CONCEPTS)
  return {
    /** Of the largest learning task. */
    documents: all,
    /** Numbers of concepts, ascending. */
    concepts,
    /** The number of concepts nearest to the paper's. */
    beside: concepts.reduce((best, count) => (distance(count) < distance(best) ? count : best)),
    counting: runs.find(({cell}) => cell.task === 'counting'),
    /** Numbers of documents, ascending. */
    sizes,
    learning: (polytope: PolytopeName, count: number, documents?: number) =>
      find('learning', polytope, count, documents),
    /** The paper's method. */
    slow: (polytope: PolytopeName, count: number) => find('conditional-gradient', polytope, count)
  }
}

const names = [...polytopeNames]
/** With four times the documents, less growth than this counts as none. */
const SMALL_GROWTH = 1.5

/** The paper's statements beside these times, and what was left out. */
export function timingFindings(summary: TimingSummary): Markup {
  const claims = [wholeClaim, orderClaim, growthClaim, slowClaim, countingClaim, notRun]
  const said = claims.map(claim => claim(summary)).filter(text => text !== undefined)
  return bulletList(said)
}

function wholeClaim({beside, documents, learning}: TimingSummary): string {
  const times = names.flatMap(([polytope, name]) => {
    const found = learning(polytope, beside)?.whole
    return found ? [`${seconds(found)} with the ${name}`] : []
  })
  const smaller = beside === PAPER_CONCEPTS ? '' : ` (the paper has ${PAPER_CONCEPTS})`
  return `Here a whole fit of ${beside} concepts${smaller} from the counts of ${grouped(documents)} documents takes ${times.join(', ')}.`
}

/** Whether time grows with tightness, for the polytopes that the paper timed. */
function orderClaim({beside, learning}: TimingSummary): string | undefined {
  const times = [...paperSeconds.keys()].flatMap(polytope => learning(polytope, beside)?.moments ?? [])
  if (times.length < paperSeconds.size) return undefined
  const isRising = times.every((time, at) => at === 0 || time > times[at - 1])
  const shown = `moment recovery alone takes ${times.map(seconds).join(', ')} with the simplex, the local and the marginal polytope`
  return isRising
    ? `Tighter constraints take longer, as in the paper: ${shown}.`
    : `Tighter constraints do not always take longer, unlike in the paper: ${shown}.`
}

/** The paper: time depends on the number of samples only when they are read for the first time. */
function growthClaim({concepts, sizes, learning}: TimingSummary): string {
  const all = concepts[concepts.length - 1]
  const [few, many] = [sizes[0], sizes[sizes.length - 1]]
  const grown = names.flatMap(([polytope, label]) => {
    const [before, after] = [few, many].map(documents => learning(polytope, all, documents)?.whole)
    return before && after ? [{label, ratio: after / before}] : []
  })
  const most = grown.reduce((largest, {ratio}) => Math.max(largest, ratio), 0)
  const verdict =
    most < SMALL_GROWTH
      ? 'so it hardly depends on their number'
      : most < many / few
        ? 'so it grows more slowly than they do'
        : 'so it grows as fast as they do, unlike in the paper'
  const shown = grown.map(({label, ratio}) => `${times(ratio)} as long with the ${label}`).join(', ')
  return `The paper says that time depends on the number of documents only when they are read for the first time. Here a fit of ${all} concepts from the counts of ${grouped(many)} documents instead of ${grouped(few)} takes ${shown}, ${verdict}.`
}

/** Our solver beside the paper's, on one machine. */
function slowClaim(summary: TimingSummary): string | undefined {
  const claims = (['local', 'marginal'] as const).flatMap(polytope => {
    const count = summary.concepts.filter(concepts => summary.slow(polytope, concepts) !== undefined).at(-1)
    return count === undefined ? [] : (slowText(summary, polytope, count) ?? [])
  })
  return claims.length === 0
    ? undefined
    : `The paper's method, conditional gradient, run here on the same counts: ${claims.join('; ')}.`
}

function slowText({slow, learning}: TimingSummary, polytope: PolytopeName, concepts: number): string | undefined {
  const [theirs, ours] = [slow(polytope, concepts), learning(polytope, concepts)]
  if (!theirs?.moments || !ours?.moments || theirs.gap === null || ours.gap === null) return undefined
  const isLimited = theirs.status === 'step-limit'
  const reached = isLimited ? `a gap that is still ${short(theirs.gap)} after its ${theirs.steps} steps` : 'its gap'
  const least = isLimited ? 'at least ' : ''
  return `${polytopeNames.get(polytope)} of ${concepts} concepts, ${seconds(theirs.moments)} to ${reached}, our solver ${seconds(ours.moments)} to a gap of ${short(ours.gap)}: ${least}${times(theirs.moments / ours.moments)} as fast`
}

function countingClaim({counting}: TimingSummary): string | undefined {
  const counted = counting?.result.whole
  if (counting === undefined || !counted) return undefined
  const {documents} = counting.cell
  const rate = Number((documents / counted).toPrecision(2))
  return `Counting, the one pass over the documents, takes ${seconds(counted)} for ${grouped(documents)} documents in memory: ${grouped(rate)} documents per second. Reading files and tokenising texts come before and are not included.`
}

function notRun(summary: TimingSummary): string | undefined {
  const {concepts, learning, slow} = summary
  const missing = (has: (polytope: PolytopeName, count: number) => unknown, polytope: PolytopeName) =>
    concepts.filter(count => has(polytope, count) === undefined)
  const left = [
    {what: 'the marginal polytope', counts: missing(learning, 'marginal')},
    {what: "the paper's method", counts: missing(slow, 'marginal')}
  ].filter(({counts}) => counts.length > 0)
  const texts = left.map(({what, counts}) => `${what} for ${counts.join(', ')} concepts`)
  return `Not run: ${[...texts, 'conditional gradient for the simplex, where the paper takes exponentiated gradient, and for the cycle polytope, which it does not time'].join('; ')}. The paper's method was stopped after ${slowStepLimit(1)} steps, or fewer for many concepts (${slowStepLimit(PAPER_CONCEPTS)} for ${PAPER_CONCEPTS}).`
}

/** A time has at most two meaningful digits. */
function seconds(value: number): string {
  return `${short(value)} s`
}

export function short(value: number): string {
  return value >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(2)))
}

export function times(ratio: number): string {
  return ratio >= 10 ? `${grouped(Number(ratio.toPrecision(2)))} times` : `${ratio.toPrecision(2)} times`
}
