/**
 * Question: which rule for tags has the best micro F1, by models fitted without labels and with a few? A rule reads whether the
 * anchor fires in the document (f), and the probability (p). `by labels` is the threshold that is best for the labelled documents,
 * which taught the model, `between` the mean of its logit and the model's, `hindsight` the best one for the measured documents.
 * Cells are micro F1, precision and recall; `calibration error` tells how far probabilities are from frequencies. Documents are outside the test splits of research/quality, or with --test in them.
 * Command: npx tsx research/bench/tag-rules.ts [--labels 0,30,100,200] [--test] [--corpora a,b]
 */
import {readFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {hashShare, logit, sigmoid} from '../../src/base/numeric/index.ts'
import {learnFromCounts} from '../../src/learn/learn.ts'
import {type CorpusDocument, type Row, rowKey} from '../../src/read/data/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {chooseCorpora, dataFolder as folder} from '../quality/corpora.ts'
import {type QualityProblem, readRows, splitProblem} from '../quality/problem.ts'
import {autoEstimate, drawLabelled, labelledTable, withEstimates} from '../quality/rates.ts'
import {mean} from '../spread.ts'
import {type BenchRow, record} from './bench.ts'

const options = {corpora: {type: 'string'}, labels: {type: 'string'}, test: {type: 'boolean'}} as const
const {corpora, labels: wanted = '0,30,100,200', test = false} = parseArgs({options}).values
const labelCounts = wanted.split(',').map(Number)
const kind = test ? 'test' : 'inner'
const SEEDS = {test: [0, 1, 2], inner: [17, 18]}
/** A document and a concept; documents without the anchor rank from 1 on. */
type Pair = Readonly<Record<'p' | 'truth' | 'rank', number> & {f: boolean}>
type Rule = readonly [name: string, reports: (pair: Pair) => boolean]
type Figures = readonly number[]
const total = (pairs: readonly Pair[]) => pairs.reduce((sum, {truth}) => sum + truth, 0)
const figuresOf = (said: readonly Pair[], positives: number) =>
  [2 / (said.length + positives), 1 / Math.max(said.length, 1), 1 / positives].map(share => share * total(said))
const above = (name: string, threshold: number): Rule => [name, ({p}) => p >= threshold]
const found: Readonly<{row: string; setting: string; figures: Figures}>[] = []
for (const corpus of chooseCorpora(corpora?.split(','))) {
  const isInner = (row: Row) => SEEDS.test.every(seed => hashShare(rowKey(row), seed) >= 0.2)
  const rows = (await readRows(corpus, folder)).filter(row => test || isInner(row))
  const variants = [{...corpus, setting: corpus.name}]
  if (corpus.negation) variants.push({...corpus, negation: false, setting: `${corpus.name}, no negation`})
  if (['cooking', 'debian-packages'].includes(corpus.name))
    variants.push({...corpus, anchorFields: ['title', 'text'], setting: `${corpus.name}, title or text`})
  for (const {setting, ...variant} of variants)
    for (const seed of SEEDS[kind]) {
      const problem = await splitProblem(variant, rows, {seed, folder})
      for (const labels of labelCounts)
        for (const [rule, figures] of await measure(problem, labels, variant.anchorFields.length === 1))
          found.push({row: `${labels}|${rule}`, setting, figures})
    }
}
const earlier = JSON.parse(readFileSync(new URL('../results/tag-rules.json', import.meta.url), 'utf8'))
const isKept = ({documents, labels}: BenchRow) => documents !== kind || !labelCounts.includes(Number(labels))
const measured = [...new Set(found.map(({row}) => row))].map(tabulated)
record('tag-rules', 'Rules for tags: micro F1, precision and recall', [...earlier.rows.filter(isKept), ...measured])

/** A rule: means over settings, the worst difference of F1 to the anchors, and the means over splits of each setting. */
function tabulated(row: string): BenchRow {
  const [labels, rule] = row.split('|')
  const meansOf = (list: readonly Figures[]) => list[0].map((_, at) => mean(list.map(figures => figures[at])))
  const cell = (setting: string, of = row) =>
    meansOf(found.filter(one => one.row === of && one.setting === setting).map(({figures}) => figures))
  const shown = (figures: Figures) => figures.map(value => value.toFixed(3)).join(' ')
  const settings = [...new Set(found.map(({setting}) => setting))]
  const differences = settings.map(setting => cell(setting)[0] - cell(setting, `${labels}|anchors`)[0])
  const cells = Object.fromEntries(settings.map(setting => [setting, shown(cell(setting))]))
  const overall = shown(meansOf(settings.map(setting => cell(setting))))
  const worst = /^(silent|calibration)/.test(rule) ? '' : Math.min(...differences).toFixed(3)
  return {documents: kind, labels: Number(labels), rule, mean: overall, 'worst to anchors': worst, ...cells}
}

async function measure(problem: QualityProblem, labels: number, isPart: boolean): Promise<[string, Figures][]> {
  const {counts, training, heldOut, firing, seed} = problem
  const drawn = drawLabelled(training, labels, seed)
  const documents = training.documents.map((own, d) => (drawn[d] === 1 ? own : {...own, labels: undefined}))
  const estimates = () => labelledTable({counts, training}, labels, seed).map(autoEstimate)
  const bare = {...counts, labelled: new Float64Array(counts.labelled.length)}
  const rated = labels === 0 ? bare : withEstimates(counts, firing, estimates())
  const model = await learnFromCounts(rated, {...training, documents}, {noise: labels === 0 ? 'auto' : 'given'}, {})
  const {posterior} = createPredictor(model)
  const own = model.wordModel.threshold ?? 0.5
  const pairsOf = (list: readonly CorpusDocument[]): Pair[] => {
    const read = list.map(document => ({...document, chances: posterior(document)}))
    return firing.flatMap((_, i) => {
      const all = read.map(one => [one.anchors.includes(i), one.chances[i], one.labels?.[i] === 1] as const)
      const fired = all.filter(([f]) => f).length
      all.sort(([f, p], [g, q]) => Number(g) - Number(f) || q - p)
      return all.map(([f, p, truth], at) => ({f, p, truth: Number(truth), rank: at + 1 - fired}))
    })
  }
  const pairs = pairsOf(heldOut.documents)
  const silent = pairs.filter(({f}) => !f)
  const [reported, top] = [silent.filter(({p}) => p >= own), silent.filter(({rank}) => rank <= 20)]
  const byLabels = labels === 0 ? undefined : bestThreshold(pairsOf(documents.filter((_, d) => drawn[d] === 1)))
  const byField: Rule = ['model if anchors read one field, else anchors', ({f, p}) => (isPart ? p >= own : f)]
  const rules = [...rulesOf(own, byLabels), byField, above('hindsight', bestThreshold(pairs))]
  return [
    ...rules.map(([name, reports]): [string, Figures] => [name, figuresOf(pairs.filter(reports), total(pairs))]),
    ['silent: reported, with concept, all with concept', [reported.length, total(reported), total(silent)]],
    ['silent: share with concept in top 20', [total(top) / top.length]],
    ['calibration error: all, anchor fired, silent', [pairs, pairs.filter(({f}) => f), silent].map(calibrationError)]
  ]
}

/** The mean distance of probability and frequency over fifteen bins. */
function calibrationError(pairs: readonly Pair[]): number {
  const gaps = new Float64Array(15)
  for (const {p, truth} of pairs) gaps[Math.min(14, Math.floor(15 * p))] += p - truth
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / pairs.length
}

function rulesOf(own: number, byLabels: number | undefined): Rule[] {
  const or = (b: number): Rule => [`f or p >= ${b}`, ({f, p}) => f || p >= b]
  const rules: Rule[] = [['anchors', ({f}) => f], above('model', own), or(0.95), or(0.97)]
  if (byLabels !== undefined)
    return [...rules, above('by labels', byLabels), above('between', sigmoid((logit(own) + logit(byLabels)) / 2))]
  return rules
}

function bestThreshold(pairs: readonly Pair[]): number {
  const positives = total(pairs)
  let [hits, f1, threshold] = [0, 0, 1]
  for (const [at, {p, truth}] of pairs.toSorted((a, b) => b.p - a.p).entries()) {
    hits += truth
    const own = (2 * hits) / (at + 1 + positives)
    if (own > f1) [f1, threshold] = [own, p]
  }
  return threshold
}
