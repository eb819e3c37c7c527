import {readFileSync} from 'node:fs'
import {type BayesNetwork, logPrior} from '../src/base/network/index.ts'
import type {Loadings} from '../src/learn/loadings/index.ts'
import {type Moments, permuteTable} from '../src/learn/moments/index.ts'
import type {NoiseRates} from '../src/learn/noise/index.ts'
import {type Counts, countCorpus} from '../src/read/counts/index.ts'
import {type Anchors, buildCorpus} from '../src/read/data/index.ts'

/** Tables by their variables ("0,2"), flat, the first variable most significant. */
export type GoldenTables = Readonly<Record<string, readonly number[]>>

type Edges = readonly (readonly [number, number])[]

export interface GoldenRecovered {
  readonly objective: number
  readonly tables: GoldenTables
  readonly chowLiuEdges: Edges
  readonly treeParentsRoot0: readonly (readonly number[])[]
  readonly treeCpt: readonly (readonly number[])[]
  readonly tagLogLikOfFirst50Y: number
}

export interface GoldenLoadings {
  readonly fDirectRaw: readonly (readonly number[])[]
  readonly fDirect: readonly (readonly number[])[]
  readonly fTreeRaw: readonly (readonly number[])[]
  readonly fTree: readonly (readonly number[])[]
  readonly treeEdges: Edges
  /** By concept; null for a blanket of more than 3. */
  readonly fBlanketZeroRaw: readonly (readonly number[] | null)[]
  readonly leakIndependent: readonly number[]
  readonly p0WithoutLeakTree: readonly number[]
  readonly leakTree: readonly number[]
}

/** The parts of fixtures/m4.json and m8.json that tests use; described in fixtures/PROVENANCE.md. */
export interface Golden {
  readonly m: number
  readonly n: number
  readonly truth: {
    readonly parents: readonly (readonly number[])[]
    readonly cpt: readonly (readonly number[])[]
    readonly failures: readonly (readonly number[])[]
    readonly leak: readonly number[]
    readonly q0: readonly number[]
    readonly q1: readonly number[]
  }
  readonly population: {
    readonly latentTables: GoldenTables
    readonly anchorTables: GoldenTables
    readonly px1: readonly number[]
    readonly fDirect: readonly (readonly number[])[]
    readonly fTree: readonly (readonly number[])[]
    readonly chowLiu: {
      readonly parents: readonly (readonly number[])[]
      readonly edges: Edges
      readonly mutualInformation: readonly (readonly number[])[]
    }
    readonly corrections: GoldenTables
    readonly markovBlankets: readonly (readonly number[])[]
    readonly p0WithoutLeak: readonly number[]
    readonly p0WithoutLeakIndependent: readonly number[]
  }
  readonly sample: {
    readonly N: number
    readonly Y: readonly string[]
    readonly A: readonly string[]
    readonly X: readonly string[]
    readonly anchorCounts: GoldenTables
    readonly px1: readonly number[]
    readonly pyFromSingles: readonly number[]
    readonly recovered: Readonly<
      Record<
        'lambda=0.0' | 'lambda=0.01',
        {
          readonly simplex: GoldenRecovered
          readonly local: GoldenRecovered
          readonly simplexTriples: {readonly tables: GoldenTables}
        }
      >
    >
    readonly loadings: Readonly<Record<'lambda=0.0' | 'lambda=0.1', GoldenLoadings>>
  }
}

export const goldenNames = ['m4', 'm8'] as const

export function readGolden(name: (typeof goldenNames)[number]): Golden {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')) as Golden
}

/** The variables of a table's key: "0,2" is [0, 2]. */
export function tableVariables(key: string): number[] {
  return key.split(',').map(Number)
}

/** Concepts y0.. with anchors a0.. and the true rates. */
export function goldenAnchors({m, truth}: Golden): Anchors {
  return Array.from({length: m}, (_, i) => ({
    concept: `y${i}`,
    any: [`a${i}`],
    not: [],
    rates: {kind: 'rates', truePositive: truth.q1[i], falsePositive: truth.q0[i]}
  }))
}

/** Word j; of equal length, so that their order by name is that of the file. */
export function goldenWord(j: number): string {
  return `x${String(j).padStart(2, '0')}`
}

/** The sample read as documents: anchors and words in `features`, concepts in `tags`. */
export function sampleCounts(golden: Golden): Counts {
  const ones = (bits: string, name: (at: number) => string) =>
    [...bits].flatMap((bit, at) => (bit === '1' ? [name(at)] : []))
  const {Y, A, X} = golden.sample
  const rows = A.map((a, d) => ({
    features: [...ones(a, i => `a${i}`), ...ones(X[d], goldenWord)],
    tags: ones(Y[d], i => `y${i}`)
  }))
  return countCorpus(buildCorpus(rows, goldenAnchors(golden), {maxShare: 1}), {labelShare: 1})
}

/** Counts of infinitely many documents, as shares: every anchor pattern is one fractional document. */
export function populationCounts(golden: Golden): Counts {
  const {m, n, truth} = golden
  const states = Array.from({length: 2 ** m}, (_, s) => assignment(s, m))
  const prior = states.map(y => Math.exp(logPrior(truthNetwork(golden), y)))
  const absence = states.map(y =>
    truth.leak.map((l, j) => y.reduce((product, on, i) => product * (on ? truth.failures[i][j] : 1), 1 - l))
  )
  const patternDocuments = new Float64Array(states.length)
  const wordCounts = new Float64Array(states.length * n)
  states.forEach((a, p) => {
    states.forEach((y, s) => {
      const both = a.reduce((product, fired, i) => {
        const rate = y[i] ? truth.q1[i] : truth.q0[i]
        return product * (fired ? rate : 1 - rate)
      }, prior[s])
      patternDocuments[p] += both
      for (let j = 0; j < n; j++) wordCounts[p * n + j] += both * (1 - absence[s][j])
    })
  })
  const fired = states.map(a => a.flatMap((on, i) => (on ? [i] : [])))
  const starts = (lengths: readonly number[]) =>
    Uint32Array.from([0, ...lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, length) => sum + length, 0))])
  const words = Array.from({length: n}, (_, j) => goldenWord(j))
  return {
    ...sampleCounts(golden),
    lexicon: {...sampleCounts(golden).lexicon, words},
    documentCount: patternDocuments.reduce((sum, share) => sum + share, 0),
    patternCount: states.length,
    memberStarts: starts(fired.map(list => list.length)),
    members: Uint32Array.from(fired.flat()),
    conceptStarts: starts(fired.map(list => list.length)),
    concepts: Uint32Array.from(fired.flat()),
    patternDocuments,
    wordStarts: starts(states.map(() => n)),
    wordIds: Uint32Array.from(states.flatMap(() => words.map((_, j) => j))),
    wordCounts
  }
}

/** The true rates, with the prevalences of the file. */
export function goldenRates({truth}: Golden, prevalence: readonly number[]): NoiseRates {
  return {
    truePositive: Float64Array.from(truth.q1),
    falsePositive: Float64Array.from(truth.q0),
    prevalence: Float64Array.from(prevalence)
  }
}

export function truthNetwork({truth}: Golden): BayesNetwork {
  return {parents: truth.parents, cpt: truth.cpt.map(row => Float64Array.from(row))}
}

export function truthLoadings({m, n, truth}: Golden): Loadings {
  return {
    conceptCount: m,
    wordCount: n,
    failure: Float64Array.from(truth.failures.flat()),
    leak: Float64Array.from(truth.leak)
  }
}

/** Ready-made tables as `Moments`. */
export function momentsFrom(tables: GoldenTables, conceptCount: number, sampleCount = 1): Moments {
  const table = (concepts: readonly number[]) => {
    const rising = concepts.toSorted((x, y) => x - y)
    return permuteTable(tables[rising.join()], rising, concepts)
  }
  return {
    conceptCount,
    sampleCount,
    single: i => tables[i][1],
    pair: (i, k) => table([i, k]),
    table,
    certificate: {objective: 0, lowerBound: 0, gap: 0, steps: 0, atoms: 0, cuts: 0, status: 'optimal'}
  }
}

/** The bits of `state`, variable 0 most significant. */
export function assignment(state: number, variableCount: number): number[] {
  return Array.from({length: variableCount}, (_, i) => (state >> (variableCount - 1 - i)) & 1)
}
