import {createInference, createLastTagScorer, type EvidenceUse} from '../inference/index.ts'
import type {Model} from '../model/index.ts'
import {logPrior} from '../structure/index.ts'
import type {Baseline, BaselineCertificate} from './baseline.ts'

/** A whole model as a baseline, its words used or not. */
export function modelBaseline(model: Model, words: EvidenceUse['words'], certificate: BaselineCertificate): Baseline {
  const use = {channel: 'noisy-or', anchors: 'used', words} as const
  const inference = createInference(model, use)
  const scorer = createLastTagScorer(model, use)
  return {
    posterior: evidence => inference.posterior(evidence).probabilities,
    lastTag: (evidence, given) => scorer.score(evidence, given),
    logTags: y => logPrior(model.network, y),
    certificate
  }
}
