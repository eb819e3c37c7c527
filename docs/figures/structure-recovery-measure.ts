import type {Counts} from '../../src/counts/index.ts'
import {recoverMoments, recoverTable} from '../../src/moments/index.ts'
import {estimateNoise, type NoiseRates} from '../../src/noise/index.ts'
import {rng} from '../../src/numeric/index.ts'
import {
  bicScores,
  type ConceptTables,
  completedGraph,
  type FamilyScores,
  markovEquivalent,
  networkTable,
  searchExact
} from '../../src/structure/index.ts'
import {searchDegree} from '../../src/structure/search-degree.ts'
import type {KnownNetwork} from './structure-recovery-networks.ts'
import {type AnchorNoise, countsOfCells, drawCells, projected, throughAnchors} from './structure-recovery-sample.ts'
import {noisyParameters, rateScores, varianceScores} from './structure-recovery-scores.ts'

type Graph = readonly (readonly number[])[]

/** How a graph is learned: from which tables, and by which score or test. `hidden` sees the concepts themselves. */
export const rules = [
  'hidden',
  'simplex, BIC',
  'simplex, penalty 1',
  'simplex, effective N',
  'simplex, rates',
  'simplex, variance',
  'local, BIC',
  'local, rates',
  'local, variance',
  'degree'
] as const
export type Rule = (typeof rules)[number]

/** One graph learned from one sample. */
export interface Recovery {
  readonly network: string
  readonly truePositive: number
  readonly documents: number
  readonly seed: number
  readonly rule: Rule
  /** Is it Markov-equivalent to the true one? */
  readonly right: boolean
  /** Pairs of concepts that the completed graphs join differently. */
  readonly distance: number
  readonly missing: number
  readonly extra: number
}

/** Tables of six concepts are the largest that tests of independence are tried on. */
const MOST_DEGREE = 4

/** All rules on one sample: anchors drawn from P(A), and apart from it as many concepts drawn from P(Y). */
export function measureSample(known: KnownNetwork, noise: AnchorNoise, documents: number, seed: number): Recovery[] {
  const {name, network, maxParents, maxDegree} = known
  const m = network.parents.length
  const random = rng(seed).stream(`${name} ${noise.truePositive} ${documents}`)
  const joint = networkTable(network, [...network.parents.keys()])
  const hidden = drawCells(joint, documents, random.stream('concepts'))
  const counts = countsOfCells(drawCells(throughAnchors(joint, noise), documents, random.stream('anchors')), noise)
  const rates = estimateNoise(counts, 'given')
  const simplex = recoveredTables(counts, rates, 'simplex')
  const local = recoveredTables(counts, rates, 'local')
  const bic = (tables: ConceptTables, count = documents, penalty = 0.5) =>
    best(bicScores(tables, m, count, {maxParents, penalty}))
  const options = {maxParents, penalty: 0.5}
  const byRates = (tables: ConceptTables) => best(rateScores(tables, rates, documents, options))
  const byVariance = (tables: ConceptTables) => best(varianceScores(tables, rates, documents, options))
  const graphs: Readonly<Record<Rule, () => Graph>> = {
    hidden: () => bic(concepts => projected(hidden, concepts)),
    'simplex, BIC': () => bic(simplex),
    'simplex, penalty 1': () => bic(simplex, documents, 1),
    'simplex, effective N': () => bic(simplex, effectiveCount(documents, rates)),
    'simplex, rates': () => byRates(simplex),
    'simplex, variance': () => byVariance(simplex),
    'local, BIC': () => bic(local),
    'local, rates': () => byRates(local),
    'local, variance': () => byVariance(local),
    degree: () => byTests(simplex, rates, documents, maxDegree)
  }
  const fitting = rules.filter(rule => rule !== 'degree' || maxDegree <= MOST_DEGREE)
  return fitting.map(rule => {
    const {truePositive} = noise
    return {network: name, truePositive, documents, seed, rule, ...compared(graphs[rule](), network.parents)}
  })
}

/** Tables to order 3 in a polytope, and larger ones alone over the simplex. */
function recoveredTables(counts: Counts, rates: NoiseRates, polytope: 'simplex' | 'local'): ConceptTables {
  const moments = recoverMoments(counts, rates, {order: 3, polytope})
  const larger = new Map<string, Float64Array>()
  return concepts => {
    if (concepts.length <= 3) return moments.table(concepts)
    const name = concepts.join()
    const table = larger.get(name) ?? recoverTable(counts, rates, {latents: concepts}).mu
    larger.set(name, table)
    return table
  }
}

function best(scores: FamilyScores): Graph {
  return searchExact(scores).parents
}

/** Tests on recovered tables, told the true degree. */
function byTests(tables: ConceptTables, rates: NoiseRates, sampleCount: number, maxDegree: number): Graph {
  const m = rates.prevalence.length
  const names = Array.from({length: m}, (_, i) => String(i))
  const channels = names.map((_, i) => ({truePositive: rates.truePositive[i], falsePositive: rates.falsePositive[i]}))
  return searchDegree(tables, m, {names, channels, sampleCount, maxDegree}).parents
}

/** N over how much noisier than a seen one a recovered interaction of two typical, independent concepts is. */
function effectiveCount(documents: number, rates: NoiseRates): number {
  const logs = Array.from(rates.prevalence, (p, i) =>
    Math.log(noisyParameters([1 - p, p], [i], rates, Number.POSITIVE_INFINITY))
  )
  return Math.max(2, documents / Math.exp((2 * logs.reduce((sum, value) => sum + value, 0)) / logs.length))
}

export function compared(found: Graph, truth: Graph): Pick<Recovery, 'right' | 'distance' | 'missing' | 'extra'> {
  const [a, b] = [linksOf(found), linksOf(truth)]
  const missing = [...b.keys()].filter(pair => !a.has(pair)).length
  const extra = [...a.keys()].filter(pair => !b.has(pair)).length
  const turned = [...a].filter(([pair, link]) => b.has(pair) && b.get(pair) !== link).length
  return {right: markovEquivalent(found, truth), distance: missing + extra + turned, missing, extra}
}

/** The pairs that the completed graph joins, lower number first, with the child's number if the edge has a direction. */
function linksOf(graph: Graph): Map<string, number> {
  const {directed, undirected} = completedGraph(graph)
  const pair = (i: number, k: number) => `${Math.min(i, k)} ${Math.max(i, k)}`
  return new Map([
    ...directed.map(([parent, child]): [string, number] => [pair(parent, child), child]),
    ...undirected.map(([i, k]): [string, number] => [pair(i, k), -1])
  ])
}
