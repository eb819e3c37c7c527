import {AdfaError, nearestName} from '../../base/checks/index.ts'
import type {ConceptLabels, Posterior} from '../../learn/inference/index.ts'
import {
  checkInferenceOptions,
  createInference,
  type InferenceOptions,
  wordModelOf
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {explainNoisyOr} from './explain-noisy-or.ts'
import type {Contribution} from './explain-parts.ts'
import {explainWeights} from './explain-weights.ts'

/** Why a concept is believed of a document, or not. */
export interface Explanation {
  readonly concept: string
  readonly probability: number
  /** log P(Y = 1 | document) - log P(Y = 0 | document): the sum of all contributions. */
  readonly logOdds: number
  /**
   * In this order: prior, known tags, anchor, words that occur; then, by noisy-or links, words that do not and other
   * concepts, or, by words in log-odds, anchors of other concepts and the balance.
   */
  readonly contributions: readonly Contribution[]
  /** Words of the document that say nothing of the concept; noisy-or: words that it cannot cause. */
  readonly otherWords: number
  /** What is believed of all concepts. */
  readonly posterior: Posterior
}

export interface ExplainOptions extends InferenceOptions {
  readonly known: ConceptLabels
  /** Words that do not occur, or anchors of other concepts that do not fire, that are named one by one, at most. */
  readonly absentLimit: number
  /** Known tags, and other concepts, that are named one by one, at most; by noisy-or links the work doubles with each. */
  readonly conceptLimit: number
}

/** Log-odds of small probabilities need more digits than probabilities do. */
const TOLERANCE = 1e-9
const NAMED_AT_MOST = 12

/**
 * What speaks for a concept and what against it, in log-odds that add up to those of the posterior: by noisy-or links
 * ({@link explainNoisyOr}), or by words in log-odds ({@link explainWeights}), as the model or the option has it.
 */
export function explain(
  model: Model,
  evidence: Evidence,
  concept: string,
  options: Partial<ExplainOptions> = {}
): Explanation {
  const {known, absentLimit = 5, conceptLimit = 8, ...rest} = options
  const checked = checkInferenceOptions({...rest, tolerance: Math.min(TOLERANCE, rest.tolerance ?? TOLERANCE)})
  const wordModel = wordModelOf(model, checked.wordModel)
  const inference = createInference(model, checked)
  checkExplainOptions(checked, {absentLimit, conceptLimit})
  const i = findConcept(model, concept, known)
  const posterior = inference.posterior(evidence, known)
  const tags = Int8Array.from(known ?? model.concepts.map(() => -1))
  const reading = {model, evidence, i, tags, checked, inference, posterior, absentLimit, conceptLimit}
  const parts = wordModel.kind === 'weights' ? explainWeights(reading, wordModel) : explainNoisyOr(reading)
  return {concept, probability: posterior.probabilities[i], ...parts, posterior}
}

function checkExplainOptions({method}: InferenceOptions, limits: Readonly<Record<string, number>>): void {
  if (method === 'gibbs')
    throw new AdfaError(
      'bad-option',
      `an explanation compares many posteriors, which sampling is too rough for; got method 'gibbs'; use 'auto', 'exact' or 'message-passing'`
    )
  for (const [name, value] of Object.entries(limits)) {
    const most = name === 'conceptLimit' ? NAMED_AT_MOST : Number.MAX_SAFE_INTEGER
    if (!Number.isSafeInteger(value) || value < 0 || value > most)
      throw new AdfaError('bad-option', `explain option "${name}" must be a whole number, 0 to ${most}; got ${value}`)
  }
}

function findConcept({concepts}: Model, concept: string, known: ConceptLabels | undefined): number {
  const names = concepts.map(({name}) => name)
  const i = names.indexOf(concept)
  if (i === -1) {
    const nearest = nearestName(concept, names)
    const hint = nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`
    throw new AdfaError('bad-option', `the model has no concept "${concept}" to explain; ${hint}`)
  }
  if (known !== undefined && known[i] !== -1)
    throw new AdfaError(
      'bad-option',
      `"${concept}" is known to be ${known[i] === 1 ? 'present' : 'absent'}, so there is nothing to explain; leave it out of the known tags`
    )
  return i
}
