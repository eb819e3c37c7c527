import {grouped} from '../../src/base/text/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {ROBUST_LEAK_FLOOR} from '../../src/learn/loadings/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {type Counts, countCorpus, wordTotals} from '../../src/read/counts/index.ts'
import {trainBaselines, trainCeiling} from '../../src/use/baselines/index.ts'
import type {Figures} from '../../src/use/evaluation/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {chanceText, type Difference, intervalOf, signed, spreadText} from '../spread.ts'
import {
  type Claim,
  type Experiment,
  type Results,
  type Row,
  rounded,
  type Tables,
  type Verdict,
  verdicts
} from './experiment.ts'
import {type Material, oracleModel} from './material.ts'
import {judge, leftOutNote, MOST_HELD_OUT, MOST_TRAINING, type PredictionSplit, predictionSplit} from './split.ts'

export type LastTagCell = {
  readonly split: number
  readonly seed: number
  readonly family: Family
  readonly gap?: number
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

/** Relative cost: seconds for 8,000 documents and 50 concepts. */
const COSTS: Readonly<Record<Family, number>> = {models: 6, classifiers: 12, oracles: 8}

/** Methods that use tags only through the rates of the anchors. */
const withoutTags: readonly string[] = methods.filter(({group}) => group !== 'oracles').map(({id}) => id)
/** The paper's "Baseline" is the best of these: Natarajan et al. (2013), by either loss, in either variant. */
const noiseTolerant: readonly string[] = methods.filter(({id}) => id.startsWith('noise-')).map(({id}) => id)
const independentOracles: readonly string[] = ['oracle-mom-independent', 'oracle-ml-independent']
const flooredOracles: readonly string[] = [...independentOracles, 'oracle-mom-independent-floor']

/** A disadvantage of at most two points is not big. */
const SMALL = 0.02

/** Sections 5.5 and 5.6: which method finds the last tag. A cell trains and evaluates one family on one split. */
export const lastTag: Experiment<LastTagCell> = {
  name: 'last-tag',
  title: 'Last tag: all methods and oracles',
  about:
    'The last-tag task of the paper (Sections 5.5 and 5.6): all tags of a document but one are given, and the missing tag has to be the best guess. As in the paper, documents with fewer than two concepts are not asked about. The paper shows its accuracies only as a picture, so there are no numbers to compare with.',
  claims: [
    ...([false, true] as const).flatMap((floored): Claim[] => {
      const [tree, independent] = floored
        ? ['paper-tree-floor', 'paper-independent-floor']
        : ['paper-tree', 'paper-independent']
      const leaks = floored ? 'with a leak floor' : 'leaks clipped at 0'
      const oracles = floored ? flooredOracles : independentOracles
      return [
        {
          where: '5.6',
          isOfRealData: true,
          says: `ADFA with a tree finds more last tags than the best noise-tolerant classifier (${leaks}).`,
          rule: 'Points of accuracy, beyond two standard errors. Shown: difference (ADFA, the classifier).',
          judge: results => against(results, tree, bestOf(results, noiseTolerant))
        },
        {
          where: '5.6',
          isOfRealData: true,
          says: `ADFA with a tree beats what a model without edges can reach with all true tags, said of Stack Overflow (${leaks}).`,
          rule: `Points of accuracy over the best of the independent oracles${floored ? ', with or without a floor' : ''}, beyond two standard errors.`,
          judge: results => against(results, tree, bestOf(results, oracles))
        },
        {
          where: '5.6',
          isOfRealData: true,
          says: `ADFA with a tree finds more last tags than ADFA without edges (${leaks}).`,
          rule: 'Points of accuracy, beyond two standard errors. Shown: difference (tree, independent).',
          judge: results => against(results, tree, independent)
        }
      ]
    }),
    {
      where: '5.6',
      says: 'The method of moments is not much worse than maximum likelihood.',
      rule: 'Oracle MoM minus oracle ML, both with a tree: holds within two points; partly: within two points once leaks have a floor. Shown: difference (with the floor).',
      judge(results) {
        const [plain, floored] = ['oracle-mom-tree', 'oracle-mom-floor'].map(id =>
          differ(results, id, 'oracle-ml-tree')
        )
        return {
          verdict: plain.mean >= -SMALL ? 'holds' : floored.mean >= -SMALL ? 'partly' : 'not',
          shown: `${points(plain.mean)} (${points(floored.mean)})`
        }
      }
    },
    {
      where: '5.6',
      says: 'Tighter polytopes do not change the accuracy of the last tag significantly.',
      rule: 'Marginal minus simplex, in points: holds within two standard errors; partly: within one point.',
      judge(results) {
        const {verdict, mean} = differ(results, 'paper-marginal', 'paper-tree')
        const found: Verdict = verdict === 'unclear' ? 'holds' : Math.abs(mean) < 0.01 ? 'partly' : 'not'
        return {verdict: found, shown: points(mean)}
      }
    },
    {
      where: 'not in the paper',
      isOfRealData: true,
      says: '`robust` predicts more last tags than the best noise-tolerant classifier.',
      rule: 'Points of accuracy, beyond two standard errors, with the default settings of adfa.',
      judge: results => against(results, 'robust', bestOf(results, noiseTolerant))
    }
  ],
  cells: (_, {splits, seed, gap}) =>
    Array.from({length: splits}, (_, split) =>
      families.map(family => ({split, seed: seed + split, family, ...(gap && {gap})}))
    ).flat(),
  cost: ({family}) => COSTS[family],
  measure: measureFamily,
  figures: (results, {name}) => {
    const bars = methods.map(({id, name: method, group}) => {
      const spread = results.spread('methods', 'lastTag', {method: id})
      const marks = results.values('methods', 'lastTag', {method: id})
      return {name: method, group, value: spread.mean, ...intervalOf(spread, true), marks}
    })
    return [
      {
        name: 'last-tag',
        caption: `Share of tags found as the last tag of held-out documents of ${name}. Symbols: mean over the splits; lines: two standard errors, from the spread of the splits; faint symbols: single splits.`,
        chart: {
          kind: 'bars',
          title: 'Last-tag accuracy',
          description: `How often each of ${methods.length} methods finds the one hidden tag of a held-out document when its other tags are known. The table has the same figures.`,
          x: {label: 'last tag found', percent: true},
          panels: [{title: name, bars}]
        }
      }
    ]
  },
  tables: results => [
    {
      name: 'last-tag',
      caption: 'Means over the splits, with the standard error in brackets, in units of the last digit',
      head: ['method', 'kind', 'last tag', 'average precision', 'log-likelihood of the tags'],
      rows: methods.map(({id, name, group}) => [
        name,
        group,
        spreadText(results.spread('methods', 'lastTag', {method: id})),
        spreadText(results.spread('methods', 'averagePrecision', {method: id})),
        spreadText(results.spread('methods', 'logLikelihood', {method: id}), 2)
      ])
    }
  ],
  notes: results => {
    const best = bestOf(results, withoutTags)
    const range = (column: string) => results.range('methods', column)
    return [
      `The best method that reads no tags: ${nameOf(best)}, ${accuracyText(results, best)}%.`,
      `Learned from ${range('training')} documents (at most ${grouped(MOST_TRAINING)} of each split) and judged by ${range('heldOut')} others (at most ${grouped(MOST_HELD_OUT)}, as in the paper), ${range('concepts')} concepts. ${chanceText(results.distinct('methods', 'split').length)} Every tag of a document with at least two concepts is hidden in turn; all such documents have equal weight. Average precision and the log-likelihood of the tags, in nats per document, are for all held-out documents, without any known tag, where classifiers treat concepts as independent.`,
      '"Robust" is the default of this program; its "noisy-or links" are the words shown in reports, used for predictions. "Noise-tolerant" classifiers weight documents by the rates of the anchors (Natarajan et al. 2013, as in the paper); "unbiased loss" is the other method of that work. With the "anchor rule" the probability of a concept whose anchor fired comes from the rates of its anchor alone. Oracles learn from all tags of the training documents; "Oracle MoM" learns as the paper does. The paper says nothing of leaks that come out below 0; methods with a leak floor use the floor of robust, the others clip at 0.',
      ...leftOutNote(results)
    ]
  }
}

const points = (value: number) => signed(100 * value, 1)

function differ(results: Results, one: string, other: string): Difference {
  return results.difference('methods', 'lastTag', {method: one}, {method: other})
}

/** The best at the last tag by its mean over the splits; the first of equals. */
function bestOf(results: Results, among: readonly string[]): string {
  const mean = (id: string) => results.spread('methods', 'lastTag', {method: id}).mean
  return among.reduce((best, id) => (mean(id) > mean(best) ? id : best))
}

function against(results: Results, one: string, other: string) {
  const difference = differ(results, one, other)
  const shown = `${points(difference.mean)} (${accuracyText(results, one)}, ${accuracyText(results, other)})`
  return {verdict: verdicts[difference.verdict], shown}
}

function accuracyText(results: Results, id: string): string {
  return (100 * results.spread('methods', 'lastTag', {method: id}).mean).toFixed(1)
}

function nameOf(id: string): string {
  return methods.find(method => method.id === id)?.name ?? id
}

/** Trains a family on the training documents of a split and evaluates it on the held-out ones. */
export async function measureFamily(material: Material, {seed, family, gap}: LastTagCell): Promise<Tables> {
  const split = predictionSplit(material, seed)
  const found = await judges[family](split, gap)
  const own = methods.filter(method => method.family === family)
  const sizes = {
    training: split.training.documents.length,
    heldOut: split.heldOut.documents.length,
    concepts: split.training.lexicon.anchors.length
  }
  return {
    methods: own.map(({id}): Row => {
      const figures = found[id]
      if (figures === undefined) throw new Error(`internal error: nothing was measured of ${id}`)
      return {
        ...{method: id, ...sizes, lastTag: rounded(figures.lastTag.accuracy)},
        averagePrecision: rounded(figures.tagging.averagePrecision),
        logLikelihood: rounded(figures.tagLogLikelihood)
      }
    }),
    'left-out': split.leftOut.map(concept => ({concept}))
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
