import {AdfaError} from '../../base/checks/index.ts'
import {findCycle} from '../../base/network/index.ts'
import {log, mutualInformation} from '../../base/numeric/index.ts'
import type {Moments, Rates} from '../moments/index.ts'
import {chowLiuTree} from './chow-liu.ts'
import {type EdgeConstraints, familyFilter} from './edge-constraints.ts'
import {type BicOptions, bicScore, bicScores, type FamilyScores, pruneFamilies} from './family-scores.ts'
import type {GraphSearch} from './graph-search.ts'
import {familyProbabilities, isAttractive} from './network-from-moments.ts'
import {type DegreeCertificate, searchDegree} from './search-degree.ts'
import {type SearchControl, type SearchOptions, searchGraph} from './search-graph.ts'

/** What a graph must be like, whatever its structure. */
export interface GraphRules {
  /** The names of the concepts, for errors. */
  readonly names: readonly string[]
  readonly constraints: EdgeConstraints
  /** No parent may make its child rarer, whatever the other parents are. */
  readonly attractive: boolean
}

/** A graph and how it came about. */
export interface FoundGraph {
  readonly parents: readonly (readonly number[])[]
  readonly method: GraphSearch['method'] | 'chow-liu' | 'independence-tests' | 'known'
  readonly status: GraphSearch['status'] | 'tested' | 'known'
  /** What the search makes large, if it has a score. */
  readonly score?: number
  /** Proven: no graph that was allowed scores more than `score + gap`. */
  readonly gap?: number
  readonly steps?: number
  /** How many families it was chosen from. */
  readonly families?: number
  /** What the tests of independence met. */
  readonly tests?: DegreeCertificate & {
    /** Edges dropped since their parent makes the child rarer in some setting of the others, where none may. */
    readonly droppedForSign: number
  }
}

/** Scored families that are held at most: some 100 bytes each. */
const mostFamilies = 5e6

/** A graph that is known beforehand, if it keeps the rules. */
export function checkGraph(moments: Moments, parents: readonly (readonly number[])[], rules: GraphRules): FoundGraph {
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
      `the graph is known, and the parents of "${names[broken]}" in it are not as the edges to require and forbid, or ` +
        '"attractive", want them; drop those, or let the structure be learned'
    )
  return {parents, method: 'known', status: 'known'}
}

/**
 * The tree of most mutual information. Without rules that of Chow and Liu, rooted at the commonest concept; with rules a
 * search over families of one parent, which may leave concepts apart.
 */
export function findTree(
  moments: Moments,
  rules: GraphRules,
  options: SearchOptions,
  control: SearchControl
): FoundGraph {
  if (areFree(rules)) {
    const tree = chowLiuTree(moments, commonest(moments))
    return {...tree, gap: 0, status: 'optimal', method: 'chow-liu'}
  }
  // Scored for all documents, as BIC is: differences below a millionth count as none in the search.
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
  const found = searchFamilies(pruneFamilies(scores), 1, rules, options, control)
  return {...found, score: found.score / N, gap: found.gap / N}
}

/** The graph of best BIC score with at most `maxParents` parents a concept. */
export function findBounded(
  moments: Moments,
  bic: Omit<BicOptions, 'admits'>,
  rules: GraphRules,
  options: SearchOptions,
  control: SearchControl
): FoundGraph {
  const m = moments.conceptCount
  const {maxParents} = bic
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
  return searchFamilies(scores, maxParents, rules, options, control)
}

/**
 * The best graph of one parent at most. An edge is worth the same in both directions, N I less what its own parameters
 * cost, so it is the tree of most worth without the edges that are worth nothing.
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

/** The graph of at most `maxDegree` neighbours a concept that tests of independence find. */
export function findByTests(
  moments: Moments,
  maxDegree: number,
  rates: readonly Rates[],
  rules: GraphRules,
  {signal, onProgress}: SearchControl
): FoundGraph {
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

/** The parents but those, weakest first, that stand in the way of a concept that no parent makes rarer. */
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

function searchFamilies(
  scores: FamilyScores,
  maxParents: number,
  {names, attractive}: GraphRules,
  options: SearchOptions,
  control: SearchControl
): Omit<GraphSearch, 'bound'> & {families: number} {
  const without = scores.findIndex(families => families.length === 0)
  if (without >= 0)
    throw new AdfaError(
      'bad-option',
      `concept "${names[without]}": the required edges leave it no family of at most ${maxParents} ` +
        `parent${maxParents === 1 ? '' : 's'}${attractive ? ' that all make it more likely' : ''}; ` +
        `require fewer edges${attractive ? ', allow negative ones,' : ''} or allow more parents`
    )
  const {bound: _, ...found} = searchGraph(scores, options, control)
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

/** The root: singles and pairs of simplex moments differ a little, so it must not depend on the order of the concepts. */
function commonest(moments: Moments): number {
  let best = 0
  for (let i = 1; i < moments.conceptCount; i++) if (moments.single(i) > moments.single(best)) best = i
  return best
}
