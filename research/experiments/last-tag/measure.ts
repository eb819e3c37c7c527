import {fit} from '../../../src/learn/fit.ts'
import {ROBUST_LEAK_FLOOR} from '../../../src/learn/loadings/index.ts'
import type {Model} from '../../../src/learn/model/index.ts'
import {type Counts, countCorpus, wordTotals} from '../../../src/read/counts/index.ts'
import {trainBaselines, trainCeiling} from '../../../src/use/baselines/index.ts'
import type {Figures} from '../../../src/use/evaluation/index.ts'
import {createPredictor} from '../../../src/use/prediction/index.ts'
import {rounded} from '../experiment.ts'
import {type Material, oracleModel} from '../material.ts'
import {judge, type PredictionSplit, predictionSplit} from '../split.ts'

export type LastTagCell = {
  readonly split: number
  readonly seed: number
  readonly family: Family
  readonly gap?: number
}

/** One method on the held-out documents of a split; null where no document determines a figure. */
export type MethodFigures = {
  /** Of documents with at least two concepts, as in the paper. */
  readonly lastTag: number | null
  /** Macro average precision, no tag known. */
  readonly averagePrecision: number | null
  /** Mean log P(y), nats per document. */
  readonly logLikelihood: number | null
}

export type LastTagResult = {
  readonly training: number
  readonly heldOut: number
  readonly concepts: number
  readonly leftOut: readonly string[]
  readonly figures: {readonly [Id in MethodId]?: MethodFigures}
}

/** Train a family on the training documents of a split and evaluate it on the held-out ones. */
export async function measureFamily(material: Material, {seed, family, gap}: LastTagCell): Promise<LastTagResult> {
  const split = predictionSplit(material, seed)
  const found = await judges[family](split, gap)
  const own = methods.filter(method => method.family === family)
  return {
    training: split.training.documents.length,
    heldOut: split.heldOut.documents.length,
    concepts: split.training.lexicon.anchors.length,
    leftOut: split.leftOut,
    figures: Object.fromEntries(own.map(({id}) => [id, shortFigures(found[id], id)]))
  }
}

type FamilyFigures = Readonly<Record<string, Figures | undefined>>

const judges: Readonly<
  Record<Family, (split: PredictionSplit, gap?: number) => FamilyFigures | Promise<FamilyFigures>>
> = {
  async models({training, heldOut}, gap) {
    const counts = countCorpus(training)
    const tree = await fit(counts, {preset: 'paper'})
    const independent = await fit(counts, {preset: 'paper', network: 'independent'})
    const {baselines, ...own} = judge(await fit(counts, {noise: 'given'}, {documents: training}), heldOut, {
      'paper-tree': createPredictor(tree),
      'paper-marginal': createPredictor(await fit(counts, {preset: 'paper', polytope: 'marginal', ...(gap && {gap})})),
      'paper-independent': createPredictor(independent),
      'paper-tree-floor': createPredictor(withLeakFloor(tree, counts)),
      'paper-independent-floor': createPredictor(withLeakFloor(independent, counts))
    })
    return {...baselines, robust: own, 'robust-noisy-or': baselines['noisy-or']}
  },
  async classifiers({training, heldOut}) {
    const model = await fit(countCorpus(training), {preset: 'paper', network: 'independent'})
    return judge(model, heldOut, trainBaselines(training, model.concepts)).baselines
  },
  async oracles({training, heldOut}) {
    const counts = countCorpus(training)
    const oracle = await oracleModel(await fit(counts, {preset: 'paper'}), training)
    const independent = await oracleModel(await fit(counts, {preset: 'paper', network: 'independent'}), training)
    const {baselines, ...own} = judge(oracle, heldOut, {
      'oracle-mom-independent': createPredictor(independent),
      'oracle-mom-floor': createPredictor(withLeakFloor(oracle, counts)),
      'oracle-mom-independent-floor': createPredictor(withLeakFloor(independent, counts)),
      ...trainCeiling(training, oracle.concepts)
    })
    return {...baselines, 'oracle-mom-tree': own}
  }
}

/** The paper clips leaks at 0, where one unexplained word rules a concept out; with the floor of `robust` none does. */
function withLeakFloor(model: Model, counts: Counts): Model {
  const least = wordTotals(counts).map(total => (ROBUST_LEAK_FLOOR * total) / counts.documentCount)
  return {...model, loadings: {...model.loadings, leak: model.loadings.leak.map((l, j) => Math.max(l, least[j]))}}
}

function shortFigures(figures: Figures | undefined, id: MethodId): MethodFigures {
  if (figures === undefined) throw new Error(`internal error: nothing was measured of ${id}`)
  return {
    lastTag: rounded(figures.lastTag.accuracy),
    averagePrecision: rounded(figures.tagging.averagePrecision),
    logLikelihood: rounded(figures.tagLogLikelihood)
  }
}

/** Methods that are trained together, on one worker. */
export const families = ['models', 'classifiers', 'oracles'] as const
export type Family = (typeof families)[number]

interface Method {
  readonly id: string
  /** In pictures and tables. */
  readonly name: string
  /** Oracles learn from all tags of the training documents. */
  readonly group: 'this project' | 'the paper' | 'baselines' | 'oracles'
  readonly family: Family
}

/** All methods, in the order of pictures and tables. */
export const methods = [
  {id: 'robust', name: 'robust', group: 'this project', family: 'models'},
  {id: 'robust-noisy-or', name: 'robust, noisy-or links', group: 'this project', family: 'models'},
  {id: 'paper-tree', name: 'ADFA, tree (paper)', group: 'the paper', family: 'models'},
  {id: 'paper-marginal', name: 'ADFA, tree, marginal polytope', group: 'the paper', family: 'models'},
  {id: 'paper-independent', name: 'ADFA, independent (paper)', group: 'the paper', family: 'models'},
  {id: 'paper-tree-floor', name: 'ADFA, tree, leak floor', group: 'the paper', family: 'models'},
  {id: 'paper-independent-floor', name: 'ADFA, independent, leak floor', group: 'the paper', family: 'models'},
  {id: 'noise-weighted', name: 'noise-tolerant', group: 'baselines', family: 'classifiers'},
  {id: 'noise-weighted-rule', name: 'noise-tolerant, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'noise-unbiased', name: 'unbiased loss', group: 'baselines', family: 'classifiers'},
  {id: 'noise-unbiased-rule', name: 'unbiased loss, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'positive-unlabelled', name: 'positive-unlabelled', group: 'baselines', family: 'classifiers'},
  {id: 'positive-unlabelled-rule', name: 'positive-unlabelled, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'anchor-label', name: 'anchor as label', group: 'baselines', family: 'classifiers'},
  {id: 'anchor-label-rule', name: 'anchor as label, anchor rule', group: 'baselines', family: 'classifiers'},
  {id: 'imputation', name: 'imputation', group: 'baselines', family: 'classifiers'},
  {id: 'anchors-only', name: 'anchors alone', group: 'baselines', family: 'models'},
  {id: 'prior', name: 'prevalences alone', group: 'baselines', family: 'models'},
  {id: 'oracle-mom-tree', name: 'Oracle MoM, tree', group: 'oracles', family: 'oracles'},
  {id: 'oracle-mom-independent', name: 'Oracle MoM, independent', group: 'oracles', family: 'oracles'},
  {id: 'oracle-mom-floor', name: 'Oracle MoM, tree, leak floor', group: 'oracles', family: 'oracles'},
  {
    id: 'oracle-mom-independent-floor',
    name: 'Oracle MoM, independent, leak floor',
    group: 'oracles',
    family: 'oracles'
  },
  {id: 'oracle-ml-tree', name: 'Oracle ML, tree', group: 'oracles', family: 'oracles'},
  {id: 'oracle-ml-independent', name: 'Oracle ML, independent', group: 'oracles', family: 'oracles'},
  {id: 'supervised', name: 'supervised classifiers', group: 'oracles', family: 'oracles'}
] as const satisfies readonly Method[]

export type MethodId = (typeof methods)[number]['id']

export function methodName(id: MethodId): string {
  return methods.find(method => method.id === id)?.name ?? id
}
