import {AdfaError} from '../../base/checks/index.ts'
import {findCycle, maximumSpanningTree, type Parents} from '../../base/network/index.ts'
import {log, mutualInformation} from '../../base/numeric/index.ts'
import {counted} from '../../base/text/index.ts'
import type {Moments} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {type EdgeConstraints, familyFilter} from './edge-constraints.ts'
import {type BicOptions, bicScore, bicScores, type FamilyScores, pruneFamilies} from './family-scores.ts'
import {familyProbabilities, isAttractive} from './network-from-moments.ts'
import type {DegreeCertificate} from './search-degree.ts'
import {type SearchControl, type SearchOptions, searchGraph} from './search-graph.ts'
import type {GraphSearch} from './search-result.ts'

/** What every way to find a graph needs. */
export interface GraphTask {
  readonly moments: Moments
  readonly rules: GraphRules
  readonly search: SearchOptions
  readonly control: SearchControl
}

/** Rules for the graph, whatever its structure. */
interface GraphRules {
  /** The names of the concepts, for errors. */
  readonly names: readonly string[]
  readonly constraints: EdgeConstraints
  /** No parent may make its child rarer, whatever the other parents are. */
  readonly attractive: boolean
}

/** A graph and how it was found. */
export interface FoundGraph {
  readonly parents: Parents
  readonly method: GraphSearch['method'] | 'chow-liu' | 'independence-tests' | 'known' | 'custom'
  readonly status: GraphSearch['status'] | 'tested' | 'known' | 'custom'
  /** What the search maximises, if it has a score. */
  readonly score?: number
  /** Proven: no allowed graph scores more than `score + gap`. */
  readonly gap?: number
  readonly steps?: number
  /** How many families it was chosen from. */
  readonly families?: number
  /** The certificate of the independence tests. */
  readonly tests?: DegreeCertificate & {
    /** Edges dropped under `attractive`: their parent makes the child rarer in some setting of the other parents. */
    readonly droppedForSign: number
  }
}

/** The most scored families to hold: some 100 bytes each. */
const mostFamilies = 5e6

/** A graph that is known beforehand, if it keeps the rules. */
export function checkGraph({moments, rules}: GraphTask, parents: Parents): FoundGraph {
  const {names} = rules
  const cycle = findCycle(parents)
  if (cycle !== undefined)
    throw new AdfaError(
      'bad-option',
      `the known graph has a cycle: ${[...cycle, cycle[0]].map(i => `"${names[i]}"`).join(' -> ')}; remove one of its edges`
    )
  const admits = ruleFilter(moments, rules)
  const broken = parents.findIndex((list, child) => !admits(child, list))
  if (broken >= 0)
    throw new AdfaError(
      'bad-option',
      `the graph is known, and the parents of "${names[broken]}" in it break the rules of \`edges\` or \`attractive\`; ` +
        'drop these rules, or learn the structure'
    )
  return {parents, method: 'known', status: 'known'}
}

/**
 * The tree of greatest mutual information. Without rules that of Chow and Liu, rooted at the commonest concept; with rules
 * a search over families of one parent, which may find a forest.
 */
export async function findTree(task: GraphTask): Promise<FoundGraph> {
  const {moments, rules} = task
  if (areFree(rules)) {
    const tree = chowLiuTree(moments, commonest(moments))
    return {...tree, gap: 0, status: 'optimal', method: 'chow-liu'}
  }
  // Scored for all documents, as BIC is: the search ignores differences below a millionth.
  const {sampleCount: N, conceptCount: m} = moments
  const admits = ruleFilter(moments, rules)
  const scores = Array.from({length: m}, (_, child) =>
    Array.from({length: m}, (_, k) => (k === child ? [] : [k]))
      .filter(parents => admits(child, parents))
      .map(parents => ({
        parents,
        score: parents.length === 0 ? 0 : N * mutualInformation(moments.pair(parents[0], child))
      }))
  )
  const found = await searchFamilies(task, pruneFamilies(scores), 1)
  return {...found, score: found.score / N, gap: found.gap / N}
}

/** The graph of best BIC score with at most `maxParents` parents per concept. */
export async function findBounded(task: GraphTask, bic: Omit<BicOptions, 'admits'>): Promise<FoundGraph> {
  const {moments, rules} = task
  const {maxParents} = bic
  const m = moments.conceptCount
  if (maxParents === 1 && areFree(rules)) return bestForest(moments, bic)
  const families = familyCount(m, maxParents)
  if (families > mostFamilies)
    throw new AdfaError(
      'bad-option',
      `${m} concepts have ${families.toExponential(1)} families of at most ${maxParents} parents, more than ` +
        `${mostFamilies.toExponential(0)}; allow fewer parents`
    )
  const admits = ruleFilter(moments, rules)
  const scores = bicScores(moments.table, m, moments.sampleCount, {...bic, admits})
  return searchFamilies(task, scores, maxParents)
}

/** The graph of at most `maxDegree` neighbours per concept that independence tests find. */
export async function findByTests(
  {moments, rules, control}: GraphTask,
  maxDegree: number,
  rates: readonly Rates[]
): Promise<FoundGraph> {
  const {signal, onProgress} = control
  const {searchDegree} = await import('./search-degree.ts')
  const {parents, certificate} = searchDegree(
    moments.table,
    moments.conceptCount,
    {...rules, rates, sampleCount: moments.sampleCount, maxDegree},
    {...(signal && {signal}), onProgress: ({tests}) => onProgress?.({steps: tests})}
  )
  const kept = rules.attractive ? parents.map((list, child) => attractiveParents(moments, child, list)) : parents
  const droppedForSign = parents.flat().length - kept.flat().length
  return {parents: kept, method: 'independence-tests', status: 'tested', tests: {...certificate, droppedForSign}}
}

/**
 * The tree of greatest mutual information (Chow and Liu), or of another `worth` of edges, rooted at `root`, in O(m^2).
 * Mutual information is computed from each pair's own table alone, since simplex moments of pairs and singles may differ.
 * Among equal edges the one to the lower-numbered concept wins.
 */
export function chowLiuTree(
  moments: Moments,
  root: number,
  worth: (i: number, k: number) => number = (i, k) => mutualInformation(moments.pair(i, k))
): {parents: number[][]; score: number} {
  const {order, parent} = maximumSpanningTree(moments.conceptCount, worth, {root})
  const score = order.reduce((sum, i) => (parent[i] < 0 ? sum : sum + worth(parent[i], i)), 0)
  return {parents: Array.from(parent, k => (k < 0 ? [] : [k])), score}
}

/**
 * The best graph of at most one parent. An edge is worth the same in both directions, N I minus the cost of its own
 * parameters, so this is the tree of greatest worth without the edges that are worth nothing.
 */
function bestForest(moments: Moments, {penalty, parameters}: Pick<BicOptions, 'penalty' | 'parameters'>): FoundGraph {
  const {sampleCount: N, table} = moments
  const worth = (i: number, k: number) => {
    const own = parameters(i < k ? [i, k] : [k, i]) - parameters([i]) - parameters([k])
    return N * mutualInformation(moments.pair(i, k)) - penalty * log(N) * own
  }
  const tree = chowLiuTree(moments, commonest(moments), worth)
  const parents = tree.parents.map((list, i) => list.filter(k => worth(k, i) > 0))
  const score = bicScore(table, parents, N, {penalty, parameters})
  return {parents, score, gap: 0, status: 'optimal', method: 'chow-liu'}
}

function areFree({constraints, attractive}: GraphRules): boolean {
  return !attractive && Object.values(constraints).every(list => list.length === 0)
}

/** The parents without those, weakest first, that prevent the family from being attractive. */
function attractiveParents(moments: Moments, child: number, parents: readonly number[]): readonly number[] {
  if (isAttractive(familyProbabilities(moments, child, parents).cpt)) return parents
  const strength = parents.map(k => mutualInformation(moments.pair(k, child)))
  const weakest = strength.indexOf(Math.min(...strength))
  return attractiveParents(moments, child, parents.toSpliced(weakest, 1))
}

/** Which families the rules allow. */
function ruleFilter(moments: Moments, {names, constraints, attractive}: GraphRules): BicOptions['admits'] {
  const admits = familyFilter(names, constraints)
  if (!attractive) return admits
  return (child, parents) => admits(child, parents) && isAttractive(familyProbabilities(moments, child, parents).cpt)
}

async function searchFamilies(
  {rules: {names, attractive}, search, control}: GraphTask,
  scores: FamilyScores,
  maxParents: number
): Promise<Omit<GraphSearch, 'bound'> & {families: number}> {
  const without = scores.findIndex(families => families.length === 0)
  if (without >= 0)
    throw new AdfaError(
      'bad-option',
      `concept "${names[without]}": the required edges leave it no family of at most ${counted(maxParents, 'parent')}` +
        `${attractive ? ' that all make it more likely' : ''}; ` +
        `require fewer edges${attractive ? ', allow negative ones,' : ''} or allow more parents`
    )
  const {bound: _, ...found} = await searchGraph(scores, search, control)
  return {...found, families: scores.reduce((sum, list) => sum + list.length, 0)}
}

/** How many choices of at most `maxParents` parents m concepts have together. */
function familyCount(m: number, maxParents: number): number {
  let sets = 1
  let sum = 1
  for (let size = 1; size <= Math.min(maxParents, m - 1); size++) {
    sets *= (m - size) / size
    sum += sets
  }
  return m * sum
}

/** The root: singles and pairs of simplex moments differ slightly, so it must not depend on the order of the concepts. */
function commonest(moments: Moments): number {
  let best = 0
  for (let i = 1; i < moments.conceptCount; i++) if (moments.single(i) > moments.single(best)) best = i
  return best
}
