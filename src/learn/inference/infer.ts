import {AdfaError, unreachable} from '../../base/checks/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import {type DocumentFactors, emptyFactors, readDocument} from './document-factors.ts'
import {exactPosterior} from './exact-posterior.ts'
import {gibbsPosterior} from './gibbs.ts'
import {buildTables} from './inference-tables.ts'
import {createMessagePassing} from './message-passing.ts'
import {checkInferenceOptions, type InferenceMethod, type InferenceOptions, wordModelOf} from './options.ts'

import type {ConceptLabels, Posterior} from './posterior.ts'
import {createWeightReader} from './weight-reader.ts'

/** A model made ready to read many documents; not to be shared between threads. */
export interface Inference {
  posterior(evidence: Evidence, known?: ConceptLabels): Posterior
}

/**
 * P(Y | document) for many documents, by the word model of `model`: what does not depend on the document is computed once,
 * here.
 */
export function createInference(model: Model, options: Partial<InferenceOptions> = {}): Inference {
  const checked = checkInferenceOptions(options)
  const wordModel = wordModelOf(model, checked.wordModel)
  if (wordModel.kind === 'noisy-or') return noisyOrInference(model, checked)
  if (checked.method !== 'auto')
    throw new AdfaError(
      'bad-option',
      `method "${checked.method}" is for noisy-or words; those of this model speak in log-odds, which are added up; leave the method out, or ask for the noisy-or wordModel`
    )
  const reader = createWeightReader(model, wordModel, checked)
  return {
    posterior(evidence, known) {
      const probabilities = reader.probabilities(evidence, known)
      return {probabilities, certificate: {method: 'weights', status: 'exact', steps: 1, unexplainedWords: 0}}
    }
  }
}

function noisyOrInference(model: Model, checked: InferenceOptions): Inference {
  const tables = buildTables(model)
  const factors = emptyFactors(tables.conceptCount)
  let passMessages: ReturnType<typeof createMessagePassing> | undefined
  return {
    posterior(evidence, known) {
      readDocument(factors, tables, evidence, {known, use: checked})
      const method = checked.method === 'auto' ? automaticMethod(factors, checked.exactLimit) : checked.method
      switch (method) {
        case 'exact':
          return exactPosterior(tables, factors)
        case 'message-passing':
          passMessages ??= createMessagePassing(tables, checked)
          return passMessages(factors)
        case 'gibbs':
          return gibbsPosterior(tables, factors, checked)
        default:
          return unreachable(method)
      }
    }
  }
}

/** P(Y | document) for one document; {@link createInference} is the way to read many. */
export function infer(
  model: Model,
  evidence: Evidence,
  options: Partial<InferenceOptions> & {readonly known?: ConceptLabels} = {}
): Posterior {
  const {known, ...rest} = options
  return createInference(model, rest).posterior(evidence, known)
}

function automaticMethod({known}: DocumentFactors, exactLimit: number): InferenceMethod {
  let unknown = 0
  for (let i = 0; i < known.length; i++) if (known[i] === -1) unknown++
  return unknown <= exactLimit ? 'exact' : 'message-passing'
}
