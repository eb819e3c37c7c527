import {AdfaError, atLeast, badOption, type Rule, throwIfCancelled, whole} from '../../base/checks/index.ts'
import type {ConceptTables, Parents, PartialGraph} from '../../base/network/index.ts'
import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {permuteTable} from '../moments/index.ts'
import type {Rates} from '../noise/index.ts'
import {type EdgeConstraints, familyFilter} from './edge-constraints.ts'
import {independenceTest} from './independence-test.ts'
import {extendGraph, orientEdges} from './orient-edges.ts'
import {type PairTest, type SkeletonProgress, skeletonSearch} from './skeleton-search.ts'

export interface DegreeOptions {
  readonly names: readonly string[]
  /** The anchor noise of each concept. */
  readonly rates: readonly Rates[]
  /** The number of documents from which the tables were recovered. */
  readonly sampleCount: number
  /** The most neighbours of a concept; needs tables of two more concepts. */
  readonly maxDegree: number
  /** The level of a test; {@link defaultLevel} of the documents by default. */
  readonly level?: number
  readonly constraints?: EdgeConstraints
  /** Allow edges only between positively correlated concepts. */
  readonly attractive?: boolean
}

export interface DegreeControl {
  readonly onProgress?: (progress: SkeletonProgress) => void
  readonly signal?: AbortSignal
}

export interface DegreeSearch {
  /** Each list ascending; acyclic. */
  readonly parents: Parents
  /** The directions that tests and constraints imply; `parents` is one way to direct the rest. */
  readonly graph: PartialGraph
  readonly certificate: DegreeCertificate
}

export interface DegreeCertificate {
  readonly level: number
  readonly tests: number
  /** Weakest edges of concepts that had more than maxDegree neighbours after the tests. */
  readonly droppedForDegree: number
  /** Edges whose directions, each allowed one way only, would have closed a cycle. */
  readonly droppedForConstraints: number
  /** V-structures that the tests support but that contradict surer ones or the constraints. */
  readonly conflicts: number
  /** V-structures in `parents` that are not in `graph`: 0 when the directions in `graph` are consistent. */
  readonly addedColliders: number
}

/**
 * A graph in which no concept has more than maxDegree neighbours, by independence tests on recovered tables (the
 * paper's second way to learn structure, after Spirtes, Glymour and Scheines): the skeleton by PC-stable, directions from
 * the separators, and one acyclic graph that agrees with them. Finds the class of a true graph of that degree with
 * probability going to 1 if P(Y) has only the independences of the graph and the level falls with N as the default does.
 * The certificate counts contradictions. Cost: that of {@link skeletonSearch}.
 */
export function searchDegree(
  tables: ConceptTables,
  conceptCount: number,
  options: DegreeOptions,
  {onProgress, signal}: DegreeControl = {}
): DegreeSearch {
  const {sampleCount, maxDegree, rates, level = defaultLevel(sampleCount)} = options
  checkDegree(conceptCount, level, options)
  const allows = edgeRule(options)
  const isRequired = (i: number, k: number) => allows.requires(i, k) || allows.requires(k, i)
  checkRequired(options, isRequired)
  const barredBySign = options.attractive === true ? negativePairs(tables, options, isRequired) : () => false
  const skeleton = skeletonSearch(conceptCount, pairTest(tables, rates, sampleCount), {
    maxDegree,
    level,
    isRequired,
    isBarred: (i, k) => !(allows.edge(i, k) || allows.edge(k, i)) || barredBySign(i, k),
    onPair: progress => {
      throwIfCancelled(signal)
      onProgress?.(progress)
    }
  })
  const {graph, droppedForConstraints, conflicts} = orientEdges(conceptCount, skeleton.pairs, allows.edge)
  const {parents, added} = extendGraph(graph)
  const {tests, droppedForDegree} = skeleton
  const certificate = {level, tests, droppedForDegree, droppedForConstraints, conflicts, addedColliders: added}
  return {parents, graph: graph.toPartialGraph(), certificate}
}

/**
 * The level of a test on N documents: that at which BIC too would accept an edge for one parameter, P(chi-square of one
 * degree of freedom >= ln N). It is 0.0086 at a thousand documents and 0.0002 at a million, so that in the limit no false
 * edge remains; and ln N grows more slowly than the statistic of a true edge, so that no true edge is lost.
 */
export function defaultLevel(sampleCount: number): number {
  return chiSquareTail(log(sampleCount), 1)
}

/** The test of two concepts given others on the recovered table of them all. */
function pairTest(tables: ConceptTables, rates: readonly Rates[], sampleCount: number): PairTest {
  return (i, k, given) => {
    const order = [i, k, ...given]
    const concepts = order.toSorted((a, b) => a - b)
    const own = order.map(l => rates[l])
    return independenceTest(permuteTable(tables(concepts), concepts, order), own, sampleCount)
  }
}

interface EdgeRule {
  readonly requires: (parent: number, child: number) => boolean
  /** Whether the edge is allowed in this direction. */
  readonly edge: (parent: number, child: number) => boolean
}

function edgeRule({names, constraints = {}}: DegreeOptions): EdgeRule {
  const {required = [], ...others} = constraints
  familyFilter(names, constraints) // refuses constraints that no graph satisfies
  const admits = familyFilter(names, others)
  const needed = names.map((_, child) => new Set(required.filter(edge => edge[1] === child).map(([parent]) => parent)))
  const requires = (parent: number, child: number) => needed[child].has(parent)
  return {requires, edge: (parent, child) => admits(child, [parent]) && !requires(child, parent)}
}

/** The pairs that `attractive` excludes; a required edge among them is refused. */
function negativePairs(
  tables: ConceptTables,
  {names}: DegreeOptions,
  isRequired: (i: number, k: number) => boolean
): (i: number, k: number) => boolean {
  const isNegative = (i: number, k: number) => {
    const [p00, p01, p10, p11] = Array.from(tables([i, k]))
    return p11 * p00 <= p10 * p01
  }
  for (let i = 0; i < names.length; i++)
    for (let k = i + 1; k < names.length; k++)
      if (isRequired(i, k) && isNegative(i, k))
        throw new AdfaError(
          'bad-option',
          `an edge between "${names[i]}" and "${names[k]}" is required, but they are not positively correlated and ` +
            '`attractive` forbids such edges; drop one of the two'
        )
  return isNegative
}

function checkDegree(conceptCount: number, level: number, {names, rates, sampleCount, maxDegree}: DegreeOptions): void {
  if (names.length !== conceptCount || rates.length !== conceptCount)
    throw new AdfaError(
      'bad-option',
      `${names.length} names and rates of ${rates.length} anchors for ${conceptCount} concepts; give one for each`
    )
  const check = (option: string, [holds, rule]: Rule, value: number) => {
    if (!holds(value)) throw badOption('searchDegree', option, rule, value)
  }
  check('maxDegree', whole(0), maxDegree)
  check('sampleCount', atLeast(2), sampleCount)
  check('level', [value => Number(value) > 0 && Number(value) < 1, 'a number between 0 and 1'], level)
}

/** Refuses required edges that alone exceed the degree. */
function checkRequired({names, maxDegree}: DegreeOptions, isRequired: (i: number, k: number) => boolean): void {
  for (const [i, name] of names.entries()) {
    const count = names.filter((_, k) => isRequired(i, k)).length
    if (count > maxDegree)
      throw new AdfaError(
        'bad-option',
        `${count} edges of concept "${name}" are required, but a concept may have at most ${maxDegree}; ` +
          'drop some of them, or allow more'
      )
  }
}
