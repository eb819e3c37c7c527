import {clamp} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type Corpus, type Evidence, exclusiveGroups} from '../../read/data/index.ts'
import {majorityBaseline} from '../baselines/index.ts'
import {createPredictor, type Predictor} from '../prediction/index.ts'
import type {ConceptFigures} from './concept-figures.ts'
import {askPredictor, type DocumentAnswer, Evaluator, type Figures} from './evaluator.ts'
import type {NamedGroup} from './group-figures.ts'

/** A model's figures on tagged documents, always beside those of the baselines. */
export interface Evaluation extends Figures {
  readonly documents: number
  readonly concepts: number
  /**
   * `prior`, `anchors-only`, `majority-vote` where there are exclusive groups, the oracle if there is one, and other predictors; for a model with word weights also
   * `noisy-or`: the same model by its noisy-or links, which reports show.
   */
  readonly baselines: Readonly<Record<string, Figures>>
}

/** An evaluation in progress: documents are added one at a time. */
export interface OpenEvaluation {
  /** `labels`: 1 present, 0 absent, -1 unknown. `given` are answers from {@link createModelAnswers}, which may be asked on threads. */
  add(evidence: Evidence, labels: Int8Array, given?: ModelAnswers): void
  finish(): Evaluation
  /** The model by concept, in its order, reporting from its own threshold on (`tagging.atThreshold`). */
  concepts(evaluation: Evaluation): ConceptFigures[]
}

/**
 * Starts to evaluate `model`; `oracle` is a model of the same concepts learned from true tags, `others` are compared too.
 * The last-tag task uses documents with at least `leastTags` concepts.
 */
export function openEvaluation(
  model: Model,
  oracle?: Model,
  others: Readonly<Record<string, Predictor>> = {},
  leastTags = 1
): OpenEvaluation {
  const {oracle: best, ...own} = modelPredictors(model, oracle)
  const predictors = {...own, ...others, ...(best && {oracle: best})}
  const evaluator = new Evaluator<string>(model.concepts.length, predictors, leastTags, groupsOf(model))
  return {
    add(evidence, labels, given) {
      // Other predictors may have the name of one of these, and then stand in its place.
      const own = given && new Map([...given].filter(([name]) => !Object.hasOwn(others, name)))
      evaluator.add(evidence, labels, own)
    },
    finish: () => {
      const {documents, concepts, figures} = evaluator.finish()
      const {model: own, ...baselines} = figures
      return {documents, concepts, ...own, baselines}
    },
    concepts: ({tagging}) => evaluator.concepts('model', tagging.atThreshold.threshold)
  }
}

/** What the model, its oracle and the baselines that follow from it say of a document, by name. */
export type ModelAnswers = ReadonlyMap<string, DocumentAnswer>

/** Asks the predictors of {@link openEvaluation} but `others`. */
export function createModelAnswers(
  model: Model,
  oracle?: Model,
  leastTags = 1
): (evidence: Evidence, labels: Int8Array) => ModelAnswers {
  const predictors = Object.entries(modelPredictors(model, oracle))
  return (evidence, labels) =>
    new Map(predictors.map(([name, predictor]) => [name, askPredictor(predictor, evidence, labels, leastTags)]))
}

function modelPredictors(model: Model, oracle: Model | undefined): Record<string, Predictor> {
  return {
    model: createPredictor(model),
    ...(model.wordModel.kind === 'noisy-or' ? {} : {'noisy-or': createPredictor(model, {wordModel: 'noisy-or'})}),
    ...simpleBaselines(model),
    ...majorityOf(model),
    ...(oracle && {oracle: createPredictor(oracle)})
  }
}

function groupsOf({lexicon, concepts}: Model): NamedGroup[] {
  return exclusiveGroups(lexicon.anchors).map(group => ({...group, classes: group.concepts.map(i => concepts[i].name)}))
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

/** The majority vote in exclusive groups, where there are any. */
function majorityOf({lexicon, concepts}: Model): Record<string, Predictor> {
  const vote = majorityBaseline(lexicon, concepts)
  return vote === undefined ? {} : {'majority-vote': vote}
}

/** Baselines that need only the rates: the prior alone, and the prior with the anchors; concepts independent in both. */
export function simpleBaselines(model: Model): Record<'prior' | 'anchors-only', Predictor> {
  const independent = independentModel(model)
  return {
    prior: createPredictor(independent, {anchors: 'hidden', words: 'hidden'}),
    'anchors-only': createPredictor(independent, {anchors: 'used', words: 'hidden'})
  }
}

/** The same concepts and anchors, without edges between the concepts. */
function independentModel(model: Model): Model {
  return {
    ...model,
    wordModel: {kind: 'noisy-or'},
    network: {
      parents: model.concepts.map(() => []),
      cpt: model.concepts.map(({prevalence}) => Float64Array.of(clamp(prevalence, 1e-6, 1 - 1e-6)))
    }
  }
}
