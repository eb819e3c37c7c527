import {AdfaError, badOption} from '../../base/checks/index.ts'
import {type BayesNetwork, networkTable} from '../../base/network/index.ts'
import {exp, logit, type Rng, randomIndex, shuffled, sigmoid} from '../../base/numeric/index.ts'

export type Range = readonly [low: number, high: number]

export interface NetworkOptions {
  readonly concepts: number
  readonly structure: 'independent' | 'tree' | `indegree:${number}`
  readonly prevalence: Range
  /** Natural logarithm of the odds ratio of one parent; negative for concepts that exclude each other. */
  readonly edgeStrength: Range
}

/** A table has a row for every state of the parents. */
const MOST_PARENTS = 8

export interface DrawnNetwork extends BayesNetwork {
  readonly prevalence: readonly number[]
}

/**
 * A random network whose concepts have the prevalences that were drawn for them, exactly.
 *
 * `tree`: each concept has one earlier parent, all equally likely. On an edge the prevalences p, q of both ends and the
 * odds ratio w are given; Plackett's
 *   P(1, 1) = (s - sqrt(s^2 - 4 w (w - 1) p q)) / (2 (w - 1)),  s = 1 + (p + q)(w - 1)
 * is the one table that has all three.
 *
 * `indegree:K`: 1 to K earlier parents, all equally likely, of one odds ratio each when alone. Several that are present
 * together count for something between the strongest alone and the sum of all: log-odds that merely add would leave rare
 * parents independent given their child, without explaining away. `indegree:1` is `tree`.
 * Cost: O(m), and for `indegree:K` an exact table of P(parents) per concept.
 */
export function randomNetwork(options: NetworkOptions, random: Rng): DrawnNetwork {
  const {concepts, structure, prevalence, edgeStrength} = options
  const p = Array.from({length: concepts}, () => between(prevalence, random))
  const limit = parentLimit(structure)
  if (limit === 0) return {parents: p.map(() => []), cpt: p.map(pi => Float64Array.of(pi)), prevalence: p}
  return limit === 1 ? randomTree(p, edgeStrength, random) : randomGraph(p, limit, edgeStrength, random)
}

/** The largest number of parents of a concept; refuses an unknown structure. */
export function parentLimit(structure: string): number {
  if (structure === 'independent') return 0
  if (structure === 'tree') return 1
  const limit = Number(/^indegree:([1-9]\d*)$/.exec(structure)?.[1])
  if (!(limit <= MOST_PARENTS))
    throw badOption(
      'randomModel',
      'structure',
      `"independent", "tree" or "indegree:K" with K from 1 to ${MOST_PARENTS}`,
      structure
    )
  return limit
}

function randomTree(p: readonly number[], edgeStrength: Range, random: Rng): DrawnNetwork {
  const parents = p.map((_, i) => (i === 0 ? [] : [randomIndex(random, i)]))
  const cpt = p.map((pi, i) => {
    if (i === 0) return Float64Array.of(pi)
    const q = p[parents[i][0]]
    const both = plackett(pi, q, exp(between(edgeStrength, random)))
    return Float64Array.of((pi - both) / (1 - q), both / q)
  })
  // The prevalences of the tables: p, except for the last digit.
  const tables: [absent: number, present: number][] = []
  cpt.forEach(([none, one], i) => {
    const [q0, q1] = i === 0 ? [1, 0] : tables[parents[i][0]]
    tables.push(i === 0 ? [1 - none, none] : [q0 * (1 - none) + q1 * (1 - one), q0 * none + q1 * one])
  })
  return {parents, cpt, prevalence: tables.map(([, present]) => present)}
}

function plackett(p: number, q: number, w: number): number {
  if (Math.abs(w - 1) < 1e-6) return p * q
  const s = 1 + (p + q) * (w - 1)
  return (s - Math.sqrt(s * s - 4 * w * (w - 1) * p * q)) / (2 * (w - 1))
}

function randomGraph(p: readonly number[], limit: number, edgeStrength: Range, random: Rng): DrawnNetwork {
  const parents: number[][] = []
  const cpt: Float64Array[] = []
  for (const pi of p) {
    const earlier = parents.map((_, k) => k)
    const family = shuffled(earlier, random).slice(0, 1 + randomIndex(random, limit))
    const shares = exactTable({parents, cpt}, family, limit)
    parents.push(family)
    cpt.push(withPrevalence(pi, shares, jointStrengths(family.length, edgeStrength, random)))
  }
  return {parents, cpt, prevalence: p}
}

function exactTable(network: BayesNetwork, family: readonly number[], limit: number): Float64Array {
  try {
    return networkTable(network, family)
  } catch (cause) {
    if (!(cause instanceof AdfaError)) throw cause
    throw refusal(
      `concepts with up to ${limit} parents are too entangled for exact prevalences, from number ${network.parents.length + 1} on; ask for fewer concepts, or for fewer parents`
    )
  }
}

/** The log odds ratio of every state of the parents against all absent. */
function jointStrengths(count: number, edgeStrength: Range, random: Rng): Float64Array {
  const alone = Array.from({length: count}, () => between(edgeStrength, random))
  return Float64Array.from({length: 2 ** count}, (_, s) => {
    const present = alone.filter((_, at) => (s >> (count - 1 - at)) & 1)
    const sum = present.reduce((total, strength) => total + strength, 0)
    if (present.length < 2) return sum
    const strongest = present.reduce((top, strength) => (Math.abs(strength) > Math.abs(top) ? strength : top))
    return strongest + between([0, 1], random) * (sum - strongest)
  })
}

/** sigmoid(base + strength) per state, with the base, found by bisection, that gives prevalence p. */
function withPrevalence(p: number, shares: Float64Array, strengths: Float64Array): Float64Array {
  let low = logit(p) - strengths.reduce((top, strength) => Math.max(top, strength))
  let high = logit(p) - strengths.reduce((top, strength) => Math.min(top, strength))
  for (let halving = 0; halving < 60; halving++) {
    const base = (low + high) / 2
    const reached = shares.reduce((sum, share, s) => sum + share * sigmoid(base + strengths[s]), 0)
    if (reached < p) low = base
    else high = base
  }
  return strengths.map(strength => sigmoid((low + high) / 2 + strength))
}

export function between([low, high]: Range, random: Rng): number {
  return low + (high - low) * random.next()
}

export function refusal(fault: string): AdfaError {
  return new AdfaError('bad-option', `randomModel: ${fault}`)
}
