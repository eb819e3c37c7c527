import {log, logit, sigmoid} from '../../base/numeric/index.ts'
import type {Classifier} from '../../learn/classifier/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {type Baseline, type BaselineCertificate, logIndependent, PREVALENCE_FLOOR, withoutGiven} from './baseline.ts'

/** Log-odds of every concept for a document, in a fresh array. */
export type ConceptScores = (evidence: Evidence) => Float64Array

/**
 * The classifiers of all concepts as one: word j is column j, the anchor of concept i column `wordCount + i`.
 * Layout: the weights of a column stand together. Cost: O(m) for each word and anchor of the document.
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
    ({truePositive: t, falsePositive: e, prevalence}) => logit(prevalence, PREVALENCE_FLOOR) + log(t / e)
  )
  return evidence => {
    const z = scores(evidence)
    for (const i of evidence.anchors) z[i] = believed[i]
    return z
  }
}

/** Independent classifiers: posteriors from their log-odds, last tags ranked by them (the paper's rule), P(y) of independent concepts. */
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
