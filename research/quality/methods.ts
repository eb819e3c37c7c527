import {type BayesNetwork, directedNetwork} from '../../src/base/network/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {learnFromCounts} from '../../src/learn/learn.ts'
import type {Model} from '../../src/learn/model/index.ts'
import type {FitOptions, Preset} from '../../src/learn/options.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {anchorsInNetwork, trainBaselines, trainCeiling} from '../../src/use/baselines/index.ts'
import {OracleTrainer} from '../../src/use/evaluation/index.ts'
import {createPredictor, type Predictor} from '../../src/use/prediction/index.ts'
import {type Timed, timed} from '../bench/bench.ts'
import type {QualityProblem} from './problem.ts'
import {drawLabelled, LABELLED_DOCUMENTS, type Setting} from './rates.ts'

/** A trained method. */
export interface Trained extends Predictor {
  readonly name: string
  /** Seconds of processor time for training; methods trained together share one figure. */
  readonly seconds: number
}

/**
 * All methods compared in a setting. Methods that learn from tags run only with given rates; the slowest ones are
 * trained on every split there, in the other settings only on the first.
 */
export async function trainAll(problem: QualityProblem, counts: Counts, setting: Setting): Promise<Own> {
  const {model, trained} = await trainOwn(problem, counts, setting)
  const isGiven = setting === 'given'
  const classifiers = isGiven || problem.seed === 0 ? await trainClassifiers(problem, model) : []
  const withTags = isGiven ? await trainWithTags(problem, model) : []
  return {model, trained: [...trained, ...classifiers, ...withTags]}
}

interface Own {
  readonly trained: readonly Trained[]
  /** `robust` with noisy-or words: the rates of the setting, and the network. */
  readonly model: Model
}

/** Our methods, and anchors in our networks. */
export async function trainOwn(problem: QualityProblem, counts: Counts, setting: Setting): Promise<Own> {
  const learn = (options: Partial<FitOptions> & {readonly preset?: Preset} = {}) =>
    timed(() => fit(counts, {noise: 'given', ...options}))
  // Labels that give rates teach words, too.
  const isLabelled = setting === 'labels' ? drawLabelled(problem.training, LABELLED_DOCUMENTS, problem.seed) : undefined
  const documents = problem.training.documents.map((document, d) =>
    isLabelled?.[d] === 1 ? document : {...document, labels: undefined}
  )
  const fromDocuments = await timed(() =>
    learnFromCounts(counts, {...problem.training, documents}, {noise: 'given'}, {})
  )
  const trained = (name: string, {value, seconds}: Timed<Model>) => ({name, seconds, ...createPredictor(value)})
  const noisyOr = await learn({words: 'noisy-or'})
  return {
    model: noisyOr.value,
    trained: [
      trained('robust', fromDocuments),
      trained('robust-counts', await learn()),
      trained('robust-noisy-or', noisyOr),
      trained('independent', await learn({network: 'independent', words: 'noisy-or'})),
      trained('paper', await learn({preset: 'paper'})),
      trained('paper-independent', await learn({preset: 'paper', network: 'independent'})),
      await withoutWords('anchors-network', problem, noisyOr.value, directedNetwork(noisyOr.value.network, 1))
    ]
  }
}

/** Anchors in a network without words, to measure what the words of a model add. */
async function withoutWords(
  name: string,
  {training}: QualityProblem,
  {concepts}: Model,
  network: BayesNetwork
): Promise<Trained> {
  const {value, seconds} = await timed(() => anchorsInNetwork(training, concepts, network))
  return {name, seconds, ...value}
}

/** Common alternatives; no tags are read. */
async function trainClassifiers({training}: QualityProblem, {concepts}: Model): Promise<Trained[]> {
  const {value, seconds} = await timed(() => trainBaselines(training, concepts))
  return Object.entries(value).map(([name, baseline]) => ({name, seconds, ...baseline}))
}

/** Methods that learn from all tags of the training documents. */
async function trainWithTags(problem: QualityProblem, model: Model): Promise<Trained[]> {
  const {training} = problem
  const oracle = await timed(async () => {
    const trainer = new OracleTrainer(model)
    for (const document of training.documents) if (document.labels !== undefined) trainer.add(document, document.labels)
    return trainer.finish()
  })
  const {value, seconds} = await timed(() => trainCeiling(training, model.concepts))
  return [
    await withoutWords('oracle-anchors-network', problem, model, directedNetwork(oracle.value.network, 1)),
    {name: 'oracle-mom', seconds: oracle.seconds, ...createPredictor(oracle.value)},
    ...Object.entries(value).map(([name, ceiling]) => ({name, seconds, ...ceiling}))
  ]
}
