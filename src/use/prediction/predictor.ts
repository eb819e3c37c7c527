import {createLogPrior, type LogPrior} from '../../base/network/index.ts'
import {createInference, type EvidenceUse, type InferenceOptions, infer} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {classGroups} from '../../learn/votes/index.ts'
import {Encoder, type Evidence, parseRow} from '../../read/data/index.ts'
import {createLastTagScorer} from './last-tag.ts'
import {type TagRule, tagRule} from './tags-from.ts'

/** Answers the three questions of Section 5. */
export interface Predictor {
  /** P(Y_i = 1 | document) of every concept. */
  posterior(evidence: Evidence): ArrayLike<number>
  /** A score for each concept as the one missing tag; the highest that is not given wins. */
  lastTag(evidence: Evidence, given: readonly number[]): ArrayLike<number>
  /** log P(y) of a document's tags. */
  logTags(y: ArrayLike<number>): number
  /** The standard error of the constant in log P(y), where it is not exact. */
  logTagsError?(): number
  /** Which concepts to report, where that was decided without the documents that are predicted. */
  readonly tags?: TagRule
  /** How many labelled documents it learned from, one point of a learning curve; absent for what is not on one. */
  readonly labelled?: number
}

/** A model as a predictor, with its anchors and words used or hidden. */
export function createPredictor(model: Model, use: Partial<EvidenceUse> = {}): Predictor {
  const inference = createInference(model, use)
  const scorer = createLastTagScorer(model, use)
  const {wordModel} = model
  // The constant of a network of pairs takes a second, and most callers do not need it.
  let prior: LogPrior | undefined
  const priorOf = () => {
    prior ??= createLogPrior(model.network, classGroups(model))
    return prior
  }
  // The rule was learned for predictions from all evidence.
  const isWhole = use.wordModel !== 'noisy-or' && use.anchors !== 'hidden' && use.words !== 'hidden'
  return {
    posterior: evidence => inference.posterior(evidence).probabilities,
    lastTag: (evidence, given) => scorer.score(evidence, given),
    logTags: y => priorOf().of(y),
    logTagsError: () => priorOf().standardError,
    ...(isWhole && wordModel.threshold !== undefined && {tags: tagRule(model)})
  }
}

/** A plain document, as in a JSON Lines file, read as the training documents were: what predictors and `explain` take. */
export function readDocument({lexicon}: Model, document: unknown): Evidence {
  return new Encoder(lexicon).encode(parseRow(document, lexicon.reading, 'document'))
}

/**
 * The probability of every concept, by name, for one plain document as in a JSON Lines file: `{text: '...'}` or
 * `{features: [...]}`. For many documents, `createPredictor` prepares the model once.
 */
export function predictDocument(
  model: Model,
  document: unknown,
  options?: Partial<InferenceOptions>
): Record<string, number> {
  const {probabilities} = infer(model, readDocument(model, document), options)
  return Object.fromEntries(model.concepts.map(({name}, i) => [name, probabilities[i]]))
}
