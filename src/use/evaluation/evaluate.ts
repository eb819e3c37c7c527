import {clamp} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type Corpus, type Evidence, exclusiveGroups} from '../../read/data/index.ts'
import {majorityBaseline} from '../baselines/index.ts'
import {createPredictor, type Predictor} from '../prediction/index.ts'
import type {ConceptMistakes} from './concept-mistakes.ts'
import {askPredictor, type DocumentAnswer, Evaluator} from './evaluator.ts'
import {bestMethods, differencesFrom, labelsWorth} from './figure-intervals.ts'
import type {Evaluation} from './figures.ts'
import type {NamedGroup} from './group-figures.ts'
import {LEVEL} from './resampling.ts'

/** An evaluation in progress: documents are added one at a time. */
export interface OpenEvaluation {
  /**
   * `labels`: 1 present, 0 absent, -1 unknown. With `only`, one method is asked, "model" before the others. `given` are answers
   * from {@link createModelAnswers}, which may be asked on threads.
   */
  add(evidence: Evidence, labels: Int8Array, only?: string, given?: ModelAnswers): void
  /** Methods that have not been asked about all documents. */
  pending(): string[]
  /** One more method, which is asked about the same documents. */
  compare(name: string, predictor: Predictor): void
  /** Of the methods that have been asked about all documents. */
  finish(seed?: number): Evaluation
  /** The model by concept, in its order, reporting by its own rule (`tagging.atThreshold`). */
  concepts(evaluation: Evaluation): ConceptMistakes[]
}

/** The name of the model among the methods. */
const MODEL = 'model'

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
  const evaluator = new Evaluator<string>(
    model.concepts.map(({name}) => name),
    predictors,
    leastTags,
    groupsOf(model)
  )
  return {
    add(evidence, labels, only, given) {
      // Other predictors may have the name of one of these, and then stand in its place.
      const own = given && new Map([...given].filter(([name]) => !Object.hasOwn(others, name)))
      evaluator.add(evidence, labels, only, own)
    },
    pending: () => evaluator.pending,
    compare: (name, predictor) => evaluator.compare(name, predictor),
    finish: seed => {
      const {documents, concepts, figures, draws} = evaluator.finish(seed)
      const methods = Object.keys(figures).map(name => [name, {figures: figures[name], draws: draws[name]}] as const)
      const [[, own], ...rest] = methods
      const worth = labelsWorth(own, rest)
      const baselines = rest.map(([name, one]) => [name, {...one.figures, differences: differencesFrom(own, one)}])
      return {
        documents,
        concepts,
        level: LEVEL,
        ...own.figures,
        baselines: Object.fromEntries(baselines),
        best: bestMethods([['this model', own], ...rest]),
        ...(worth && {labelsWorth: worth})
      }
    },
    concepts: () => evaluator.concepts(MODEL)
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
    [MODEL]: createPredictor(model),
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
