import {AdfaError} from '../../base/checks/index.ts'
import {logit, sigmoid} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {classGroups, decideLabels, excludeClasses} from '../votes/index.ts'
import {buildTables, readDocument, readLabels} from './document-factors.ts'
import {exactPosterior} from './exact-posterior.ts'
import {createMessagePassing} from './message-passing.ts'
import {
  type ConceptLabels,
  checkInferenceOptions,
  type InferenceOptions,
  type Posterior,
  wordModelOf
} from './posterior.ts'
import {WeightReader} from './weight-reader.ts'

/** With at most this many concepts without a label, enumeration is as fast as message passing. */
const EXACT_LIMIT = 10
/** Probabilities are kept this far from 0 and 1, which only rounding reaches. */
const PROBABILITY_FLOOR = 1e-15

/** A model prepared for many documents. It has scratch space, so threads must not share it. */
export interface Inference {
  posterior(evidence: Evidence, labels?: ConceptLabels): Posterior
}

/** Prepares a model for many documents: everything that does not depend on the document is computed once, here. */
export function createInference(model: Model, options: Partial<InferenceOptions> = {}): Inference {
  const checked = checkInferenceOptions(options)
  const wordModel = wordModelOf(model, checked.wordModel)
  if (wordModel.kind === 'noisy-or') return noisyOrInference(model, checked)
  if (checked.method !== 'auto')
    throw new AdfaError(
      'bad-option',
      `inference: \`method\` '${checked.method}' is for noisy-or words, and this model has word weights; leave it out, or set \`wordModel\` to 'noisy-or'`,
      {details: {option: 'method'}}
    )
  const reader = new WeightReader(model, wordModel, checked)
  const status = reader.isExact ? 'exact' : 'approximate'
  const certificate = {method: 'weights', status, steps: 1} as const
  return {posterior: (evidence, labels) => ({probabilities: reader.probabilities(evidence, labels), certificate})}
}

/** Prepares inference by the noisy-or links, with a correction for groups of exclusive classes. */
function noisyOrInference(model: Model, checked: InferenceOptions): Inference {
  const tables = buildTables(model)
  const groups = classGroups(model)
  const decided = new Int8Array(model.concepts.length)
  const passMessages = createMessagePassing(tables, checked)
  const {method} = checked
  return {
    posterior(evidence, labels) {
      readLabels(decided, labels)
      decideLabels(groups, decided)
      const factors = readDocument(tables, evidence, checked, decided)
      const unlabelled = decided.filter(label => label === -1).length
      const isExact = method === 'exact' || (method === 'auto' && unlabelled <= EXACT_LIMIT)
      const found = isExact ? exactPosterior(tables, factors) : passMessages(factors)
      return groups.length === 0 ? found : {...found, probabilities: excludeWithinGroups(found.probabilities)}
    }
  }

  /** Corrects probabilities that were computed as if classes did not exclude each other. */
  function excludeWithinGroups(probabilities: Float64Array): Float64Array {
    const logOdds = probabilities.map(p => logit(p, PROBABILITY_FLOOR))
    excludeClasses(groups, logOdds, decided)
    return probabilities.map((p, i) => (decided[i] === -1 ? sigmoid(logOdds[i]) : p))
  }
}

/** Computes P(Y | document) for one document; for many, use {@link createInference}. */
export function infer(
  model: Model,
  evidence: Evidence,
  options: Partial<InferenceOptions> & {readonly known?: ConceptLabels} = {}
): Posterior {
  const {known, ...rest} = options
  return createInference(model, rest).posterior(evidence, known)
}
