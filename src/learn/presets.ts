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
  whole,
  within
} from '../base/checks/index.ts'
import {loadingDefaults} from './loadings/index.ts'
import {
  type Divergence,
  isPolytope,
  type MomentSolver,
  momentDefaults,
  type Shrinkage,
  wordMomentDefaults,
  wordRatioDefaults
} from './moments/index.ts'
import type {NoiseMethod} from './noise/index.ts'
import type {Correction, CustomPolytope, PolytopeName} from './polytopes/index.ts'
import {hasRules} from './robust/index.ts'
import {
  checkNamedEdges,
  planStructure,
  type StructureKind,
  type StructureOptions,
  structureDefaults
} from './structure/index.ts'

export interface FitOptions extends Pick<StructureOptions, 'score' | 'penalty' | 'edges' | 'attractive' | 'search'> {
  readonly noise: NoiseMethod
  /** The mean number of concepts per document, if known; it scales guessed rates. */
  readonly conceptsPerDocument: number | undefined
  /**
   * How anchors that fire without their concept are treated while the network is learned: as independent noise, as in the
   * paper, or as a sign of related concepts, so that nothing is subtracted for them. Words and predictions use the rates as
   * they are.
   */
  readonly falseAnchors: 'noise' | 'related'
  /** The constraints on recovered moments; each named polytope lies inside the one before. */
  readonly polytope: PolytopeName | CustomPolytope
  /**
   * `newton` stands for the fast method of each polytope; `conditional-gradient` is the paper's, and `exponentiated-gradient` its
   * method for the simplex.
   */
  readonly solver: MomentSolver
  /** When conditional gradient minimises over all vertices seen: after every step, or only when a vertex comes again, as in the paper. */
  readonly correction: Correction
  /** Stop at this certified gap, summed over all moments; undefined for the default of the polytope. */
  readonly gap: number | undefined
  /** Seconds allowed for the moments, and again for the structure search; undefined for no limit. */
  readonly timeLimit: number | undefined
  readonly structure: StructureKind
  /** For the moments of the concepts; those of words always use KL. */
  readonly divergence: Divergence
  /** Shrinkage of P(Y) towards independence. */
  readonly shrinkage: Shrinkage
  /**
   * Drops links within this many standard errors of independence, and weakens those just beyond. 0 uses `wordShrinkage`
   * instead, and so does giving that or `blanketLimit`.
   */
  readonly wordSigmas: number
  /** Shrinkage of P(X|Y) towards independence, for words without a gate. */
  readonly wordShrinkage: Shrinkage
  /** Leaks are at least this share of their word's frequency, however many documents there are: a leak below it stays too high. */
  readonly leakFloor: number
  /**
   * Beyond trees: failures of concepts with a Markov blanket of at most this size are learned from it (Eq. 6), those of
   * other concepts from the whole network.
   */
  readonly blanketLimit: number
  /** How words predict; their noisy-or links are learned either way. */
  readonly words: 'noisy-or' | 'weights'
  /** Leave out concepts whose rates cannot be estimated, instead of refusing to fit. */
  readonly skipBadAnchors: boolean
  readonly seed: number
}

export type Preset = 'paper' | 'robust'

const COMMON = {
  conceptsPerDocument: undefined,
  solver: 'newton',
  correction: 'every-step',
  gap: undefined,
  timeLimit: undefined,
  edges: structureDefaults.edges,
  attractive: structureDefaults.attractive,
  search: structureDefaults.search,
  divergence: 'kl',
  skipBadAnchors: false,
  seed: 0
} as const

/**
 * `paper` is Algorithm 1 as published: given rates, false anchors as independent noise, fixed shrinkage of 0.01 and 0.1, leaks
 * clipped at 0, the printed BIC penalty. `robust` estimates rates from all available evidence and treats false anchors as real
 * text has them; its network has a coupling for each pair of concepts, links need evidence beyond their standard error, leaks
 * have a floor, and predictions use word weights. Its other settings are for those who ask for a directed graph.
 */
export const presets: Readonly<Record<Preset, FitOptions>> = {
  paper: {
    ...COMMON,
    noise: 'given',
    falseAnchors: 'noise',
    polytope: 'simplex',
    structure: 'tree',
    score: 'bic',
    penalty: 1,
    shrinkage: 0.01,
    wordSigmas: 0,
    wordShrinkage: 0.1,
    leakFloor: 0,
    blanketLimit: 3,
    words: 'noisy-or'
  },
  robust: {
    ...COMMON,
    noise: 'auto',
    falseAnchors: 'related',
    polytope: 'local',
    structure: 'pairs',
    score: 'noise-aware',
    penalty: structureDefaults.penalty,
    shrinkage: momentDefaults.shrinkage,
    wordSigmas: wordRatioDefaults.sigmas,
    wordShrinkage: wordMomentDefaults.shrinkage,
    leakFloor: loadingDefaults.leakFloor,
    blanketLimit: loadingDefaults.blanketLimit,
    words: 'weights'
  }
}

/** The values of options that are a choice; the command line offers the same. */
export const fitChoices = {
  noise: ['given', 'labels', 'pair', 'positive-only', 'irreducible', 'auto'],
  falseAnchors: ['noise', 'related'],
  polytope: ['simplex', 'local', 'cycle', 'marginal'],
  solver: ['newton', 'conditional-gradient', 'exponentiated-gradient'],
  correction: ['every-step', 'seen'],
  score: ['bic', 'noise-aware', 'variance-aware'],
  search: ['exact', 'greedy'],
  divergence: ['kl', 'l2'],
  words: ['noisy-or', 'weights']
} as const satisfies {readonly [Name in keyof FitOptions]?: readonly FitOptions[Name][]}

const fitRules: Rules<FitOptions> = {
  noise: oneOf(...fitChoices.noise),
  falseAnchors: oneOf(...fitChoices.falseAnchors),
  polytope: [isPolytope, `${oneOf(...fitChoices.polytope)[1]} or a polytope of your own`],
  solver: oneOf(...fitChoices.solver),
  correction: oneOf(...fitChoices.correction),
  score: oneOf(...fitChoices.score),
  search: oneOf(...fitChoices.search),
  divergence: oneOf(...fitChoices.divergence),
  words: oneOf(...fitChoices.words),
  conceptsPerDocument: optional(atLeast(0)),
  gap: optional(above(0)),
  timeLimit: optional(within(0, Number.POSITIVE_INFINITY)),
  penalty: atLeast(0),
  wordSigmas: atLeast(0),
  leakFloor: within(0, 1),
  blanketLimit: whole(0),
  seed: whole(),
  skipBadAnchors: trueOrFalse,
  attractive: trueOrFalse
}

/** The preset overridden by the given options; unknown names and values are refused. */
export function checkFitOptions(preset: Preset, given: Partial<FitOptions>): FitOptions {
  if (!Object.hasOwn(presets, preset)) throw badOption('fit', 'preset', "'paper' or 'robust'", preset)
  checkGraphOptions(given)
  const defaults = {...presets[preset], ...withoutGate(given), structure: chosenStructure(given, preset)}
  const options = checkOptions('fit', defaults, fitRules, given)
  planStructure(options.structure)
  checkNamedEdges(options.edges, 'edges')
  return options
}

/** `wordShrinkage` and `blanketLimit` belong to the paper's estimators of the words, which have no gate. */
function withoutGate({wordSigmas, wordShrinkage, blanketLimit}: Partial<FitOptions>): Partial<FitOptions> {
  if (wordShrinkage === undefined && blanketLimit === undefined) return {}
  if (wordSigmas !== undefined && wordSigmas > 0)
    throw new AdfaError(
      'bad-option',
      `fit: \`wordSigmas\` ${wordSigmas} gates words, so \`wordShrinkage\` and \`blanketLimit\` have no effect; give one or the other, or \`wordSigmas\` 0`,
      {details: {option: 'wordSigmas'}}
    )
  return {wordSigmas: 0}
}

/** Options of directed graphs: without a structure they ask for the simplest one, and with pairs they have no effect. */
const GRAPH_OPTIONS = [
  'polytope',
  'solver',
  'correction',
  'gap',
  'divergence',
  'shrinkage',
  'score',
  'penalty',
  'search',
  'attractive'
] as const satisfies (keyof FitOptions)[]

/** An option that asks for a directed graph: its name, and what asks for it. Edge rules fit pairs too, all but tiers. */
function graphOption(given: Partial<FitOptions>) {
  const option = GRAPH_OPTIONS.find(name => given[name] !== undefined)
  if (option !== undefined) return {option, what: `\`${option}\` is`}
  return (given.edges?.tiers ?? []).length === 0 ? undefined : {option: 'edges', what: 'tiers in `edges` are'}
}

/** The structure of a fit with these options, given or implied. */
export function chosenStructure(given: Partial<FitOptions>, preset: Preset = 'robust'): StructureKind {
  if (given.structure !== undefined) return given.structure
  const structure = presets[preset]?.structure
  return structure === 'pairs' && graphOption(given) !== undefined ? 'indegree:1' : structure
}

function checkGraphOptions(given: Partial<FitOptions>): void {
  const asking = given.structure === 'pairs' ? graphOption(given) : undefined
  if (asking === undefined) return
  const {option, what} = asking
  throw new AdfaError(
    'bad-option',
    `fit: ${what} for directed graphs and ${option === 'edges' ? 'have' : 'has'} no effect on \`structure\` 'pairs'; leave one of them out`,
    {details: {option}}
  )
}

/** The options as a model file keeps them: those that had an effect, with custom parts by name. */
export function savedOptions({wordShrinkage, blanketLimit, ...all}: FitOptions): Readonly<Record<string, unknown>> {
  const {polytope, structure} = all
  const unused: readonly string[] =
    structure === 'pairs' ? [...GRAPH_OPTIONS, ...(hasRules(all.edges) ? [] : ['edges'])] : []
  const options = {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => !unused.includes(name))),
    wordSigmas: all.wordSigmas
  }
  return {
    ...options,
    ...(unused.length === 0 && {polytope: typeof polytope === 'object' ? polytope.name : polytope}),
    structure: typeof structure === 'object' && 'find' in structure ? structure.name : structure,
    ...(options.wordSigmas > 0 ? {} : {wordShrinkage, blanketLimit})
  }
}
