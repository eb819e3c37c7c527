import {type ConceptTables, completedGraph, isMarkovEquivalent, networkTable} from '../../src/base/network/index.ts'
import {rng} from '../../src/base/numeric/index.ts'
import {allRates, recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {searchByTests} from '../../src/learn/structure/degree.ts'
import {bicScores, parameterCount, type StructureScore, searchExact} from '../../src/learn/structure/index.ts'
import type {KnownNetwork} from './structure-recovery-networks.ts'
import {type AnchorNoise, countsOfCells, drawCells, projected, throughAnchors} from './structure-recovery-sample.ts'

type Graph = readonly (readonly number[])[]

/** How a graph is learned: from which tables, and by which score or test. `hidden` observes the concepts themselves. */
export const rules = [
  'hidden',
  'simplex, BIC',
  'simplex, penalty 1',
  'simplex, noise-aware',
  'local, BIC',
  'local, noise-aware',
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

/** Independence tests use tables of at most six concepts. */
const MOST_DEGREE = 4

/** All rules on one sample: anchors drawn from P(A), and apart from it as many concepts drawn from P(Y). */
export async function measureSample(
  known: KnownNetwork,
  noise: AnchorNoise,
  documents: number,
  seed: number
): Promise<Recovery[]> {
  const {name, network, maxParents, maxDegree} = known
  const m = network.parents.length
  const random = rng(seed).stream(`${name} ${noise.truePositive} ${documents}`)
  const joint = networkTable(network, [...network.parents.keys()])
  const hidden = drawCells(joint, documents, random.stream('concepts'))
  const counts = countsOfCells(drawCells(throughAnchors(joint, noise), documents, random.stream('anchors')), noise)
  const estimated = estimateNoise(counts, 'given')
  const rates = allRates(estimated)
  const tablesOf = async (polytope: 'simplex' | 'local') => (await recoverMoments(counts, estimated, {polytope})).table
  const simplex = await tablesOf('simplex')
  const local = await tablesOf('local')
  const learned = (table: ConceptTables, score: StructureScore, penalty = 0.5) => {
    const parameters = parameterCount(score, table, rates)
    return searchExact(bicScores(table, m, documents, {maxParents, penalty, parameters})).parents
  }
  const graphs: Readonly<Record<Rule, () => Graph>> = {
    hidden: () => learned(concepts => projected(hidden, concepts), 'bic'),
    'simplex, BIC': () => learned(simplex, 'bic'),
    'simplex, penalty 1': () => learned(simplex, 'bic', 1),
    'simplex, noise-aware': () => learned(simplex, 'noise-aware'),
    'local, BIC': () => learned(local, 'bic'),
    'local, noise-aware': () => learned(local, 'noise-aware'),
    degree: () => {
      const names = rates.map((_, i) => String(i))
      return searchByTests(
        {moments: {table: simplex, sampleCount: documents}, names, constraints: {}, control: {}},
        maxDegree,
        rates
      ).parents
    }
  }
  const fitting = rules.filter(rule => rule !== 'degree' || maxDegree <= MOST_DEGREE)
  return fitting.map(rule => {
    const {truePositive} = noise
    return {network: name, truePositive, documents, seed, rule, ...compared(graphs[rule](), network.parents)}
  })
}

export function compared(found: Graph, truth: Graph): Pick<Recovery, 'right' | 'distance' | 'missing' | 'extra'> {
  const [a, b] = [linksOf(found), linksOf(truth)]
  const missing = [...b.keys()].filter(pair => !a.has(pair)).length
  const extra = [...a.keys()].filter(pair => !b.has(pair)).length
  const turned = [...a].filter(([pair, link]) => b.has(pair) && b.get(pair) !== link).length
  return {right: isMarkovEquivalent(found, truth), distance: missing + extra + turned, missing, extra}
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
