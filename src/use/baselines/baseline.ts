import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, junctionTree, logPrior, networkMarginals} from '../../base/network/index.ts'
import {clamp, exp, log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Classifier} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'
import type {Untrained} from './check-training.ts'
import type {NoisyOrCertificate} from './fit-noisy-or.ts'
import type {TrainingCertificate} from './train-classifiers.ts'

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
 * The classifiers of all concepts as one: word j is column j, the anchor of concept i column `wordCount + i`.
 * Layout: the weights of a column are adjacent. Cost: O(m) per word and anchor of the document.
 */
export function conceptScores(classifiers: readonly Classifier[], wordCount: number): ConceptScores {
  const m = classifiers.length
  const columns = new Float64Array((wordCount + m) * m)
  for (const [i, {weights}] of classifiers.entries())
    for (let column = 0; column < wordCount + m; column++) columns[column * m + i] = weights[column]
  const biases = Float64Array.from(classifiers, ({bias}) => bias)
  return ({words, anchors}) => {
    const z = biases.slice()
    const add = (column: number) => {
      for (let i = 0; i < m; i++) z[i] += columns[column * m + i]
    }
    for (const j of words) add(j)
    for (const i of anchors) add(wordCount + i)
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

/**
 * Classifiers in a network: P(y | x) is proportional to P(y) prod_i exp(y_i (z_i - logit p_i)), with z the log-odds of the
 * classifiers and p the prevalences in the network, so that each classifier contributes only what the document adds.
 * Last tag: log P(y') + z_c - logit p_c, y' = the given tags and candidate c present, all others absent.
 *
 * Evidence on two neighbours counts twice where both classifiers use the same words; the posterior is then overconfident.
 * Cost: one propagation through the junction tree, or m priors for the last tag.
 */
export function networkBaseline(
  scores: ConceptScores,
  network: BayesNetwork,
  certificate: BaselineCertificate
): Baseline {
  const m = network.parents.length
  const tree = junctionTree(network)
  if (tree === undefined)
    throw new AdfaError('bad-model', 'the network is too wide for exact sums; give a baseline a tree')
  const base = networkMarginals(network).map(p => logit(possible(p)))
  const weights = new Float64Array(2 * m)
  const y = new Uint8Array(m)
  return {
    posterior(evidence) {
      const z = scores(evidence)
      for (let i = 0; i < m; i++) {
        const gain = z[i] - base[i]
        weights[2 * i] = gain > 0 ? exp(-gain) : 1
        weights[2 * i + 1] = gain > 0 ? 1 : exp(gain)
      }
      const marginals = new Float64Array(m)
      tree.propagate(weights, marginals)
      return marginals
    },
    lastTag(evidence, given) {
      const z = withoutGiven(scores(evidence), given)
      y.fill(0)
      for (const i of given) y[i] = 1
      for (let c = 0; c < m; c++) {
        if (y[c]) continue
        y[c] = 1
        z[c] += logPrior(network, y) - base[c]
        y[c] = 0
      }
      return z
    },
    logTags: tags => logPrior(network, tags),
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
