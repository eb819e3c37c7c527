/**
 * The cost of withholding small cells for three hospitals that pool their tables. Figures are kept in
 * federated.json, from which docs/pooling/suppression.svg and the table of docs/pooling.md (printed here) are made.
 *
 * Command: npx tsx research/figures/federated.ts [DOCUMENTS...]   (measures these sizes anew: 11000 110000, some four minutes)
 */

import {writeFileSync} from 'node:fs'
import {type ChartSeries, drawChart} from '../../src/app/drawing/index.ts'
import {type Rng, rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import {type Counts, countCorpus, mergeCounts} from '../../src/read/counts/index.ts'
import {buildCorpus, type Corpus, encodeCorpus, parseRow} from '../../src/read/data/index.ts'
import {poolReleases, releaseCounts, releaseToCounts} from '../../src/read/pooling/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {emergencyModel, generateDocuments} from '../../src/use/synthetic/index.ts'
import {markdownTable, readKept, thousands, writeKept} from '../page.ts'
import {mean} from '../spread.ts'

/** Figures of one way to learn, at one size of the hospitals, over several draws of them. */
interface Figure {
  /** Documents of the three hospitals together. */
  readonly documents: number
  readonly way: 'central' | 'best hospital' | 'anchors only' | 'withheld'
  /** The threshold c; 0 where there is none. */
  readonly setting: number
  /** One per draw. */
  readonly lastTag: readonly number[]
  readonly averagePrecision: readonly number[]
  /** Share of the numbers withheld in the pooled tables. */
  readonly withheld: number
}

const thresholds = [0, 5, 10, 20, 30, 50]

const DRAWS = [1, 2]
/** Factors on the odds of some conditions; everything else is the same in all hospitals. */
const hospitals: readonly {name: string; share: number; times: Readonly<Record<string, number>>}[] = [
  {name: 'north', share: 5 / 11, times: {fall: 2, 'motor vehicle collision': 2, 'back pain': 2}},
  {name: 'south', share: 4 / 11, times: {pneumonia: 0.5, cellulitis: 0.5, headache: 0.5}},
  {name: 'west', share: 2 / 11, times: {alcohol: 3, 'suicidal ideation': 2}}
]
/** The words of these documents are drawn by a noisy-or, so predictions use it. */
const options: Partial<FitOptions> = {words: 'noisy-or'}
const truth = emergencyModel()
const {lexicon} = buildCorpus(generateDocuments(truth, 5000, rng(1)), anchorsWithRates(truth))

/** Reference lines, the same at every setting. */
const levels = {central: 'all documents together', 'best hospital': 'best hospital alone'}

const kept = new URL('federated.json', import.meta.url)
let figures = readKept<readonly Figure[]>(kept, [])
for (const size of process.argv.slice(2).map(Number)) {
  const draws: Figure[][] = []
  for (const draw of DRAWS) draws.push(await measureDraw(size, draw))
  const together = draws[0].map((first, at) => ({
    ...first,
    lastTag: draws.flatMap(draw => draw[at].lastTag),
    averagePrecision: draws.flatMap(draw => draw[at].averagePrecision)
  }))
  figures = [...figures.filter(({documents}) => documents !== size), ...together]
  writeKept(kept, figures, 5)
  process.stderr.write(`${size} documents measured\n`)
}

const sizes = [...new Set(figures.map(({documents}) => documents))].sort((a, b) => a - b)
const suppression = drawChart({
  kind: 'lines',
  title: 'Pooling without small cells',
  description:
    'Accuracy of the last tag against the threshold below which cells are withheld, for two sizes of three hospitals together.',
  x: {label: 'cells below this many documents are withheld'},
  y: {label: 'accuracy of the last tag', percent: true},
  panels: sizes.map(size => ({title: `${thousands(size)} documents`, series: seriesOf(size)}))
})
writeFileSync(new URL('../../docs/pooling/suppression.svg', import.meta.url), suppression)
const rows = [
  ...thresholds.map(setting => [setting, ...sizes.map(size => cell(find(size, 'withheld', setting)))]),
  ...['central', 'best hospital', 'anchors only'].map(way => [way, ...sizes.map(size => cell(find(size, way, 0)))])
]
console.log(markdownTable(['c', ...sizes.map(size => `${thousands(size)}, withheld`)], rows))

/** The line of anchors alone is so low that it would hide the cost of withholding. */
function seriesOf(size: number): ChartSeries[] {
  const own = thresholds.map(setting => find(size, 'withheld', setting))
  const pooled = {
    name: 'pooled tables',
    points: own.map(({setting, lastTag}) => ({x: setting, y: mean(lastTag)})),
    marks: own.flatMap(({setting, lastTag}) => lastTag.map(y => ({x: setting, y})))
  }
  const level = ([way, name]: [string, string]) => {
    const y = mean(find(size, way, 0).lastTag)
    return {name, points: [thresholds[0], thresholds[thresholds.length - 1]].map(x => ({x, y}))}
  }
  return [pooled, ...Object.entries(levels).map(level)]
}

function cell({withheld, lastTag, averagePrecision}: Figure): string {
  const share = withheld > 0 ? `${(100 * withheld).toFixed(0)}%: ` : ''
  return `${share}${mean(lastTag).toFixed(3)}, ${mean(averagePrecision).toFixed(3)}`
}

function find(documents: number, way: string, setting: number): Figure {
  const found = figures.find(
    figure => figure.documents === documents && figure.way === way && figure.setting === setting
  )
  if (found === undefined)
    throw new Error(`no figure of ${way} at ${setting}, ${documents} documents; measure them first`)
  return found
}

/** All figures of one draw of three hospitals, and of 2,000 new documents of each. */
async function measureDraw(documents: number, draw: number): Promise<Figure[]> {
  const random = rng(draw)
  const corpora = hospitals.map(({name, share, times}) =>
    drawCorpus(Math.round(share * documents), times, random.stream(name))
  )
  const fresh = hospitals.map(({name, times}) => drawCorpus(2000, times, random.stream(`new ${name}`)))
  const test = {lexicon, documents: fresh.flatMap(corpus => corpus.documents)}
  const figure = async (way: Figure['way'], setting: number, counts: Counts): Promise<Figure> => {
    const {lastTag, tagging} = evaluate(await fit(counts, options), test)
    const {withheld, numbers} = counts.tables ?? {withheld: 0, numbers: 1}
    return {
      ...{documents, way, setting, withheld: withheld / numbers},
      ...{lastTag: [lastTag.accuracy], averagePrecision: [tagging.averagePrecision]}
    }
  }
  const counts = corpora.map(corpus => countCorpus(corpus))
  const central = mergeCounts(counts)
  const {lastTag, tagging} = evaluate(await fit(central, options), test).baselines['anchors-only']
  const alone = (await Promise.all(counts.map(own => figure('best hospital', 0, own)))).toSorted(
    (a, b) => b.lastTag[0] - a.lastTag[0]
  )
  const anchorsOnly = {lastTag: [lastTag.accuracy], averagePrecision: [tagging.averagePrecision]}
  return [
    await figure('central', 0, central),
    alone[0],
    {documents, way: 'anchors only', setting: 0, withheld: 0, ...anchorsOnly},
    ...(await Promise.all(thresholds.map(minCell => figure('withheld', minCell, withheldBelow(counts, minCell)))))
  ]
}

function drawCorpus(count: number, times: Readonly<Record<string, number>>, random: Rng): Corpus {
  const cpt = truth.network.cpt.map((chances, i) => {
    const factor = times[truth.concepts[i].name] ?? 1
    return chances.map(p => (p * factor) / (p * factor + 1 - p))
  })
  const rows = generateDocuments({...truth, network: {...truth.network, cpt}}, count, random)
  return encodeCorpus(
    [...rows].map(row => parseRow(row, lexicon.reading, row.id)),
    lexicon
  )
}

function withheldBelow(counts: readonly Counts[], minCell: number): Counts {
  const releases = counts.map((own, at) => releaseCounts(own, {maxOrder: 2, minCell, site: hospitals[at].name}))
  return releaseToCounts(poolReleases(releases))
}
