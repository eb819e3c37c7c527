import {clamp} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type Corpus, type Evidence, exclusiveGroups} from '../../read/data/index.ts'
import {majorityBaseline} from '../baselines/index.ts'
import {createPredictor, type Predictor} from '../prediction/index.ts'
import type {Evaluation} from './evaluation.ts'
import {askPredictor, type DocumentAnswer, Evaluator} from './evaluator.ts'

/**
 * Starts to evaluate `model`, whose name is "model" among the methods; `oracle` is a model of the same concepts learned from true
 * tags, `others` are compared too. The last-tag task uses documents with at least `leastTags` concepts.
 */
export function openEvaluation(
  model: Model,
  oracle?: Model,
  others: Readonly<Record<string, Predictor>> = {},
  leastTags = 1
): Evaluator {
  const {oracle: best, ...own} = modelPredictors(model, oracle)
  const names = model.concepts.map(({name}) => name)
  const groups = exclusiveGroups(model.lexicon.anchors).map(group => {
    return {...group, classes: group.concepts.map(i => names[i])}
  })
  return new Evaluator(names, {...own, ...others, ...(best && {oracle: best})}, leastTags, groups)
}

/** What the model, its oracle and the baselines that follow from it say of a document, by name. */
export type ModelAnswers = ReadonlyMap<string, DocumentAnswer>

/** Asks the predictors of {@link openEvaluation} but `others`. */
export function createModelAnswers(
  model: Model,
  oracle?: Model
): (evidence: Evidence, labels: Int8Array) => ModelAnswers {
  const predictors = Object.entries(modelPredictors(model, oracle))
  return (evidence, labels) =>
    new Map(predictors.map(([name, predictor]) => [name, askPredictor(predictor, evidence, labels, 1)]))
}

function modelPredictors(model: Model, oracle: Model | undefined): Record<string, Predictor> {
  const majority = majorityBaseline(model.lexicon, model.concepts)
  return {
    model: createPredictor(model),
    ...(model.wordModel.kind === 'noisy-or' ? {} : {'noisy-or': createPredictor(model, {wordModel: 'noisy-or'})}),
    ...simpleBaselines(model),
    ...(majority && {'majority-vote': majority}),
    ...(oracle && {oracle: createPredictor(oracle)})
  }
}

/** Evaluates a model on a corpus read by its own lexicon (`encodeCorpus(rows, model.lexicon)`). */
export function evaluate(
  model: Model,
  corpus: Corpus,
  oracle?: Model,
  others: Readonly<Record<string, Predictor>> = {}
): Evaluation {
  const evaluation = openEvaluation(model, oracle, others)
  for (const document of corpus.documents) if (document.labels !== undefined) evaluation.add(document, document.labels)
  return evaluation.finish()
}

/** Baselines that need only the rates: the prior alone, and the prior with the anchors; concepts are independent in both. */
export function simpleBaselines(model: Model): Record<'prior' | 'anchors-only', Predictor> {
  const independent: Model = {
    ...model,
    wordModel: {kind: 'noisy-or'},
    network: {
      parents: model.concepts.map(() => []),
      cpt: model.concepts.map(({prevalence}) => Float64Array.of(clamp(prevalence, 1e-6, 1 - 1e-6)))
    }
  }
  return {
    prior: createPredictor(independent, {anchors: 'hidden', words: 'hidden'}),
    'anchors-only': createPredictor(independent, {anchors: 'used', words: 'hidden'})
  }
}
