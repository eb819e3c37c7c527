import {AdfaError, withDefaults} from '../base/checks/index.ts'
import {loadingDefaults} from './loadings/index.ts'
import {
  type Divergence,
  type MomentSolver,
  momentDefaults,
  type Shrinkage,
  wordMomentDefaults,
  wordRatioDefaults
} from './moments/index.ts'
import type {NoiseMethod} from './noise/index.ts'
import type {PolytopeName} from './polytopes/index.ts'
import {
  checkNamedEdges,
  planStructure,
  type StructureKind,
  type StructureOptions,
  structureDefaults
} from './structure/index.ts'

export interface FitOptions extends Pick<StructureOptions, 'score' | 'penalty' | 'edges' | 'attractive' | 'search'> {
  readonly noise: NoiseMethod
  /** How many concepts a document has on average, if that is known; it scales rates that are guessed. */
  readonly conceptsPerDocument: number | undefined
  /**
   * What an anchor that fires without its concept is taken for while the network is learned: independent noise, as in the paper,
   * or a sign of related concepts, so that nothing is subtracted for it. Words and predictions use the rates as they are.
   */
  readonly falseAnchors: 'noise' | 'related'
  /** The constraints that recovered moments of the concepts keep: each bound is tighter than the one before. */
  readonly polytope: PolytopeName
  /** `newton` stands for the fast method of each polytope, `conditional-gradient` for the paper's. */
  readonly solver: MomentSolver
  /** The certified gap, summed over all moments, to stop at; undefined for the default of the polytope. */
  readonly gap: number | undefined
  /** Seconds for the moments, and again for the search of the structure, at most; undefined for no limit. */
  readonly timeLimit: number | undefined
  readonly structure: StructureKind
  /** For the moments of the concepts; those of words always use KL. */
  readonly divergence: Divergence
  /** The shrinkage towards independence for P(Y). */
  readonly shrinkage: Shrinkage
  /**
   * A word speaks for a concept only beyond so many standard errors from independence of its anchor, and the less the nearer it is.
   * 0: words have no such gate, but `wordShrinkage`; giving that (or `blanketLimit`) asks for it.
   */
  readonly wordSigmas: number
  /** The shrinkage towards independence for P(X|Y), for words without a gate. */
  readonly wordShrinkage: Shrinkage
  /** Leaks are at least this share of their word's frequency. */
  readonly leakFloor: number
  /**
   * Beyond trees: the failures of concepts with a Markov blanket of at most so many members are learned from it (Eq. 6),
   * those of the others from the network as a whole.
   */
  readonly blanketLimit: number
  /** How words speak when predicting; their noisy-or links are learned either way. */
  readonly words: 'noisy-or' | 'weights'
  /** Leave out concepts whose noise rates cannot be had, instead of refusing to fit. */
  readonly skipBadAnchors: boolean
  readonly seed: number
}

export type Preset = 'paper' | 'robust'

const COMMON = {
  conceptsPerDocument: undefined,
  solver: 'newton',
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
 * `paper` is Algorithm 1 as published: given rates, false anchors as independent noise, fixed shrinkages of 0.01 and 0.1, leaks clipped
 * at 0, the printed BIC penalty. `robust` takes rates from all that tells them, and false anchors for what real text makes of them;
 * it has moments that agree with each other, at most one parent a concept, and none that the noise of the anchors could have made,
 * a shrinkage that fades as documents come in, words that speak only where they are surely heard, and a leak floor; when predicting, words speak in log-odds.
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
    structure: 'indegree:1',
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

/** What each choice may be; the command line offers the same. */
export const fitChoices: {
  readonly [Name in
    | 'noise'
    | 'falseAnchors'
    | 'polytope'
    | 'solver'
    | 'score'
    | 'search'
    | 'divergence'
    | 'words']: readonly FitOptions[Name][]
} = {
  noise: ['given', 'labels', 'pair', 'positive-only', 'irreducible', 'auto'],
  falseAnchors: ['noise', 'related'],
  polytope: ['simplex', 'local', 'cycle', 'marginal'],
  solver: ['newton', 'conditional-gradient'],
  score: ['bic', 'noise-aware', 'variance-aware'],
  search: ['exact', 'greedy'],
  divergence: ['kl', 'l2'],
  words: ['noisy-or', 'weights']
}

/** The paper's shrinkage of the words, or its blankets, mean its estimators: no gate. */
function wordsAsAsked({wordSigmas, wordShrinkage, blanketLimit}: Partial<FitOptions>): Partial<FitOptions> {
  const isShrunk = wordShrinkage !== undefined || blanketLimit !== undefined
  if (isShrunk && wordSigmas !== undefined && wordSigmas > 0)
    throw new AdfaError(
      'bad-option',
      `wordSigmas ${wordSigmas} gates words, which then have neither wordShrinkage nor blanketLimit; give one or the other, or wordSigmas 0`
    )
  return isShrunk ? {wordSigmas: 0} : {}
}

/** The preset with what was given instead; unknown names and choices are refused. */
export function checkFitOptions(preset: Preset, given: Partial<FitOptions>): FitOptions {
  if (!Object.hasOwn(presets, preset)) throw new AdfaError('bad-option', `preset is paper or robust; got ${preset}`)
  const options = withDefaults('fit', {...presets[preset], ...wordsAsAsked(given)}, given)
  for (const [name, choices] of Object.entries(fitChoices)) {
    const value = options[name as keyof typeof fitChoices]
    if (!choices.some(choice => choice === value))
      throw new AdfaError('bad-option', `${name} is one of ${choices.join(', ')}; got ${JSON.stringify(value)}`)
  }
  if (!(options.wordSigmas >= 0 && options.wordSigmas < Number.POSITIVE_INFINITY))
    throw new AdfaError('bad-option', `wordSigmas is a number from 0 on; got ${options.wordSigmas}`)
  if (!Number.isSafeInteger(options.seed))
    throw new AdfaError('bad-option', `seed is a whole number; got ${options.seed}`)
  for (const name of ['skipBadAnchors', 'attractive'] as const)
    if (typeof options[name] !== 'boolean')
      throw new AdfaError('bad-option', `${name} is true or false; got ${JSON.stringify(options[name])}`)
  planStructure(options.structure)
  checkNamedEdges(options.edges, 'edges')
  return options
}
