/** Defines the options of a fit: two presets, and types that allow the options of directed graphs for these only. */
import {
  AdfaError,
  above,
  atLeast,
  badOption,
  checkOptions,
  oneOf,
  optional,
  type Rules,
  trueOrFalse,
  whole
} from '../base/checks/index.ts'
import {isPolytope, type MomentOptions, momentDefaults, parseShrinkage, type Shrinkage} from './moments/index.ts'
import type {NoiseMethod} from './noise/index.ts'
import {
  checkNamedEdges,
  type NamedEdges,
  planStructure,
  type StructureKind,
  structureDefaults
} from './structure/index.ts'

export interface CommonOptions {
  readonly noise: NoiseMethod
  /** The edges that are required or forbidden. */
  readonly edges: NamedEdges
  /** The word model of predictions; noisy-or links are learned in any case. */
  readonly words: 'noisy-or' | 'weights'
  /** `gated` drops links within three standard errors of independence and weakens others; a number is the paper's lambda. */
  readonly wordShrinkage: Shrinkage | 'gated'
  /** Leaves out concepts whose rates cannot be estimated, instead of refusing to fit. */
  readonly skipBadAnchors: boolean
  readonly seed: number
}

/**
 * The options of directed graphs, which are learned from recovered moments. The divergence applies to moments of concepts; moments
 * of words always use KL. The time limit applies to the moments, and again to the structure search.
 */
export interface GraphOptions
  extends Pick<MomentOptions, 'polytope' | 'solver' | 'divergence' | 'shrinkage' | 'gap' | 'timeLimit'> {
  /** `exact` proves the best graph of bounded in-degree, or a gap; `greedy` finds a good one fast. */
  readonly search: 'exact' | 'greedy'
}

/**
 * `paper` is Algorithm 1 as published: given rates, false anchors as independent noise, fixed shrinkage of 0.01 and 0.1, leaks
 * clipped at 0, the printed BIC penalty. Its solvers are fast ones that reach the same optimum; `solver` selects the paper's for
 * the moments of single concepts and pairs.
 * `robust` estimates rates from all available evidence, and takes anchors that fire without their concept as a sign of related
 * concepts, so the network subtracts nothing for them. The network has a coupling for each pair of concepts, links need evidence
 * beyond their standard error, leaks are at least 0.3 of their word's frequency, and predictions use word weights. Directed
 * graphs under `robust` use a BIC score that accounts for the noise of the anchors.
 */
export type Preset = 'paper' | 'robust'

/** The options that a caller may give; others come from the preset. Options of directed graphs need a directed graph. */
export type FitOptions = Partial<CommonOptions> &
  (
    | {readonly preset?: Preset; readonly network?: 'pairs'}
    | ({readonly preset?: Preset; readonly network: Exclude<StructureKind, 'pairs'>} & Partial<GraphOptions>)
    | ({readonly preset: 'paper'; readonly network?: Exclude<StructureKind, 'pairs'>} & Partial<GraphOptions>)
  )

/** All options of a fit, after the checks. Options of graphs have no effect on a network of pairs. */
export interface CheckedFitOptions extends CommonOptions, GraphOptions {
  readonly preset: Preset
  readonly network: StructureKind
}

const COMMON = {edges: structureDefaults.edges, skipBadAnchors: false, seed: 0} as const
const GRAPH = {solver: 'newton', divergence: 'kl', gap: undefined, timeLimit: undefined, search: 'exact'} as const
const GRAPH_OPTIONS: readonly string[] = [...Object.keys(GRAPH), 'polytope', 'shrinkage']

export const presets: Readonly<Record<Preset, CheckedFitOptions>> = {
  paper: {
    ...COMMON,
    ...GRAPH,
    preset: 'paper',
    noise: 'given',
    network: 'tree',
    polytope: 'simplex',
    shrinkage: 0.01,
    wordShrinkage: 0.1,
    words: 'noisy-or'
  },
  robust: {
    ...COMMON,
    ...GRAPH,
    preset: 'robust',
    noise: 'auto',
    network: 'pairs',
    polytope: 'local',
    shrinkage: momentDefaults.shrinkage,
    wordShrinkage: 'gated',
    words: 'weights'
  }
}

/** The values of options that are a choice. The command line offers the same. */
export const fitChoices = {
  noise: ['given', 'labels', 'pair', 'positive-only', 'irreducible', 'auto'],
  polytope: ['simplex', 'local', 'cycle', 'marginal'],
  solver: ['newton', 'conditional-gradient', 'exponentiated-gradient'],
  search: ['exact', 'greedy'],
  divergence: ['kl', 'l2'],
  words: ['noisy-or', 'weights']
} as const satisfies {readonly [Name in keyof CheckedFitOptions]?: readonly CheckedFitOptions[Name][]}

const SHRINKAGE = "a number of at least 0, or C/N such as '10/N'"
const fitRules: Rules<CheckedFitOptions> = {
  noise: oneOf(...fitChoices.noise),
  polytope: [isPolytope, `${oneOf(...fitChoices.polytope)[1]} or a polytope of your own`],
  solver: oneOf(...fitChoices.solver),
  search: oneOf(...fitChoices.search),
  divergence: oneOf(...fitChoices.divergence),
  words: oneOf(...fitChoices.words),
  shrinkage: [isShrinkage, SHRINKAGE],
  wordShrinkage: [value => value === 'gated' || isShrinkage(value), `'gated', ${SHRINKAGE}`],
  gap: optional(above(0)),
  timeLimit: optional(atLeast(0)),
  seed: whole(),
  skipBadAnchors: trueOrFalse
}

function isShrinkage(value: unknown): boolean {
  try {
    parseShrinkage(String(value))
    return true
  } catch {
    return false
  }
}

/**
 * Returns the options of the preset, overridden by the given ones. Throws for unknown names or invalid values, and for an option
 * that applies only to directed graphs if `network` is 'pairs'.
 */
export function checkFitOptions({preset = 'robust', ...given}: FitOptions): CheckedFitOptions {
  if (!Object.hasOwn(presets, preset)) throw badOption('fit', 'preset', "'paper' or 'robust'", preset)
  const options: CheckedFitOptions = checkOptions('fit', presets[preset], fitRules, given)
  // Throws if the network is not valid.
  planStructure(options.network)
  checkNamedEdges(options.edges, 'edges')
  const option = GRAPH_OPTIONS.find(name => given[name as keyof typeof given] !== undefined)
  if (options.network !== 'pairs' || option === undefined) return options
  throw new AdfaError(
    'bad-option',
    `fit: \`${option}\` is for directed graphs, and \`network\` is 'pairs'; leave it out, or give a graph such as \`network\` 'tree'`,
    {details: {option}}
  )
}

/** Returns the options as a model file keeps them: those that had an effect, and custom parts by name. */
export function savedOptions(options: CheckedFitOptions): Readonly<Record<string, unknown>> {
  const {edges, ...others} = options
  const hasRules = Object.values(edges).some(list => list.length > 0)
  const kept = Object.entries(others).filter(([name]) => others.network !== 'pairs' || !GRAPH_OPTIONS.includes(name))
  const named = kept.map(([name, value]) => [name, typeof value === 'object' && 'name' in value ? value.name : value])
  return {...Object.fromEntries(named), ...(hasRules && {edges})}
}
