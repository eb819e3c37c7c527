import {AdfaError, throwIfCancelled} from '../../base/checks/index.ts'
import type {ConceptTables, PartialGraph} from '../../base/network/index.ts'
import {chiSquareTail, log} from '../../base/numeric/index.ts'
import {permuteTable, type Rates} from '../moments/index.ts'
import {type EdgeConstraints, familyFilter} from './edge-constraints.ts'
import {extendGraph} from './extend-graph.ts'
import {independenceTest} from './independence-test.ts'
import {orientEdges} from './orient-edges.ts'
import {type PairTest, type SkeletonProgress, skeletonSearch} from './skeleton-search.ts'

export interface DegreeOptions {
  readonly names: readonly string[]
  /** The anchor noise of each concept. */
  readonly rates: readonly Rates[]
  /** The documents that the tables were recovered from. */
  readonly sampleCount: number
  /** The most neighbours of a concept; tables of two concepts more are asked for. */
  readonly maxDegree: number
  /** The level of a test; {@link defaultLevel} of the documents where it is not given. */
  readonly level?: number
  readonly constraints?: EdgeConstraints
  /** No edge between two concepts that are not positively correlated. */
  readonly attractive?: boolean
}

export interface DegreeControl {
  readonly onProgress?: (progress: SkeletonProgress) => void
  readonly signal?: AbortSignal
}

export interface DegreeSearch {
  /** The parents of each concept, rising; without a cycle. */
  readonly parents: readonly (readonly number[])[]
  /** What the tests and constraints say of the directions; `parents` is one way to direct the rest. */
  readonly graph: PartialGraph
  readonly certificate: DegreeCertificate
}

export interface DegreeCertificate {
  readonly level: number
  readonly tests: number
  /** Weakest edges of concepts that the tests left with more than maxDegree neighbours. */
  readonly droppedForDegree: number
  /** Edges whose directions, each allowed one way only, would have closed a cycle. */
  readonly droppedForConstraints: number
  /** V-structures that the tests speak for, but that contradict surer ones or the constraints. */
  readonly conflicts: number
  /** V-structures in `parents` that are not in `graph`: 0 when the directions in `graph` agree with each other. */
  readonly addedColliders: number
}

/**
 * A graph in which no concept has more than maxDegree neighbours, by independence tests on recovered tables (the
 * paper's second way to learn structure, after Spirtes, Glymour and Scheines): the skeleton by PC-stable, the
 * directions of the edges from what separates, and one graph without a cycle that agrees with them.
 *
 * If the true graph has that degree, P(Y) has no independences but those of the graph, and the level falls with N as the
 * default does, then the class of the true graph is found with a probability that goes to 1. An edge of a known direction
 * is directed first; what the documents contradict is never mended silently: see the certificate.
 * Cost: that of {@link skeletonSearch}.
 */
export function searchDegree(
  tables: ConceptTables,
  conceptCount: number,
  options: DegreeOptions,
  {onProgress, signal}: DegreeControl = {}
): DegreeSearch {
  const {sampleCount, maxDegree, rates, level = defaultLevel(sampleCount)} = options
  checkOptions(conceptCount, level, options)
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
 * The level of a test on N documents: that at which BIC, too, would take an edge for one parameter, P(chi-square of one
 * degree of freedom >= ln N). It is 0.0086 at a thousand documents and 0.0002 at a million, so that in the end no false
 * edge stays; and ln N grows more slowly than the statistic of a true edge, so that in the end no true edge goes.
 */
export function defaultLevel(sampleCount: number): number {
  return chiSquareTail(log(sampleCount), 1)
}

/** The test of two concepts given others on the recovered table of them all. */
function pairTest(tables: ConceptTables, rates: readonly Rates[], sampleCount: number): PairTest {
  return (i, k, given) => {
    const order = [i, k, ...given]
    const concepts = order.toSorted((a, b) => a - b)
    const cells = permuteTable(tables(concepts), concepts, order)
    return independenceTest(
      cells,
      order.map(l => rates[l]),
      sampleCount
    )
  }
}

interface EdgeRule {
  readonly requires: (parent: number, child: number) => boolean
  /** Whether the edge may be there, in this direction. */
  readonly edge: (parent: number, child: number) => boolean
}

function edgeRule({names, constraints = {}}: DegreeOptions): EdgeRule {
  const {required = [], ...others} = constraints
  familyFilter(names, constraints) // refuses what no graph satisfies
  const admits = familyFilter(names, others)
  const needed = names.map((_, child) => new Set(required.filter(edge => edge[1] === child).map(([parent]) => parent)))
  const requires = (parent: number, child: number) => needed[child].has(parent)
  return {requires, edge: (parent, child) => admits(child, [parent]) && !requires(child, parent)}
}

/** The pairs that `attractive` bars; a required edge among them is refused. */
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
            '"attractive" wants no such edge; drop one of the two'
        )
  return isNegative
}

function checkOptions(
  conceptCount: number,
  level: number,
  {names, rates, sampleCount, maxDegree}: DegreeOptions
): void {
  const refuse = (fault: string) => new AdfaError('bad-option', fault)
  if (names.length !== conceptCount || rates.length !== conceptCount)
    throw refuse(
      `${names.length} names and rates of ${rates.length} anchors for ${conceptCount} concepts; give one for each`
    )
  if (!(Number.isInteger(maxDegree) && maxDegree >= 0))
    throw refuse(`maxDegree: ${maxDegree}; give a whole number from 0 on`)
  if (!(sampleCount >= 2 && Number.isFinite(sampleCount)))
    throw refuse(`independence tests of ${sampleCount} documents; they need at least 2`)
  if (!(level > 0 && level < 1)) throw refuse(`level: ${level}; give a number between 0 and 1`)
}

/** Required edges that alone exceed the degree are refused. */
function checkRequired({names, maxDegree}: DegreeOptions, isRequired: (i: number, k: number) => boolean): void {
  for (const [i, name] of names.entries()) {
    const count = names.filter((_, k) => isRequired(i, k)).length
    if (count > maxDegree)
      throw new AdfaError(
        'bad-option',
        `${count} edges of concept "${name}" are required, but a concept may have at most ${maxDegree}; ` +
          'drop some of them, or raise the degree'
      )
  }
}
