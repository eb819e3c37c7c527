import {loadingDefaults} from './loadings/index.ts'
import {type Divergence, momentDefaults, type Pull, wordMomentDefaults} from './moments/index.ts'
import type {NoiseMethod} from './noise/index.ts'
import type {StructureKind} from './structure/index.ts'

export interface FitOptions {
  readonly noise: NoiseMethod
  readonly polytope: 'simplex'
  readonly structure: StructureKind
  readonly divergence: Divergence
  /** The pull to independence for P(Y). */
  readonly pull: Pull
  /** The pull to independence for P(X|Y). */
  readonly loadingPull: Pull
  /** Leaks are at least this share of their word's frequency. */
  readonly leakFloor: number
  /** Leave out concepts whose noise rates cannot be had, instead of refusing to fit. */
  readonly skipBadAnchors: boolean
  readonly seed: number
}

export type Preset = 'paper' | 'robust'

const COMMON = {
  noise: 'given',
  polytope: 'simplex',
  structure: 'tree',
  divergence: 'kl',
  skipBadAnchors: false,
  seed: 0
} as const

/**
 * `paper` is Algorithm 1 as published: fixed pulls of 0.01 and 0.1, leaks clipped at 0. `robust` has a pull that fades as
 * documents come in, a strong one for words, and a leak floor, which real text needs.
 */
export const presets: Readonly<Record<Preset, FitOptions>> = {
  paper: {...COMMON, pull: 0.01, loadingPull: 0.1, leakFloor: 0},
  robust: {
    ...COMMON,
    pull: momentDefaults.pull,
    loadingPull: wordMomentDefaults.pull,
    leakFloor: loadingDefaults.leakFloor
  }
}
