import {exp, log, logit, type Rng, rng} from '../numeric/index.ts'
import {forwardSampler, logPrior} from './bayes-network.ts'
import {
  createLogPrior,
  isPairNetwork,
  type LogPrior,
  logWeight,
  type Network,
  type PairNetwork
} from './pair-network.ts'

/** Concepts of which exactly one holds, or at most one, with their prevalences. */
export interface ExclusiveClasses {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
  readonly prevalence: readonly number[]
}

/** The probability of no class is at least this, where prevalences add up to more than leaves it. */
const LEAST_NONE = 0.01

/**
 * What is added to the log-odds of each class by itself, logit p + evidence, to compare classes: ln p + evidence where exactly
 * one holds, ln p / P(none) + evidence, with none at 0, where at most one does. Without evidence the prevalences remain.
 */
export function classShifts({prevalence, atMostOne}: ExclusiveClasses): number[] {
  const none = Math.max(LEAST_NONE, 1 - prevalence.reduce((sum, p) => sum + p, 0))
  return prevalence.map(p => log(1 - p) - (atMostOne ? log(none) : 0))
}

/** Up to this many states the constant is a sum; beyond, it is sampled. */
const ENUMERATED = 2 ** 16
const DRAWS = 20_000
const TEMPERATURES = 200
const CHAINS = 400

/**
 * log P(y) restricted to the states that the groups allow, -Infinity for others: P(y) of the network times exp of the
 * {@link classShifts} of classes that hold, over the sum of this over allowed states. That sum is exact for up to 65,536 states;
 * beyond, of pairs by annealed importance sampling in which a group moves as one variable, of directed graphs by draws
 * from the graph, both with a standard error.
 */
export function createExclusivePrior(network: Network, groups: readonly ExclusiveClasses[]): LogPrior {
  if (groups.length === 0) return createLogPrior(network)
  const m = isPairNetwork(network) ? network.biases.length : network.parents.length
  const shift = new Float64Array(m)
  for (const group of groups) for (const [at, value] of classShifts(group).entries()) shift[group.concepts[at]] = value
  const isGrouped = new Set(groups.flatMap(({concepts}) => concepts))
  const blocks: Block[] = [...groups]
  for (let i = 0; i < m; i++) if (!isGrouped.has(i)) blocks.push({concepts: [i], atMostOne: true})
  const weightOf = (y: ArrayLike<number>) => {
    let sum = isPairNetwork(network) ? logWeight(network, y) : logPrior(network, y)
    for (let i = 0; i < m; i++) if (y[i]) sum += shift[i]
    return sum
  }
  const states = blocks.reduce((product, {concepts, atMostOne}) => product * (concepts.length + (atMostOne ? 1 : 0)), 1)
  const random = rng(0).stream('log Z of groups')
  const {logZ, standardError} =
    states <= ENUMERATED
      ? {logZ: enumerated(blocks, weightOf, m), standardError: 0}
      : isPairNetwork(network)
        ? annealed(network, blocks, shift, random)
        : drawn(forwardSampler(network, random), blocks, shift)
  return {of: y => (isAllowed(blocks, y) ? weightOf(y) - logZ : Number.NEGATIVE_INFINITY), standardError}
}

/** A concept alone is a group of which it holds, or none. */
interface Block {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
}

function isAllowed(blocks: readonly Block[], y: ArrayLike<number>): boolean {
  return blocks.every(({concepts, atMostOne}) => {
    const present = concepts.filter(i => y[i]).length
    return present === 1 || (present === 0 && atMostOne)
  })
}

function enumerated(blocks: readonly Block[], weightOf: (y: Uint8Array) => number, m: number): number {
  const found: number[] = []
  const y = new Uint8Array(m)
  const visit = (at: number): void => {
    if (at === blocks.length) {
      found.push(weightOf(y))
      return
    }
    const {concepts, atMostOne} = blocks[at]
    if (atMostOne) visit(at + 1)
    for (const i of concepts) {
      y[i] = 1
      visit(at + 1)
      y[i] = 0
    }
  }
  visit(0)
  return logSum(found)
}

/** log of the sum of exp. */
export function logSum(values: readonly number[]): number {
  const top = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return top === Number.NEGATIVE_INFINITY ? top : top + log(values.reduce((sum, value) => sum + exp(value - top), 0))
}

/** log of the mean of exp, with the standard error of it. */
function logMean(values: readonly number[]): {readonly logZ: number; readonly standardError: number} {
  const logZ = logSum(values) - log(values.length)
  if (logZ === Number.NEGATIVE_INFINITY) return {logZ, standardError: Number.POSITIVE_INFINITY}
  const square = values.reduce((sum, value) => sum + (exp(value - logZ) - 1) ** 2, 0) / (values.length - 1)
  return {logZ, standardError: Math.sqrt(square / values.length)}
}

function drawn(draw: (y: Uint8Array) => void, blocks: readonly Block[], shift: Float64Array) {
  const y = new Uint8Array(shift.length)
  return logMean(
    Array.from({length: DRAWS}, () => {
      draw(y)
      return isAllowed(blocks, y) ? y.reduce((sum, on, i) => sum + on * shift[i], 0) : Number.NEGATIVE_INFINITY
    })
  )
}

/** Neal (2001), from independent blocks to the network. */
function annealed(network: PairNetwork, blocks: readonly Block[], shift: Float64Array, random: Rng) {
  const {prevalence: p, biases, couplings} = network
  const m = p.length
  const alone = p.map((share, i) => logit(share) + shift[i])
  const field = new Float64Array(m)
  const y = new Uint8Array(m)
  const set = (i: number, on: number) => {
    if (y[i] === on) return
    y[i] = on
    for (let k = 0; k < m; k++) field[k] += (2 * on - 1) * couplings[k * m + i]
  }
  const redraw = ({concepts, atMostOne}: Block, heat: number) => {
    for (const i of concepts) set(i, 0)
    const weights = concepts.map(i => (1 - heat) * alone[i] + heat * (biases[i] + shift[i] + field[i]))
    const total = logSum(atMostOne ? [0, ...weights] : weights)
    let left = random.next()
    const chosen = concepts.find((_, at) => {
      left -= exp(weights[at] - total)
      return left < 0
    })
    if (chosen !== undefined) set(chosen, 1)
    else if (!atMostOne) set(concepts[concepts.length - 1], 1)
  }
  const found = logMean(
    Array.from({length: CHAINS}, () => {
      for (const block of blocks) redraw(block, 0)
      let weight = 0
      for (let t = 1; t <= TEMPERATURES; t++) {
        for (let i = 0; i < m; i++) if (y[i]) weight += (biases[i] - logit(p[i]) + field[i] / 2) / TEMPERATURES
        for (const block of blocks) redraw(block, t / TEMPERATURES)
      }
      return weight
    })
  )
  const start = blocks.reduce(
    (sum, {concepts, atMostOne}) => sum + logSum([...concepts.map(i => alone[i]), ...(atMostOne ? [0] : [])]),
    0
  )
  return {...found, logZ: found.logZ + start}
}
