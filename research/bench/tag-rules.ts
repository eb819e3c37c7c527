/**
 * Question: which rule for tags has the best micro F1, by models fitted without labels and with a few? A rule reads whether the
 * anchor fires in the document (f), and the probability (p). `by labels` is the threshold that is best for the labelled documents,
 * which taught the model, `between` the mean of its logit and the model's, `hindsight` the best one for the measured documents.
 * Cells are micro F1, precision and recall. Documents are outside the test splits of research/quality, or with --test in them.
 *
 * Command: npx tsx research/bench/tag-rules.ts [--labels 0,30,100,200] [--test] [--corpora a,b]
 */
import {existsSync, readFileSync} from 'node:fs'
import {parseArgs} from 'node:util'
import {hashShare, logit, sigmoid} from '../../src/base/numeric/index.ts'
import {learnFromCounts} from '../../src/learn/learn.ts'
import {type CorpusDocument, type Row, rowKey} from '../../src/read/data/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {autoEstimate, drawLabelled, labelledTable, mean, withEstimates} from '../figures/noise-rates-estimates.ts'
import {chooseCorpora, dataFolder as folder} from '../quality/corpora.ts'
import {type QualityProblem, readRows, splitProblem} from '../quality/problem.ts'
import {type BenchRow, record} from './record.ts'

const options = {corpora: {type: 'string'}, labels: {type: 'string'}, test: {type: 'boolean'}} as const
const {corpora, labels: wanted = '0,30,100,200', test = false} = parseArgs({options}).values
const labelCounts = wanted.split(',').map(Number)
const kind = test ? 'test' : 'inner'
const SEEDS = {test: [0, 1, 2], inner: [17, 18]}

/** A document and a concept; documents without the anchor have a rank, `fired` counts those with it. */
type Pair = Readonly<Record<'p' | 'truth' | 'rank' | 'fired', number> & {f: boolean}>
type Rule = readonly [name: string, reports: (pair: Pair) => boolean]
type Figures = readonly number[]

const found: Readonly<{labels: number; setting: string; rule: string; figures: Figures}>[] = []
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
      const isPart = variant.anchorFields.length === 1
      for (const labels of labelCounts)
        for (const [rule, figures] of await measure(problem, labels, isPart))
          found.push({labels, setting, rule, figures})
    }
}
const file = new URL('../results/tag-rules.json', import.meta.url)
const earlier: BenchRow[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).rows : []
const kept = earlier.filter(row => row.documents !== kind || !labelCounts.includes(Number(row.labels)))
const keys = [...new Set(found.map(({labels, rule}) => `${labels}|${rule}`))].map(key => key.split('|'))
const measured = keys.map(([labels, rule]) => tabulated(Number(labels), rule))
record('tag-rules', 'Rules for tags: micro F1, precision and recall, by few or no labels', [...kept, ...measured])

/** A rule: means over settings, the worst difference of F1 to the anchors, and the means over splits of each setting. */
function tabulated(labels: number, rule: string): BenchRow {
  const settings = [...new Set(found.map(({setting}) => setting))]
  const cell = (setting: string, of = rule) =>
    meansOf(found.filter(one => one.labels === labels && one.setting === setting && one.rule === of))
  const meansOf = (list: readonly {readonly figures: Figures}[]) =>
    list[0].figures.map((_, at) => mean(list.map(({figures}) => figures[at])))
  const shown = (figures: Figures) => figures.map(value => value.toFixed(3)).join(' ')
  const overall = meansOf(settings.map(setting => ({figures: cell(setting)})))
  const worst = rule.startsWith('silent')
    ? ''
    : Math.min(...settings.map(setting => cell(setting)[0] - cell(setting, 'anchors')[0])).toFixed(3)
  const cells = Object.fromEntries(settings.map(setting => [setting, shown(cell(setting))]))
  return {documents: kind, labels, rule, mean: shown(overall), 'worst to anchors': worst, ...cells}
}

async function measure(problem: QualityProblem, labels: number, isPart: boolean): Promise<[string, Figures][]> {
  const {counts, training, heldOut, firing, seed} = problem
  const drawn = drawLabelled(training, labels, seed)
  const documents = training.documents.map((own, d) => (drawn[d] === 1 ? own : {...own, labels: undefined}))
  const estimates = () => labelledTable({counts, training}, labels, seed).table.map(autoEstimate)
  const bare = {...counts, labelled: new Float64Array(counts.labelled.length)}
  const rated = labels === 0 ? bare : withEstimates(counts, firing, estimates())
  const model = await learnFromCounts(rated, {...training, documents}, {noise: labels === 0 ? 'auto' : 'given'}, {})
  const {posterior, threshold: own = 0.5} = createPredictor(model)
  const pairsOf = (list: readonly CorpusDocument[]): Pair[] => {
    const read = list.map(document => ({...document, chances: posterior(document)}))
    return firing.flatMap((_, i) => {
      const fired = read.filter(({anchors}) => anchors.includes(i)).length
      let silent = 0
      const pairOf = ({anchors, chances, labels}: (typeof read)[number]) => {
        const f = anchors.includes(i)
        return {p: chances[i], truth: labels?.[i] === 1 ? 1 : 0, f, rank: f ? 0 : ++silent, fired}
      }
      return read.toSorted((a, b) => b.chances[i] - a.chances[i]).map(pairOf)
    })
  }
  const pairs = pairsOf(heldOut.documents)
  const silent = pairs.filter(({f}) => !f)
  const [reported, top] = [silent.filter(({p}) => p >= own), silent.filter(({rank}) => rank <= 20)]
  const byLabels = labels === 0 ? undefined : best(pairsOf(documents.filter((_, d) => drawn[d] === 1)))
  const figuresOf = ([name, reports]: Rule): [string, Figures] => {
    const all = pairs.filter(reports)
    const hits = total(all)
    return [name, [(2 * hits) / (all.length + total(pairs)), hits / Math.max(all.length, 1), hits / total(pairs)]]
  }
  const rules = [...rulesOf(own, byLabels), above('hindsight', best(pairs))]
  rules.push(['model if anchors read one field, else anchors', ({f, p}) => (isPart ? p >= own : f)])
  return [
    ...rules.map(figuresOf),
    ['silent: reported, with concept, all with concept', [reported.length, total(reported), total(silent)]],
    ['silent: share with concept in top 20', [total(top) / top.length]]
  ]
}

function rulesOf(own: number, byLabels: number | undefined): Rule[] {
  const or = (b: number): Rule => [`f or p >= ${b}`, ({f, p}) => f || p >= b]
  const and = (a: number, b: number, name: string): Rule => [`f and p >= ${a}${name}`, ({f, p}) => p >= (f ? a : b)]
  const topped = (c: number): Rule => [`f or top ${c}`, ({f, rank, fired}) => f || rank <= Math.round(c * fired)]
  const rules: Rule[] = [['anchors', ({f}) => f], above('model', own), or(0.95), or(0.97)]
  if (byLabels !== undefined)
    return [...rules, above('by labels', byLabels), above('between', sigmoid((logit(own) + logit(byLabels)) / 2))]
  if (test) return rules
  const mixed = [0.1, 0.2, 0.3, 0.4, 0.5].flatMap(a => [and(a, 0.95, ' or p >= 0.95'), and(a, 2, '')])
  return [...rules, ...[0.8, 0.9, 0.99].map(or), ...mixed, ...[0.05, 0.1, 0.2].map(topped)]
}

function above(name: string, threshold: number): Rule {
  return [name, ({p}) => p >= threshold]
}

function total(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, {truth}) => sum + truth, 0)
}

/** The threshold with the highest micro F1. */
function best(pairs: readonly Pair[]): number {
  const positives = total(pairs)
  let [hits, f1, threshold] = [0, 0, 1]
  for (const [at, {p, truth}] of pairs.toSorted((a, b) => b.p - a.p).entries()) {
    hits += truth
    const own = (2 * hits) / (at + 1 + positives)
    if (own > f1) [f1, threshold] = [own, p]
  }
  return threshold
}
