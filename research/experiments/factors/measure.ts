import {log} from '../../../src/base/numeric/index.ts'
import {type FitCertificate, fit} from '../../../src/learn/fit.ts'
import type {Model} from '../../../src/learn/model/index.ts'
import {countCorpus} from '../../../src/read/counts/index.ts'
import {type Run, significant} from '../experiment.ts'
import {anchorsWithTagRates, type Material, oracleModel} from '../material.ts'

import {type Spread, spreadOf} from '../spread.ts'
import {printedWords} from './printed.ts'

export const factorMethods = ['paper', 'robust', 'oracle'] as const
export type FactorMethod = (typeof factorMethods)[number]

export type FactorsCell = {
  /** The oracle: the paper's estimator with the true tags in place of anchors. */
  readonly method: FactorMethod
  readonly seed: number
}

/**
 * How the words of a concept are ranked: by lowest failure, as in the paper; by information about the concept, in nats;
 * by what they add to the log-odds in predictions.
 */
export const rankings = ['failure', 'information', 'weights'] as const
type Ranking = (typeof rankings)[number]

/** A word by its number in the lexicon, the value it is ranked by, and its failure in the method and in the oracle. */
export type RankedWord = readonly [word: number, value: number, failure: number, oracleFailure: number]

export type FactorsRun = Run<FactorsCell, FactorsResult>

export type FactorsResult = {
  readonly documents: number
  /** The words of every concept, in order of rank; fewer than ten where no more are linked to it. */
  readonly words: {readonly [R in Ranking]?: readonly (readonly RankedWord[])[]}
  /** The number of links: failures below 1. The key is that of saved runs. */
  readonly speaking: number
  readonly clips: FactorClips
}

export const clipNames = [
  'failures',
  'failuresAboveOne',
  'failuresBelowFloor',
  'failuresUndefined',
  'words',
  'leaksAtFloor'
] as const satisfies readonly (keyof FitCertificate['loadings'])[]

/** How often failures and leaks had to be clipped. */
export type FactorClips = Readonly<Record<(typeof clipNames)[number], number>>

const WORDS_PER_CONCEPT = 10

/** Learn the words of every concept from all documents. */
export async function measureFactors(material: Material, {method, seed}: FactorsCell): Promise<FactorsResult> {
  const {lexicon, documents} = material
  const corpus = {lexicon: {...lexicon, anchors: anchorsWithTagRates(lexicon, documents)}, documents}
  const counts = countCorpus(corpus)
  const paper = await fit(counts, {preset: 'paper', seed})
  const oracle = await oracleModel(paper, corpus)
  const robust = () => fit(counts, {noise: 'given', seed}, {documents: corpus})
  const model = method === 'paper' ? paper : method === 'oracle' ? oracle : await robust()
  return {
    documents: documents.length,
    words: rankedWords(model, oracle),
    speaking: model.loadings.failure.filter(f => f < 1).length,
    clips: clipsOf(model)
  }
}

function rankedWords(model: Model, oracle: Model): FactorsResult['words'] {
  const {concepts, loadings, wordModel} = model
  const n = loadings.wordCount
  const all = Array.from({length: n}, (_, j) => j)
  const row = (i: number, j: number, value: number): RankedWord => [
    j,
    significant(value, 5),
    significant(loadings.failure[i * n + j], 5),
    significant(oracle.loadings.failure[i * n + j], 5)
  ]
  /** Ties by name: words are sorted by name. */
  const largest = (i: number, least: number, value: (j: number) => number) =>
    all
      .filter(j => value(j) > least)
      .sort((a, b) => value(b) - value(a) || a - b)
      .slice(0, WORDS_PER_CONCEPT)
      .map(j => row(i, j, value(j)))
  const failure = concepts.map((_, i) =>
    largest(i, -1, j => -loadings.failure[i * n + j]).map(([j, , f]) => row(i, j, f))
  )
  const information = concepts.map((_, i) => largest(i, 0, j => informationOf(model, i, j)))
  if (wordModel.kind !== 'weights') return {failure, information}
  const weights = concepts.map((_, i) => largest(i, 0, j => wordModel.weights[i][j]))
  return {failure, information, weights}
}

/** KL divergence, in nats, of the word given the concept from the word alone; concepts are taken as independent. */
export function informationOf(
  {concepts, loadings: {failure, leak, wordCount: n}}: Model,
  i: number,
  j: number
): number {
  const f = failure[i * n + j]
  if (f === 1) return 0
  const absence = concepts.reduce((share, {prevalence: p}, k) => share * (1 - p + p * failure[k * n + j]), 1 - leak[j])
  const p = 1 - absence * f
  return p * log(p / (1 - absence)) + absence * f * log(f)
}

function clipsOf({certificate}: Model): FactorClips {
  const known = new Map<string, unknown>(Object.entries(Object(certificate.loadings)))
  const counts = clipNames.map(name => {
    const value = known.get(name)
    if (typeof value !== 'number') throw new Error(`internal error: the certificate of the loadings has no ${name}`)
    return [name, value] as const
  })
  return Object.fromEntries(counts) as FactorClips
}

/** A list of words for every concept. */
export interface WordList {
  readonly method: FactorMethod
  readonly ranking: Ranking
}

export const shownLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'robust', ranking: 'weights'},
  {method: 'oracle', ranking: 'failure'}
]

/** Lists compared with those of the true tags under the same ranking; log-odds are compared with the most informative words. */
export const comparedLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'paper', ranking: 'information'},
  {method: 'robust', ranking: 'information'},
  {method: 'robust', ranking: 'weights'}
]

export class FactorsSummary {
  readonly #results: ReadonlyMap<FactorMethod, FactorsResult>

  constructor(runs: readonly FactorsRun[]) {
    this.#results = new Map(runs.map(({cell, result}) => [cell.method, result]))
  }

  result(method: FactorMethod): FactorsResult {
    const result = this.#results.get(method)
    if (result === undefined) throw new Error(`internal error: no words of ${method}`)
    return result
  }

  words({method, ranking}: WordList): readonly (readonly RankedWord[])[] {
    const words = this.result(method).words[ranking]
    if (words === undefined) throw new Error(`internal error: no words of ${method} by ${ranking}`)
    return words
  }

  /** How many words of a concept are among those of the true tags, over the concepts. */
  sharedWithOracle(list: WordList): Spread {
    const ranking = list.ranking === 'weights' ? 'information' : list.ranking
    const oracle = this.words({method: 'oracle', ranking})
    return spreadOf(this.words(list).map((words, i) => sharedCount(words.map(numberOf), oracle[i].map(numberOf))))
  }

  /** How many words of a concept the paper prints for one of the same name; undefined if it has none of these names. */
  sharedWithPaper(list: WordList, concepts: readonly string[], token: (word: number) => string): Spread | undefined {
    const counts = this.words(list).flatMap((words, i) => {
      const printed = printedWords(concepts[i])
      const tokens = words.map(([word]) => token(word))
      return printed === undefined ? [] : [sharedCount(tokens, printed)]
    })
    return counts.length === 0 ? undefined : spreadOf(counts)
  }
}

function numberOf([word]: RankedWord): number {
  return word
}

function sharedCount<T>(some: readonly T[], others: readonly T[]): number {
  const known = new Set(others)
  return new Set(some.filter(word => known.has(word))).size
}
