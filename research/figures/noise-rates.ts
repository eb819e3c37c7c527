/**
 * Errors of noise rates on real text, by estimator and number of labelled documents, and their effect on predictions, judged by
 * the rows' tags. Results are kept in noise-rates.json, from which the tables of noise-rates.md and noise-rates.svg are made.
 *
 * Command: npx tsx research/figures/noise-rates.ts FILE.jsonl.gz... [--fields title,text] [--anchors FILE] [--draws 10] [--min-tags 2]
 */
import {writeFileSync} from 'node:fs'
import {basename} from 'node:path'
import {parseArgs} from 'node:util'
import {drawChart} from '../../src/app/drawing/index.ts'
import {hashShare} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type AnchorEstimates, type AnchorScores, noiseTable, scoreAnchors} from '../../src/learn/noise/index.ts'
import {type Counts, dropConcepts} from '../../src/read/counts/index.ts'
import {type AnchorRule, type Corpus, encodeCorpus, parseAnchors, type Row, rowKey} from '../../src/read/data/index.ts'
import {readTextFile} from '../../src/read/files/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {fillPage, markdownTable, readKept, writeKept} from '../page.ts'
import {countRows, readFile} from '../quality/problem.ts'
import {autoEstimate, cellsOf, type Estimate, isWeak, labelledTable, point, withEstimates} from '../quality/rates.ts'
import {mean} from '../spread.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    fields: {type: 'string', default: 'title'},
    anchors: {type: 'string'},
    draws: {type: 'string', default: '10'},
    'min-tags': {type: 'string', default: '2'}
  }
})
const LABELS = [50, 100, 200, 400]
const TRAINING_SHARE = 0.75
/** A fit takes longer than an estimate. */
const FITTED_DRAWS = 3
const kept = new URL('noise-rates.json', import.meta.url)
let all = readKept<readonly Figure[]>(kept, [])

for (const path of positionals) {
  const problem = await readProblem(path, values.fields.split(','), Number(values['min-tags']), values.anchors)
  const figures = [...(await measureUnlabelled(problem))]
  for (const labels of LABELS) figures.push(...(await measureLabelled(problem, labels, Number(values.draws))))
  all = [...all.filter(({corpus}) => corpus !== problem.corpus), ...figures]
  writeKept(kept, all)
  process.stderr.write(`${problem.corpus} done\n`)
}
fillPage('research/figures/noise-rates.md', {
  'table: errors': tableOf(all, errorCell),
  'table: effect': tableOf(all, ({lastTag, logLikelihood, averagePrecision}) =>
    [short(lastTag), logLikelihood.toFixed(2), short(averagePrecision)].join(' / ')
  )
})
writeFileSync(new URL('noise-rates.svg', import.meta.url), drawAccuracy(all))

/** How the rates were estimated, and their effect. */
interface Figure {
  readonly corpus: string
  readonly concepts: number
  readonly documents: number
  readonly method: string
  /** Labelled documents; 0 for methods without labels. */
  readonly labels: number
  readonly draws: number
  /** Of log P(A)/p, capped at 0.98, over concepts and draws that have an estimate. */
  readonly rmsError: number
  /** Root mean square error of log p, whatever the rate. */
  readonly prevalenceError: number
  /** The share of concepts that have an estimate. */
  readonly available: number
  /** Coverage of the 90% intervals; undefined where there is no interval. */
  readonly coverage: number | undefined
  /** Of held-out documents, with a model fitted with these rates, those without an estimate at the mean of the others. */
  readonly lastTag: number
  readonly logLikelihood: number
  readonly averagePrecision: number
}

interface NoiseProblem {
  readonly corpus: string
  readonly counts: Counts
  readonly scores: AnchorScores
  readonly training: Corpus
  readonly heldOut: Corpus
  readonly truth: readonly {readonly prevalence: number; readonly precision: number; readonly firing: number}[]
}

/** Documents with `minTags` of the 200 commonest tags; anchors: the tag's own name in `fields`, or those of a file. */
async function readProblem(
  path: string,
  fields: readonly string[],
  minTags: number,
  anchorsFile?: string
): Promise<NoiseProblem> {
  const rows = await readFile(path)
  const isTraining = (row: Row) => hashShare(rowKey(row), 0) < TRAINING_SHARE
  const source: AnchorRule =
    anchorsFile === undefined
      ? {kind: 'tags', fields, topTags: 50}
      : {kind: 'given', anchors: parseAnchors(await readTextFile(anchorsFile), anchorsFile)}
  const all = await countRows(rows.filter(isTraining), source, {minTags, negation: false})
  const weak = all.lexicon.anchors.flatMap(({concept}, i) => (isWeak(all, i) ? [{concept, reason: 'weak'}] : []))
  const counts = weak.length === 0 ? all : dropConcepts(all, weak)
  const [training, heldOut] = [true, false].map(wanted =>
    encodeCorpus(
      rows.filter(row => isTraining(row) === wanted),
      counts.lexicon
    )
  )
  const truth = counts.lexicon.anchors.map((_, i) => {
    const {positives, hits, fired, labelled} = cellsOf(counts, i)
    return {prevalence: positives / labelled, precision: hits / fired, firing: fired / labelled}
  })
  const name = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  const corpus = anchorsFile === undefined && fields.join() !== 'title' ? `${name} (${fields.join(' or ')})` : name
  return {corpus, counts, scores: scoreAnchors(training), training, heldOut, truth}
}

/** Methods without labels, and `exact` rates. */
async function measureUnlabelled(problem: NoiseProblem): Promise<Figure[]> {
  const {counts, scores, truth} = problem
  const bare = {...counts, labelled: new Float64Array(counts.labelled.length)}
  const table = noiseTable(bare, {scores})
  const half = table.map(({firing}) => ({prevalence: point(firing / 0.5), precision: undefined}))
  const exact = truth.map(({prevalence, precision}) => ({prevalence: point(prevalence), precision: point(precision)}))
  return [
    await figure(problem, 'exact', 0, [exact]),
    await figure(problem, 'constant 1/2', 0, [half]),
    ...(await Promise.all(
      (['guess', 'positive-only', 'irreducible', 'pair'] as const).map(method =>
        figure(problem, method, 0, [table.map(row => row.estimates.find(estimate => estimate.method === method))])
      )
    )),
    await figure(problem, 'auto', 0, [table.map(autoEstimate)])
  ]
}

/** Methods with labelled documents, redrawn each time. */
async function measureLabelled(problem: NoiseProblem, labels: number, draws: number): Promise<Figure[]> {
  const tables = Array.from({length: draws}, (_, draw) => labelledTable(problem, labels, draw))
  const by = (estimate: (row: AnchorEstimates) => Estimate | undefined) => tables.map(({table}) => table.map(estimate))
  const raws = tables.map(({raw}) => raw)
  const of = (method: string) => by(row => row.estimates.find(estimate => estimate.method === method))
  return [
    await figure(problem, 'each concept by itself', labels, raws),
    await figure(problem, 'pooled', labels, of('pooled')),
    await figure(problem, 'auto', labels, by(autoEstimate))
  ]
}

async function figure(
  problem: NoiseProblem,
  method: string,
  labels: number,
  draws: readonly (readonly (Estimate | undefined)[])[]
): Promise<Figure> {
  const {corpus, counts, truth} = problem
  const found = draws.flatMap(estimates =>
    estimates.flatMap((estimate, i) => (estimate === undefined ? [] : [{...estimate.prevalence, truth: truth[i]}]))
  )
  const errors = found.map(
    ({value, truth: {firing, prevalence}}) => logRate(firing / value) - logRate(firing / prevalence)
  )
  const missed = found.map(({value, truth: {prevalence}}) => Math.log(value / prevalence))
  const covered = found
    .filter(({low, high}) => low !== high)
    .map(({low, high, truth: {prevalence}}) => Number(prevalence >= low && prevalence <= high))
  const results = await Promise.all(draws.slice(0, FITTED_DRAWS).map(estimates => outcome(problem, estimates)))
  return {
    corpus,
    concepts: truth.length,
    documents: counts.documentCount,
    method,
    labels,
    draws: draws.length,
    rmsError: Math.sqrt(mean(errors.map(error => error ** 2))),
    prevalenceError: Math.sqrt(mean(missed.map(error => error ** 2))),
    available: errors.length / (truth.length * draws.length),
    coverage: covered.length === 0 ? undefined : mean(covered),
    lastTag: mean(results.map(({lastTag}) => lastTag.accuracy)),
    logLikelihood: mean(results.map(({tagLogLikelihood}) => tagLogLikelihood)),
    averagePrecision: mean(results.map(({tagging}) => tagging.averagePrecision))
  }
}

async function outcome({counts, heldOut, truth}: NoiseProblem, estimates: readonly (Estimate | undefined)[]) {
  const firing = truth.map(shares => shares.firing)
  // By noisy-or links with shrinkage, as the figures on the page were measured.
  const options = {noise: 'given', words: 'noisy-or', wordShrinkage: 1} as const
  return evaluate(await fit(withEstimates(counts, firing, estimates), options), heldOut)
}

/** Learning accepts no rate above 0.98, so errors beyond it do no harm. */
function logRate(rate: number): number {
  return Math.log(Math.min(rate, 0.98))
}

/** A row for each way to get rates and number of labels: without labels first. */
function tableOf(figures: readonly Figure[], cell: (figure: Figure) => string): string {
  const corpora = [...new Set(figures.map(({corpus}) => corpus))]
  const rows = new Map(figures.map(({method, labels}) => [`${method} ${labels}`, {method, labels}]))
  const lines = [...rows.values()]
    .sort((a, b) => a.labels - b.labels)
    .map(({method, labels}) => {
      const cells = corpora.map(corpus => {
        const found = figures.find(f => f.corpus === corpus && f.method === method && f.labels === labels)
        return found === undefined || !Number.isFinite(found.rmsError) ? '-' : cell(found)
      })
      return [method, labels === 0 ? '-' : labels, ...cells]
    })
  return markdownTable(['rates from', 'labels', ...corpora], lines)
}

function errorCell({rmsError, coverage, available}: Figure): string {
  return (
    short(rmsError) +
    (coverage === undefined ? '' : ` (${short(coverage)})`) +
    (available === 1 ? '' : ` [${short(available)}]`)
  )
}

function short(value: number): string {
  return value.toFixed(2).replace(/^0/, '')
}

/** Last-tag accuracy against the number of labelled documents, one panel per corpus. */
function drawAccuracy(figures: readonly Figure[]): string {
  const corpora = [...new Set(figures.map(({corpus}) => corpus))]
  const panels = corpora.map(title => {
    const of = (method: string) =>
      figures
        .filter(one => one.corpus === title && one.method === method && [0, ...LABELS].includes(one.labels))
        .map(({labels, lastTag}) => ({x: labels, y: lastTag}))
        .sort((a, b) => a.x - b.x)
    const level = (method: string) => of(method).flatMap(({x, y}) => (x === 0 ? [50, 400].map(at => ({x: at, y})) : []))
    return {
      title,
      series: [
        {name: 'pooled over concepts', points: of('pooled')},
        {name: 'each concept by itself', points: of('each concept by itself')},
        {name: 'exact rates', points: level('exact')},
        {name: 'guess, no labels', points: level('guess')}
      ]
    }
  })
  return drawChart({
    kind: 'lines',
    title: 'Last-tag accuracy by the number of labelled documents that give the noise rates',
    description:
      'Accuracy of the last tag given the others, on held-out documents of each corpus; levels: exact rates, and a guess without labels.',
    x: {label: 'labelled documents', log: true},
    y: {label: 'last tag found', percent: true},
    panels
  })
}
