import {AdfaError} from '../../base/checks/index.ts'
import {clamp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Classifier} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'

/** A simpler method to compare a model with, and how it was trained. */
export interface Baseline extends Predictor {
  readonly certificate: BaselineCertificate
}

export interface BaselineCertificate extends Partial<ClassifierCertificate> {
  readonly noisyOr?: NoisyOrCertificate
  /** Of models of votes, for each exclusive group: rounds of EM, and the largest change of a parameter in the last. */
  readonly em?: readonly {readonly rounds: number; readonly change: number}[]
}

export interface ClassifierCertificate {
  readonly classifiers: {
    readonly ridge: number
    /** Mean log-likelihood of the held-out observations, per row and concept; empty if there was nothing to choose. */
    readonly heldOut: readonly {readonly ridge: number; readonly logLikelihood: number}[]
  }
  /** Concepts that no classifier could learn: a baseline has their prevalence, and their anchor where it uses anchors. */
  readonly untrained: readonly {readonly concept: string; readonly reason: string}[]
}

export interface NoisyOrCertificate {
  /** Log-likelihood of the words given the tags, plus the log of the prior, in nats. */
  readonly objective: number
  readonly steps: number
  readonly status: 'optimal' | 'step-limit'
}

/** A custom baseline: trained on documents and the concepts' rates, and on tags only if it is meant as a ceiling. */
export type BaselineTrainer = (
  corpus: Corpus,
  concepts: readonly Concept[],
  options: {readonly seed: number}
) => Predictor

/** Log-odds of every concept for a document, in a fresh array. */
export type ConceptScores = (evidence: Evidence) => Float64Array

/**
 * The classifiers of all concepts as one: word j is column j, the anchor of concept i column `wordCount + i`, and a
 * document counts its columns times `scaleOf(evidence)`.
 */
export function conceptScores(
  classifiers: readonly Classifier[],
  wordCount: number,
  scaleOf: (evidence: Evidence) => number = () => 1
): ConceptScores {
  return evidence => {
    const columns = [...evidence.words, ...evidence.anchors.map(i => wordCount + i)]
    const scale = scaleOf(evidence)
    return Float64Array.from(classifiers, ({bias, weights}) => {
      let sum = 0
      for (const j of columns) sum += weights[j]
      return bias + scale * sum
    })
  }
}

/**
 * The same, with the paper's rule for anchors at test time (Section 5.4): where the anchor of a concept fired, nothing
 * else counts, and the log-odds are those of the concept given its anchor, t p / (e (1 - p)).
 */
export function withAnchorRule(scores: ConceptScores, concepts: readonly Concept[]): ConceptScores {
  const given = concepts.map(
    ({truePositive: t, falsePositive: e, prevalence}) => logit(possible(prevalence)) + log(t / e)
  )
  return evidence => {
    const z = scores(evidence)
    for (const i of evidence.anchors) z[i] = given[i]
    return z
  }
}

/** Independent classifiers: posteriors and last tags by their log-odds (the paper's rule), P(y) of independent concepts. */
export function classifierBaseline(
  scores: ConceptScores,
  prevalence: readonly number[],
  certificate: BaselineCertificate
): Baseline {
  const chances = prevalence.map(possible)
  return {
    posterior: evidence => scores(evidence).map(sigmoid),
    lastTag: (evidence, given) => withoutGiven(scores(evidence), given),
    logTags: y => chances.reduce((sum, p, i) => sum + log(y[i] ? p : 1 - p), 0),
    certificate
  }
}

/** A probability that makes nothing impossible: a single error would decide everything. */
export function possible(chance: number): number {
  return clamp(chance, 1e-6, 1 - 1e-6)
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
