import {exp, log, logit, type Rng, rng, sigmoid} from '../numeric/index.ts'
import {forwardSampler, logPrior} from './bayes-network.ts'
import {isPairNetwork, type Network, networkSize, type PairNetwork} from './pair-network.ts'

/** Up to this many states the constant is a sum; beyond, it is sampled. */
const ENUMERATED = 2 ** 16
/** Draws from a directed graph; chains and temperatures of annealing. */
const DRAWS = 20_000
const CHAINS = 200
const TEMPERATURES = 200
/** P(no class) is at least this, even if the prevalences add up to nearly 1 or more. */
const MIN_NONE = 0.01

/** log P(y), with the standard error of its constant: 0 where that is exact. */
export interface LogPrior {
  of(y: ArrayLike<number>): number
  readonly standardError: number
}

/** Concepts of which exactly one holds, or at most one, with their prevalences. */
export interface ExclusiveClasses {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
  readonly prevalence: readonly number[]
}

/**
 * Returns what is added to the log-odds of each class by itself, logit p + evidence, to compare classes: ln p + evidence where
 * exactly one holds, ln p / P(none) + evidence, with none at 0, where at most one does. Without evidence the prevalences remain.
 */
export function classShifts({prevalence, atMostOne}: ExclusiveClasses): number[] {
  const none = Math.max(MIN_NONE, 1 - prevalence.reduce((sum, p) => sum + p, 0))
  return prevalence.map(p => log(1 - p) - (atMostOne ? log(none) : 0))
}

/**
 * One variable of annealing: a group of classes, or a single concept, treated as a group of one class that may be
 * absent.
 */
interface Block {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
}

/**
 * Prepares log P(y) for many y. Groups restrict it to the states that they allow, with -Infinity for others: P(y) of the network
 * times exp of the {@link classShifts} of classes that hold, over the sum of this over allowed states. That sum is exact for up
 * to 65,536 states. Beyond, annealed importance sampling (Neal 2001) from independent blocks finds it for pairs, draws from
 * the graph for a directed graph with groups, both with a standard error.
 */
export function createLogPrior(network: Network, groups: readonly ExclusiveClasses[] = []): LogPrior {
  const isPairs = isPairNetwork(network)
  if (!isPairs && groups.length === 0) return {of: y => logPrior(network, y), standardError: 0}
  const m = networkSize(network)
  const shift = new Float64Array(m)
  for (const group of groups) for (const [at, value] of classShifts(group).entries()) shift[group.concepts[at]] = value
  const isGrouped = new Set(groups.flatMap(({concepts}) => concepts))
  const blocks: Block[] = [...groups]
  for (let i = 0; i < m; i++) if (!isGrouped.has(i)) blocks.push({concepts: [i], atMostOne: true})
  const weightOf = (y: ArrayLike<number>) => {
    let sum = isPairs ? logWeight(network, y) : logPrior(network, y)
    for (let i = 0; i < m; i++) if (y[i]) sum += shift[i]
    return sum
  }
  const states = blocks.reduce((product, {concepts, atMostOne}) => product * (concepts.length + (atMostOne ? 1 : 0)), 1)
  const random = rng(0).stream('log Z')
  const {logZ, standardError} =
    states <= ENUMERATED
      ? {logZ: enumerated(blocks, weightOf, m), standardError: 0}
      : isPairs
        ? annealed(network, blocks, shift, random)
        : drawn(forwardSampler(network, random), blocks, shift)
  return {of: y => (isAllowed(groups, y) ? weightOf(y) - logZ : Number.NEGATIVE_INFINITY), standardError}
}

/** Returns log P(y) + log Z. */
function logWeight({biases, couplings}: PairNetwork, y: ArrayLike<number>): number {
  const m = biases.length
  let sum = 0
  for (let i = 0; i < m; i++) {
    if (!y[i]) continue
    sum += biases[i]
    for (let k = 0; k < i; k++) if (y[k]) sum += couplings[i * m + k]
  }
  return sum
}

function isAllowed(groups: readonly Block[], y: ArrayLike<number>): boolean {
  return groups.every(({concepts, atMostOne}) => {
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

/** Returns the logarithm of the sum of exp(values). */
export function logSum(values: readonly number[]): number {
  const top = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return top === Number.NEGATIVE_INFINITY ? top : top + log(values.reduce((sum, value) => sum + exp(value - top), 0))
}

/** Returns the logarithm of the mean of exp(values), with its standard error. */
function logMean(values: readonly number[]): {readonly logZ: number; readonly standardError: number} {
  const logZ = logSum(values) - log(values.length)
  if (logZ === Number.NEGATIVE_INFINITY) return {logZ, standardError: Number.POSITIVE_INFINITY}
  const square = values.reduce((sum, value) => sum + (exp(value - logZ) - 1) ** 2, 0) / (values.length - 1)
  return {logZ, standardError: Math.sqrt(square / values.length)}
}

function drawn(draw: (y: Uint8Array) => void, groups: readonly Block[], shift: Float64Array) {
  const y = new Uint8Array(shift.length)
  return logMean(
    Array.from({length: DRAWS}, () => {
      draw(y)
      return isAllowed(groups, y) ? y.reduce((sum, on, i) => sum + on * shift[i], 0) : Number.NEGATIVE_INFINITY
    })
  )
}

/** Estimates log Z from weights of chains that go from independent blocks to the network. */
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
    const weightOf = (i: number) => (1 - heat) * alone[i] + heat * (biases[i] + shift[i] + field[i])
    if (concepts.length === 1 && atMostOne)
      return set(concepts[0], random.next() < sigmoid(weightOf(concepts[0])) ? 1 : 0)
    for (const i of concepts) set(i, 0)
    const weights = concepts.map(weightOf)
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
