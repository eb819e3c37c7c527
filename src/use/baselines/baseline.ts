import {AdfaError} from '../../base/checks/index.ts'
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Classifier} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'
import type {NoisyOrCertificate} from './fit-noisy-or.ts'
import type {TrainingCertificate, Untrained} from './train-classifiers.ts'

/** A simpler method to compare a model with, and the basis of its answers. */
export interface Baseline extends Predictor {
  readonly certificate: BaselineCertificate
}

export interface BaselineCertificate {
  /** Concepts that no classifier could learn: the baseline has only their prevalence, and their anchor where it uses anchors. */
  readonly untrained?: readonly Untrained[]
  readonly classifiers?: TrainingCertificate
  readonly noisyOr?: NoisyOrCertificate
  /** Of models of votes, for each exclusive group: rounds of EM, and the largest change of a parameter in the last. */
  readonly em?: readonly {readonly rounds: number; readonly change: number}[]
}

/** Log-odds of every concept for a document, in a fresh array. */
export type ConceptScores = (evidence: Evidence) => Float64Array

/**
 * The classifiers of all concepts as one: word j is column j, the anchor of concept i column `wordCount + i`, and a
 * document counts its columns times `scaleOf(evidence)`.
 * Layout: the weights of a column are adjacent. Cost: O(m) per word and anchor of the document.
 */
export function conceptScores(
  classifiers: readonly Classifier[],
  wordCount: number,
  scaleOf: (evidence: Evidence) => number = () => 1
): ConceptScores {
  const m = classifiers.length
  const columns = new Float64Array((wordCount + m) * m)
  for (const [i, {weights}] of classifiers.entries())
    for (let column = 0; column < wordCount + m; column++) columns[column * m + i] = weights[column]
  const biases = Float64Array.from(classifiers, ({bias}) => bias)
  return evidence => {
    const z = biases.slice()
    const scale = scaleOf(evidence)
    const add = (column: number) => {
      for (let i = 0; i < m; i++) z[i] += scale * columns[column * m + i]
    }
    for (const j of evidence.words) add(j)
    for (const i of evidence.anchors) add(wordCount + i)
    return z
  }
}

/**
 * The same, with the paper's rule for anchors at test time (Section 5.4): where the anchor of a concept fired, nothing
 * else counts, and the log-odds are those of the concept given its anchor, t p / (e (1 - p)).
 */
export function withAnchorRule(scores: ConceptScores, concepts: readonly Concept[]): ConceptScores {
  const believed = concepts.map(
    ({truePositive: t, falsePositive: e, prevalence}) => logit(possible(prevalence)) + log(t / e)
  )
  return evidence => {
    const z = scores(evidence)
    for (const i of evidence.anchors) z[i] = believed[i]
    return z
  }
}

/** Independent classifiers: posteriors and last tags by their log-odds (the paper's rule), P(y) of independent concepts. */
export function classifierBaseline(
  scores: ConceptScores,
  prevalence: ArrayLike<number>,
  certificate: BaselineCertificate
): Baseline {
  return {
    posterior: evidence => scores(evidence).map(sigmoid),
    lastTag: (evidence, given) => withoutGiven(scores(evidence), given),
    logTags: y => logIndependent(prevalence, y),
    certificate
  }
}

/** log P(y) of independent concepts. */
export function logIndependent(prevalence: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < prevalence.length; i++) {
    const p = possible(prevalence[i])
    sum += log(y[i] ? p : 1 - p)
  }
  return sum
}

/** A prevalence of 0 or 1 would make documents impossible. */
function possible(prevalence: number): number {
  return clamp(prevalence, 1e-6, 1 - 1e-6)
}

/** Sets the scores of the given tags, which are not candidates, to -Infinity, in place. */
function withoutGiven(scores: Float64Array, given: readonly number[]): Float64Array {
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < scores.length))
      throw new AdfaError(
        'mismatch',
        `given tag ${i} is none of the ${scores.length} concepts; give numbers from 0 to ${scores.length - 1}`
      )
    scores[i] = Number.NEGATIVE_INFINITY
  }
  return scores
}

/** A custom baseline: trained on documents and the concepts' rates, and on tags only if it is meant as a ceiling. */
export type BaselineTrainer = (
  corpus: Corpus,
  concepts: readonly Concept[],
  options: {readonly seed: number}
) => Predictor
