import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {createInference} from '../inference/index.ts'
import type {Concept, Model} from '../model/index.ts'

/** A model that could be the result, and how well it predicts the anchors of each held-out document. */
export interface Candidate {
  readonly step: number
  readonly strength: number
  readonly values: Float64Array
}

/**
 * Of the candidates that beat the start (the first) by `standardErrors` of their paired difference, those with the weakest
 * words, and of these the best score; the start if there are none. Not simply the best score: words and anchors depend on
 * each other beyond the concept, so predicting anchors favours strong words.
 */
export function chooseCandidate(candidates: readonly Candidate[], standardErrors: number): Candidate {
  const [start] = candidates
  const better = candidates.filter(candidate => {
    const {gain, gainError} = compare(candidate, start)
    return gain > standardErrors * gainError
  })
  const weakest = better.reduce((least, {strength}) => Math.min(least, strength), 1)
  return better
    .filter(({strength}) => strength === weakest)
    .reduce((best, next) => (best === start || compare(next, best).gain > 0 ? next : best), start)
}

/** Mean score, and its paired gain over the other's, each with its standard error over the documents. */
export function compare(
  {values}: Candidate,
  other: Candidate
): {score: number; scoreError: number; gain: number; gainError: number} {
  const {mean: score, error: scoreError} = meanAndError(values)
  const {mean: gain, error: gainError} = meanAndError(values.map((value, d) => value - other.values[d]))
  return {score, scoreError, gain, gainError}
}

function meanAndError(values: Float64Array): {mean: number; error: number} {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0)
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {mean, error: Math.sqrt(square) / values.length}
}

/** Beyond this a posterior has no digits left to divide the anchor out of. */
const SURE = 1e-12
/** An anchor that never fires without its concept, or never fails with it, cannot be divided out. */
const LEAST_RATE = 1e-6

/**
 * How well a model predicts each document's anchors from all other evidence: sum over concepts of
 * log P(A_i | other anchors, words), one number per document. It needs no label, and a concept that has drifted away
 * from its name no longer predicts its anchor.
 *
 * The posterior odds of a concept are the odds without its anchor times the anchor's likelihood ratio, so dividing that
 * out gives P(Y_i = 1 | other evidence), and P(A_i = 1 | other evidence) = e + (t - e) P(Y_i = 1 | other evidence).
 */
export function anchorScores(given: Model, documents: readonly CorpusDocument[]): Float64Array {
  const model = {...given, concepts: given.concepts.map(withUncertainty)}
  const inference = createInference(model, {wordModel: 'noisy-or'})
  const fired = new Uint8Array(model.concepts.length)
  return Float64Array.from(documents, document => {
    fired.fill(0)
    for (const i of document.anchors) fired[i] = 1
    const {probabilities} = inference.posterior(document)
    let sum = 0
    model.concepts.forEach(({truePositive: t, falsePositive: e}, i) => {
      const p = clamp(probabilities[i], SURE, 1 - SURE)
      const ratio = fired[i] === 1 ? t / e : (1 - t) / (1 - e)
      const odds = p / (1 - p) / ratio
      const chance = e + ((t - e) * odds) / (1 + odds)
      sum += log(fired[i] === 1 ? chance : 1 - chance)
    })
    return sum
  })
}

function withUncertainty(concept: Concept): Concept {
  const truePositive = Math.min(concept.truePositive, 1 - LEAST_RATE)
  const falsePositive = Math.max(concept.falsePositive, Math.min(LEAST_RATE, truePositive / 2))
  return {...concept, truePositive, falsePositive}
}

/**
 * The same model with weaker words: every failure f becomes f^strength, so that the log-odds of a word's absence shrink
 * by that factor. Words of real text repeat each other, which a model that takes them as independent ignores. Leaks grow
 * so that each word keeps its frequency, with concepts taken as independent:
 * 1 - l' = (1 - l) prod_i (1 - p_i (1 - f_i)) / prod_i (1 - p_i (1 - f_i^strength)). Strength 1 changes nothing.
 */
export function weakenWords(model: Model, strength: number): Model {
  if (strength === 1) return model
  const {concepts, loadings} = model
  const {conceptCount: m, wordCount: n} = loadings
  const failure = loadings.failure.map(f => (f === 1 ? 1 : exp(strength * log(f))))
  const leak = loadings.leak.map((l, j) => {
    let ratio = 1
    for (let i = 0; i < m; i++) {
      const p = concepts[i].prevalence
      const cell = i * n + j
      ratio *= (1 - p * (1 - loadings.failure[cell])) / (1 - p * (1 - failure[cell]))
    }
    return 1 - (1 - l) * ratio
  })
  return {...model, loadings: {conceptCount: m, wordCount: n, failure, leak}}
}
