import {exp, log, logit, type Rng, rng, sigmoid} from '../numeric/index.ts'
import {forwardSampler, logPrior} from './bayes-network.ts'
import {isPairNetwork, type Network, networkSize, type PairNetwork} from './pair-network.ts'

/** The normalising constant is summed exactly over up to this many states, and sampled beyond. */
const MAX_ENUMERATED_STATES = 2 ** 16
/** The number of draws from a directed network by which its normalising constant is estimated. */
const DRAWS = 20_000
/** The numbers of chains and of temperatures of annealed importance sampling. */
const ANNEALED_CHAINS = 200
const TEMPERATURES = 200
/** P(no class) is at least this, even if the prevalences add up to nearly 1 or more. */
const MIN_NONE = 0.01

/** Computes log P(y) for many assignments y. */
export interface LogPrior {
  of(y: ArrayLike<number>): number
  /** The standard error of the logarithm of the normalising constant; 0 if the constant is exact. */
  readonly standardError: number
}

/** Concepts of which exactly one is present in a document, or at most one, with their prevalences. */
export interface ExclusiveClasses {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
  readonly prevalence: readonly number[]
}

/**
 * Returns what must be added to the log-odds of each class alone, logit(p) + evidence, to compare it with the other classes. The sum
 * is log(p) + evidence if exactly one class holds, and log(p / P(none)) + evidence, against 0 for none, if at most one does. Without
 * evidence the classes then have their prevalences.
 */
export function classShifts({prevalence, atMostOne}: ExclusiveClasses): number[] {
  const none = Math.max(MIN_NONE, 1 - prevalence.reduce((sum, p) => sum + p, 0))
  return prevalence.map(p => log(1 - p) - (atMostOne ? log(none) : 0))
}

/** Concepts that are sampled together: the classes of an exclusive group, or a single concept as a group of at most one. */
interface Block {
  readonly concepts: readonly number[]
  readonly atMostOne: boolean
}

/**
 * Prepares log P(y) for many y. Groups of classes restrict y to allowed states; log P of any other state is -Infinity. P(y) is
 * proportional to the P(y) of the network times exp of the {@link classShifts} of the classes present. Its normalising constant Z is
 * a sum over up to 65,536 states. For more states it is estimated: for a pair network by annealed importance sampling (Neal 2001)
 * that starts from independent blocks, for a directed network with groups by draws from the network.
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
  const logWeightOf = (y: ArrayLike<number>) => {
    let sum = isPairs ? pairLogWeight(network, y) : logPrior(network, y)
    for (let i = 0; i < m; i++) if (y[i]) sum += shift[i]
    return sum
  }
  const states = blocks.reduce((product, {concepts, atMostOne}) => product * (concepts.length + (atMostOne ? 1 : 0)), 1)
  const random = rng(0).stream('log Z')
  const {logZ, standardError} =
    states <= MAX_ENUMERATED_STATES
      ? {logZ: exactLogZ(blocks, logWeightOf, m), standardError: 0}
      : isPairs
        ? annealedLogZ(network, blocks, shift, random)
        : drawnLogZ(forwardSampler(network, random), blocks, shift)
  return {of: y => (isAllowed(groups, y) ? logWeightOf(y) - logZ : Number.NEGATIVE_INFINITY), standardError}
}

/** Returns log P(y) + log Z of a pair network without groups: the sum of the biases and couplings of the concepts present. */
function pairLogWeight({biases, couplings}: PairNetwork, y: ArrayLike<number>): number {
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

function exactLogZ(blocks: readonly Block[], logWeightOf: (y: Uint8Array) => number, m: number): number {
  const logWeights: number[] = []
  const y = new Uint8Array(m)
  const visit = (at: number): void => {
    if (at === blocks.length) {
      logWeights.push(logWeightOf(y))
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
  return logSum(logWeights)
}

/** Returns the logarithm of the sum of exp(value) over all values. */
export function logSum(values: readonly number[]): number {
  const top = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  return top === Number.NEGATIVE_INFINITY ? top : top + log(values.reduce((sum, value) => sum + exp(value - top), 0))
}

/** Returns the logarithm of the mean of exp(value) over all values, and its standard error. */
function logMean(values: readonly number[]): {readonly logZ: number; readonly standardError: number} {
  const logZ = logSum(values) - log(values.length)
  if (logZ === Number.NEGATIVE_INFINITY) return {logZ, standardError: Number.POSITIVE_INFINITY}
  const square = values.reduce((sum, value) => sum + (exp(value - logZ) - 1) ** 2, 0) / (values.length - 1)
  return {logZ, standardError: Math.sqrt(square / values.length)}
}

/** Estimates Z as the mean over draws from the network of exp(the shifts of the classes present), or 0 for states not allowed. */
function drawnLogZ(draw: (y: Uint8Array) => void, groups: readonly Block[], shift: Float64Array) {
  const y = new Uint8Array(shift.length)
  return logMean(
    Array.from({length: DRAWS}, () => {
      draw(y)
      return isAllowed(groups, y) ? y.reduce((sum, on, i) => sum + on * shift[i], 0) : Number.NEGATIVE_INFINITY
    })
  )
}

/** Estimates log Z by importance weights of chains, whose target moves in small steps from independent blocks to the network. */
function annealedLogZ(network: PairNetwork, blocks: readonly Block[], shift: Float64Array, random: Rng) {
  const {prevalence: p, biases, couplings} = network
  const m = p.length
  const independent = p.map((prevalence, i) => logit(prevalence) + shift[i])
  /** The sum of the couplings of each concept to the concepts present. */
  const field = new Float64Array(m)
  const y = new Uint8Array(m)
  const set = (i: number, on: number) => {
    if (y[i] === on) return
    y[i] = on
    for (let k = 0; k < m; k++) field[k] += (2 * on - 1) * couplings[k * m + i]
  }
  const redraw = ({concepts, atMostOne}: Block, inverseTemperature: number) => {
    const target = (i: number) => biases[i] + shift[i] + field[i]
    const logWeightOf = (i: number) => (1 - inverseTemperature) * independent[i] + inverseTemperature * target(i)
    if (concepts.length === 1 && atMostOne)
      return set(concepts[0], random.next() < sigmoid(logWeightOf(concepts[0])) ? 1 : 0)
    for (const i of concepts) set(i, 0)
    const logWeights = concepts.map(logWeightOf)
    const total = logSum(atMostOne ? [0, ...logWeights] : logWeights)
    let rest = random.next()
    const chosen = concepts.find((_, at) => {
      rest -= exp(logWeights[at] - total)
      return rest < 0
    })
    if (chosen !== undefined) set(chosen, 1)
    // Rounding may leave a little of `rest` after the last class.
    else if (!atMostOne) set(concepts[concepts.length - 1], 1)
  }
  const ratio = logMean(
    Array.from({length: ANNEALED_CHAINS}, () => {
      for (const block of blocks) redraw(block, 0)
      let logWeight = 0
      for (let t = 1; t <= TEMPERATURES; t++) {
        // Each coupling of two concepts that are present is in the fields of both, so half of a field counts.
        for (let i = 0; i < m; i++) if (y[i]) logWeight += (biases[i] - logit(p[i]) + field[i] / 2) / TEMPERATURES
        for (const block of blocks) redraw(block, t / TEMPERATURES)
      }
      return logWeight
    })
  )
  const logZOfBlocks = blocks.reduce(
    (sum, {concepts, atMostOne}) => sum + logSum([...concepts.map(i => independent[i]), ...(atMostOne ? [0] : [])]),
    0
  )
  return {...ratio, logZ: ratio.logZ + logZOfBlocks}
}
