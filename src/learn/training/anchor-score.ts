import {clamp, log} from '../../base/numeric/index.ts'
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
