/**
 * Claim: from 60 to 200 labelled documents, the 90% intervals of `pooledRates` hold the prevalence by all tags in at least 85% of
 * the cases, on every corpus, by anchors that are usable and by all anchors, weak ones too.
 *
 * Documents of the test splits of research/quality are left out, so slopes and spreads of the priors may be compared here.
 * Each figure is over 20 draws of the labelled documents and all concepts: coverage, and the root mean square error of ln P(Y).
 *
 * Command: npx tsx research/bench/label-intervals.ts [--corpora a,b] [--data DIR]
 */
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import {hashShare} from '../../src/base/numeric/index.ts'
import {pooledRates} from '../../src/learn/noise/index.ts'
import {rowKey} from '../../src/read/data/index.ts'
import {chooseCorpora, dataFolder} from '../quality/corpora.ts'
import {type QualityProblem, readRows, splitProblem} from '../quality/problem.ts'
import {drawLabelled} from '../quality/rates.ts'

const {values} = parseArgs({options: {corpora: {type: 'string'}, data: {type: 'string'}}})
const folder = values.data === undefined ? dataFolder : pathToFileURL(`${values.data}/`)
const LABELS = [60, 100, 200]
const DRAWS = 20
const FIELDS = ['title', 'text']
/** The splits of research/quality, whose test documents are left out, and a split that is none of them. */
const TEST_SEEDS = [0, 1, 2]
const OWN_SEED = 99
const TEST_SHARE = 0.2

const rows = []
for (const corpus of chooseCorpora(values.corpora?.split(','))) {
  const outside = (await readRows(corpus, folder)).filter(row =>
    TEST_SEEDS.every(seed => hashShare(rowKey(row), seed) >= TEST_SHARE)
  )
  const isNamed = corpus.anchorFields.length > 0
  const variants = [
    {anchors: 'usable', own: corpus, keepsWeak: false},
    {anchors: 'all', own: corpus, keepsWeak: true},
    ...(isNamed ? [{anchors: 'all, title or text', own: {...corpus, anchorFields: FIELDS}, keepsWeak: true}] : [])
  ]
  for (const {anchors, own, keepsWeak} of variants) {
    const problem = await splitProblem(own, outside, {seed: OWN_SEED, folder, keepsWeak})
    const figures = LABELS.map(labels => [`${labels} labels`, coverage(problem, labels)])
    rows.push({corpus: corpus.name, anchors, ...Object.fromEntries(figures)})
  }
}
console.table(rows)

function coverage({training}: Pick<QualityProblem, 'training'>, labels: number): string {
  const {documents, lexicon} = training
  const countOf = (has: (document: (typeof documents)[number], i: number) => boolean) =>
    lexicon.anchors.map((_, i) => documents.filter(document => has(document, i)).length)
  const anchoredCounts = countOf(({anchors}, i) => anchors.includes(i))
  const truth = countOf((document, i) => document.labels?.[i] === 1).map(count => count / documents.length)
  const found = Array.from({length: DRAWS}, (_, draw) => {
    const isDrawn = drawLabelled(training, labels, draw)
    const labelled = new Float64Array(4 * truth.length)
    documents.forEach(({anchors, labels: own}, d) => {
      if (isDrawn[d] === 1)
        for (const [i, y] of own?.entries() ?? []) labelled[4 * i + 2 * y + (anchors.includes(i) ? 1 : 0)]++
    })
    return pooledRates({documentCount: documents.length, anchoredCounts, labelled}).map(({prevalence}, i) => ({
      isHeld: prevalence.low <= truth[i] && truth[i] <= prevalence.high,
      error: Math.log(prevalence.value / truth[i])
    }))
  }).flat()
  const held = found.filter(({isHeld}) => isHeld).length / found.length
  const squares = found.reduce((sum, {error}) => sum + error * error, 0)
  return `${held.toFixed(3)} / ${Math.sqrt(squares / found.length).toFixed(3)}`
}
