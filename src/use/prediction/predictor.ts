import {createExclusivePrior, type LogPrior} from '../../base/network/index.ts'
import {jsonText} from '../../base/text/index.ts'
import {
  classGroups,
  createInference,
  type EvidenceUse,
  type InferenceOptions,
  infer
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createEvidenceReader, type Evidence, exclusiveGroups, parseRow} from '../../read/data/index.ts'
import {createLastTagScorer} from './last-tag.ts'

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
  /** The probability from which to report a concept for the best F1, found without tags. */
  readonly threshold?: number
}

/** A model as a predictor, with its anchors and words used or hidden. */
export function createPredictor(model: Model, use: Partial<EvidenceUse> = {}): Predictor {
  const inference = createInference(model, use)
  const scorer = createLastTagScorer(model, use)
  const {wordModel} = model
  // The constant of a network of pairs takes a second, and most callers do not need it.
  let prior: LogPrior | undefined
  const priorOf = () => {
    prior ??= createExclusivePrior(model.network, classGroups(model))
    return prior
  }
  // The threshold was learned for predictions from all evidence.
  const isWhole = use.wordModel !== 'noisy-or' && use.anchors !== 'hidden' && use.words !== 'hidden'
  return {
    posterior: evidence => inference.posterior(evidence).probabilities,
    lastTag: (evidence, given) => scorer.score(evidence, given),
    logTags: y => priorOf().of(y),
    logTagsError: () => priorOf().standardError,
    ...(isWhole && wordModel.threshold !== undefined ? {threshold: wordModel.threshold} : {})
  }
}

/** A plain document, as in a JSON Lines file, read as the training documents were: what predictors and `explain` take. */
export function readDocument({lexicon}: Model, document: unknown): Evidence {
  return createEvidenceReader(lexicon)(parseRow(document, lexicon.text, 'document'))
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

export interface PredictionLineOptions {
  /** Only this many concepts in `posterior`, the most probable, highest first; by default all, in the model's order. */
  readonly top?: number | undefined
  /** Adds `tags`: the concepts with at least this probability, most probable first, whatever `top` is. */
  readonly threshold?: number | undefined
  /** Leaves `posterior` out. */
  readonly onlyTags?: boolean | undefined
}

/** The concepts with at least this probability, most probable first; of an exclusive group its most probable class, or none. */
export function tagsFrom({concepts, lexicon}: Model, probabilities: ArrayLike<number>, threshold: number): string[] {
  const chosen = new Map<number, boolean>()
  for (const group of exclusiveGroups(lexicon.anchors)) {
    const none = group.atMostOne ? 1 - group.concepts.reduce((sum, i) => sum + probabilities[i], 0) : 0
    const best = group.concepts.reduce((a, b) => (probabilities[b] > probabilities[a] ? b : a))
    for (const i of group.concepts) chosen.set(i, i === best && probabilities[i] >= none)
  }
  return byProbability(probabilities)
    .filter(i => chosen.get(i) ?? probabilities[i] >= threshold)
    .map(i => concepts[i].name)
}

function byProbability(probabilities: ArrayLike<number>): number[] {
  return Array.from(probabilities, (_, i) => i).sort((a, b) => probabilities[b] - probabilities[a])
}

/**
 * One line of `predictions.jsonl`: `{"id", "posterior": {concept: P(Y=1|document)}}`, or with a threshold
 * `{"id", "tags": [concepts], "posterior"}`. Written by hand, since an object would put names such as "2020" first.
 */
export function predictionLine(
  model: Model,
  id: string | number,
  probabilities: ArrayLike<number>,
  {top = Number.POSITIVE_INFINITY, threshold, onlyTags = false}: PredictionLineOptions = {}
): string {
  const {concepts} = model
  const shown = top < concepts.length ? byProbability(probabilities).slice(0, top) : concepts.keys()
  const posterior = () => Array.from(shown, i => `${jsonText(concepts[i].name)}:${probabilities[i]}`).join(',')
  const parts = [
    `"id":${jsonText(id)}`,
    ...(threshold === undefined ? [] : [`"tags":${jsonText(tagsFrom(model, probabilities, threshold))}`]),
    ...(onlyTags ? [] : [`"posterior":{${posterior()}}`])
  ]
  return `{${parts.join(',')}}\n`
}
