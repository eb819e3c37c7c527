import {clamp, exp, log} from '../../base/numeric/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {createInference} from '../inference/index.ts'
import type {Model} from '../model/index.ts'

/** Beyond this a posterior has no digits left to take the anchor out of. */
const SURE = 1e-12
/** An anchor that never fires without its concept, or never fails with it, would leave nothing to take out. */
const LEAST_RATE = 1e-6

/**
 * How well a model foretells each document's anchors from all other evidence: sum over concepts of
 * log P(A_i | other anchors, words), one number a document. No label is needed, and a concept that has drifted away from
 * its name no longer foretells its anchor.
 *
 * The posterior odds of a concept are the odds without its anchor times the anchor's likelihood ratio, so dividing that
 * out gives P(Y_i = 1 | other evidence), and P(A_i = 1 | other evidence) = e + (t - e) P(Y_i = 1 | other evidence).
 */
export function anchorScores(given: Model, documents: readonly CorpusDocument[]): Float64Array {
  const model = {...given, concepts: given.concepts.map(withUncertainty)}
  const inference = createInference(model, {wordModel: 'noisy-or'})
  const fired = new Uint8Array(model.concepts.length)
  return Float64Array.from(documents, ({evidence}) => {
    fired.fill(0)
    for (const i of evidence.anchors) fired[i] = 1
    const {probabilities} = inference.posterior(evidence)
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

function withUncertainty(concept: Model['concepts'][number]): Model['concepts'][number] {
  const truePositive = Math.min(concept.truePositive, 1 - LEAST_RATE)
  return {
    ...concept,
    truePositive,
    falsePositive: Math.max(concept.falsePositive, Math.min(LEAST_RATE, truePositive / 2))
  }
}

/** A model that could be the result, and how well it foretells the anchors of each document out of fold. */
export interface Candidate {
  readonly step: number
  readonly strength: number
  readonly values: Float64Array
}

/**
 * The candidate to take: of those that beat the start (the first) by `standardErrors` of their paired difference, the one
 * whose words say least, and of these the one with the best score; the start if there is none.
 *
 * Not simply the best score: words and anchors come from the same hand, also beyond what the concept explains, so that
 * foretelling anchors flatters strong words. What training gains by the score is spent on words that say less.
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

/** Mean score, and how much better it is than the other's: paired, each with its standard error over the documents. */
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

/**
 * The same model with words that say less: every failure f becomes f^strength, so that the log-odds that a word's absence
 * takes from a concept shrink by that factor. Words of real text repeat each other, which a model that takes them as
 * independent does not know. Leaks grow so that each word is as frequent as before, concepts taken as independent:
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
