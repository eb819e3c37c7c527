/**
 * Claim: from 60 to 200 labelled documents, the 90% intervals of `pooledRates` hold the prevalence by all tags in at least 85% of
 * the cases, on every corpus, by anchors that are usable and by all
 * anchors, weak ones too; also where a person labels only six concepts, drawn anew each time among those of ten documents or more.
 *
 * Documents of the test splits of research/quality are left out, so slopes and spreads of the priors may be compared here.
 * Each figure is over 20 draws of the labelled documents and all concepts: coverage, and the root mean square error of ln P(Y).
 *
 * Command: npx tsx research/bench/label-intervals.ts [--corpora a,b] [--data DIR]
 */
import {parseArgs} from 'node:util'
import {rng} from '../../src/base/numeric/index.ts'
import {pooledRates} from '../../src/learn/noise/index.ts'
import {chooseCorpora} from '../quality/corpora.ts'
import {folderOf, inTitleOrText, type QualityProblem, readOutside, splitProblem} from '../quality/problem.ts'
import {drawLabelled, labelledTables} from '../quality/rates.ts'

const {values} = parseArgs({options: {corpora: {type: 'string'}, data: {type: 'string'}}})
const folder = folderOf(values.data)
const LABELS = [60, 100, 200]
const DRAWS = 20
const COMMON = 10
/** A split that is none of those of research/quality. */
const OWN_SEED = 99

const rows = []
for (const corpus of chooseCorpora(values.corpora?.split(','))) {
  const outside = await readOutside(corpus, folder)
  const isNamed = corpus.anchorFields.length > 0
  const variants = [
    {anchors: 'usable', own: corpus, keepsWeak: false, most: Number.POSITIVE_INFINITY},
    {anchors: 'usable, six', own: corpus, keepsWeak: false, most: 6},
    {anchors: 'all', own: corpus, keepsWeak: true, most: Number.POSITIVE_INFINITY},
    ...(isNamed
      ? [{anchors: 'all, title or text', own: inTitleOrText(corpus), keepsWeak: true, most: Number.POSITIVE_INFINITY}]
      : [])
  ]
  for (const {anchors, own, keepsWeak, most} of variants) {
    const problem = await splitProblem(own, outside, {seed: OWN_SEED, folder, keepsWeak})
    const figures = LABELS.map(labels => [`${labels} labels`, coverage(problem, labels, most)])
    rows.push({corpus: corpus.name, anchors, ...Object.fromEntries(figures)})
  }
}
console.table(rows)

function coverage({training}: Pick<QualityProblem, 'training'>, labels: number, most: number): string {
  const {documents, lexicon} = training
  const countOf = (has: (document: (typeof documents)[number], i: number) => boolean) =>
    lexicon.anchors.map((_, i) => documents.filter(document => has(document, i)).length)
  const anchoredCounts = countOf(({anchors}, i) => anchors.includes(i))
  const truth = countOf((document, i) => document.labels?.[i] === 1).map(count => count / documents.length)
  const found = Array.from({length: DRAWS}, (_, draw) => {
    const tables = labelledTables(training, drawLabelled(training, labels, draw))
    const random = rng(draw).stream('concepts')
    const common = truth.map((p, i) => ({i, place: random.next(), isCommon: p * documents.length >= COMMON}))
    const chosen = common
      .filter(({isCommon}) => isCommon || most > truth.length)
      .sort((a, b) => a.place - b.place)
      .slice(0, most)
      .map(({i}) => i)
    const labelled = chosen.flatMap(i => [...tables.subarray(4 * i, 4 * i + 4)])
    const sample = {documentCount: documents.length, anchoredCounts: chosen.map(i => anchoredCounts[i]), labelled}
    return pooledRates(sample).map(({prevalence}, at) => ({
      isHeld: prevalence.low <= truth[chosen[at]] && truth[chosen[at]] <= prevalence.high,
      error: Math.log(prevalence.value / truth[chosen[at]])
    }))
  }).flat()
  const held = found.filter(({isHeld}) => isHeld).length / found.length
  const squares = found.reduce((sum, {error}) => sum + error * error, 0)
  return `${held.toFixed(3)} / ${Math.sqrt(squares / found.length).toFixed(3)}`
}
