/**
 * Claim: from 60 to 200 labelled documents, the 90% intervals of `pooledRates` hold the prevalence by all tags in at least 85% of
 * the cases, on every corpus, by anchors that are usable and by all anchors, weak ones too.
 *
 * Documents of the test splits of research/quality are left out, so slopes and spreads of the priors may be compared here.
 * Each figure is over 20 draws of the labelled documents and all concepts: coverage, and the root mean square error of ln P(Y).
 *
 * Command: npx tsx research/bench/label-intervals.ts [--corpora a,b] [--data DIR]
 */
import {parseArgs} from 'node:util'
import {pooledRates} from '../../src/learn/noise/index.ts'
import {chooseCorpora} from '../quality/corpora.ts'
import {folderOf, inTitleOrText, type QualityProblem, readOutside, splitProblem} from '../quality/problem.ts'
import {drawLabelled, labelledTables} from '../quality/rates.ts'

const {values} = parseArgs({options: {corpora: {type: 'string'}, data: {type: 'string'}}})
const folder = folderOf(values.data)
const LABELS = [60, 100, 200]
const DRAWS = 20
/** A split that is none of those of research/quality. */
const OWN_SEED = 99

const rows = []
for (const corpus of chooseCorpora(values.corpora?.split(','))) {
  const outside = await readOutside(corpus, folder)
  const isNamed = corpus.anchorFields.length > 0
  const variants = [
    {anchors: 'usable', own: corpus, keepsWeak: false},
    {anchors: 'all', own: corpus, keepsWeak: true},
    ...(isNamed ? [{anchors: 'all, title or text', own: inTitleOrText(corpus), keepsWeak: true}] : [])
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
    const labelled = labelledTables(training, drawLabelled(training, labels, draw))
    return pooledRates({documentCount: documents.length, anchoredCounts, labelled}).map(({prevalence}, i) => ({
      isHeld: prevalence.low <= truth[i] && truth[i] <= prevalence.high,
      error: Math.log(prevalence.value / truth[i])
    }))
  }).flat()
  const held = found.filter(({isHeld}) => isHeld).length / found.length
  const squares = found.reduce((sum, {error}) => sum + error * error, 0)
  return `${held.toFixed(3)} / ${Math.sqrt(squares / found.length).toFixed(3)}`
}
