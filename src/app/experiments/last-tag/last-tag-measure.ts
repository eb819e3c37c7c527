import {fit} from '../../../learn/fit.ts'
import type {Model} from '../../../learn/model/index.ts'
import {presets} from '../../../learn/presets.ts'
import {type Counts, countCorpus} from '../../../read/counts/index.ts'
import type {Corpus} from '../../../read/data/index.ts'
import {trainBaselines, trainCeiling} from '../../../use/baselines/index.ts'
import {type Evaluation, type Figures, openEvaluation} from '../../../use/evaluation/index.ts'
import {createPredictor, type Predictor} from '../../../use/prediction/index.ts'
import type {Material} from '../material.ts'
import {oracleModel} from '../oracle-model.ts'
import {rounded} from '../rounded.ts'
import {type Family, type MethodId, methods} from './last-tag-methods.ts'
import {type LastTagSplit, lastTagSplit} from './last-tag-split.ts'

export type LastTagCell = {
  readonly split: number
  readonly seed: number
  readonly family: Family
}

/** One method on the held-out documents of a split; null where no document could tell. */
export type MethodFigures = {
  readonly lastTag: number | null
  /** Macro average precision, no tag known. */
  readonly averagePrecision: number | null
  /** Mean log P(y), nats a document. */
  readonly logLikelihood: number | null
}

export type LastTagResult = {
  readonly training: number
  readonly heldOut: number
  readonly concepts: number
  readonly leftOut: readonly string[]
  readonly figures: {readonly [Id in MethodId]?: MethodFigures}
}

/** Train a family on the training documents of a split and ask it about the held-out ones. */
export function measureFamily(material: Material, {seed, family}: LastTagCell): LastTagResult {
  const split = lastTagSplit(material, seed)
  const found: Readonly<Record<string, Figures | undefined>> = judges[family](split)
  const own = methods.filter(method => method.family === family)
  return {
    training: split.training.documents.length,
    heldOut: split.heldOut.documents.length,
    concepts: split.training.lexicon.anchors.length,
    leftOut: split.leftOut,
    figures: Object.fromEntries(own.map(({id}) => [id, shortFigures(found[id], id)]))
  }
}

const judges: Readonly<Record<Family, (split: LastTagSplit) => Readonly<Record<string, Figures>>>> = {
  models({training, heldOut}) {
    const counts = countCorpus(training)
    const robust = fit(counts, {noise: 'given'}, {documents: training})
    const {baselines, ...own} = evaluateAll(robust, heldOut, {
      'paper-tree': createPredictor(fit(counts, {preset: 'paper'})),
      'paper-marginal': createPredictor(fit(counts, {preset: 'paper', polytope: 'marginal'})),
      'paper-independent': createPredictor(paperIndependent(counts))
    })
    return {...baselines, robust: own, 'robust-noisy-or': baselines['noisy-or']}
  },
  classifiers({training, heldOut}) {
    const model = paperIndependent(countCorpus(training))
    return evaluateAll(model, heldOut, trainBaselines(training, model.concepts)).baselines
  },
  oracles({training, heldOut}) {
    const counts = countCorpus(training)
    const tree = fit(counts, {preset: 'paper'})
    const floored = fit(counts, {preset: 'paper', leakFloor: presets.robust.leakFloor})
    const {baselines, ...own} = evaluateAll(oracleModel(tree, training), heldOut, {
      'oracle-mom-independent': createPredictor(oracleModel(paperIndependent(counts), training)),
      'oracle-mom-floor': createPredictor(oracleModel(floored, training)),
      ...trainCeiling(training, tree.concepts)
    })
    return {...baselines, 'oracle-mom-tree': own}
  }
}

function paperIndependent(counts: Counts): Model {
  return fit(counts, {preset: 'paper', structure: 'independent'})
}

function evaluateAll(model: Model, {documents}: Corpus, others: Readonly<Record<string, Predictor>>): Evaluation {
  const evaluation = openEvaluation(model, undefined, others)
  for (const {evidence, truth} of documents) if (truth !== undefined) evaluation.add(evidence, truth)
  return evaluation.finish()
}

function shortFigures(figures: Figures | undefined, id: MethodId): MethodFigures {
  if (figures === undefined) throw new Error(`internal error: nothing was measured of ${id}`)
  return {
    lastTag: rounded(figures.lastTag.accuracy),
    averagePrecision: rounded(figures.tagging.averagePrecision),
    logLikelihood: rounded(figures.tagLogLikelihood)
  }
}
