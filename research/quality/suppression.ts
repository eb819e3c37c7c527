/**
 * Cost of withholding small cells on real text: last tag and average precision of models from tables of order 2, by the smallest
 * released cell, compared with the same fit from whole counts of the remaining concepts. One site, one split, at most 8,000
 * training documents, rates given, word weights from counts alone. The table of docs/pooling.md.
 *
 * Command: npx tsx research/quality/suppression.ts [CORPUS...]
 */

import {fit} from '../../src/learn/fit.ts'
import {type Counts, dropConcepts} from '../../src/read/counts/index.ts'
import {withConcepts} from '../../src/read/data/index.ts'
import {releaseCounts, releaseToCounts, withheldNumbers} from '../../src/read/pooling/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {chooseCorpora, dataFolder} from './corpora.ts'
import {measure} from './measure.ts'
import {type QualityProblem, readRows, splitProblem} from './problem.ts'
import {givenRates} from './rates.ts'

const CELLS = [0, 5, 10, 20]
const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['cooking', 'chest-xray', 'stackoverflow-titles']

console.log('| corpus (documents, words) | c | concepts | withheld | last tag | whole | precision | whole |')
console.log('|---|--:|--:|--:|--:|--:|--:|--:|')
for (const corpus of chooseCorpora(wanted)) {
  const problem = await splitProblem(corpus, await readRows(corpus, dataFolder), {seed: 0, folder: dataFolder})
  const counts = givenRates(problem.counts)
  for (const minCell of CELLS) {
    const release = releaseCounts(counts, {minCell})
    const told = releaseToCounts(release)
    const kept = new Set(told.lexicon.anchors.map(({concept}) => concept))
    const left = counts.lexicon.anchors.filter(({concept}) => !kept.has(concept))
    const whole = dropConcepts(
      counts,
      left.map(({concept}) => ({concept, reason: 'withheld'}))
    )
    const [tables, all] = await Promise.all([told, whole].map(given => figuresOf(given, problem)))
    const name = `${corpus.name} (${counts.documentCount.toLocaleString('en')}; ${counts.lexicon.words.length.toLocaleString('en')})`
    const share = withheldNumbers(release) / release.low.length
    const cells = [tables.lastTag, all.lastTag, tables.averagePrecision, all.averagePrecision].map(x => x.toFixed(3))
    console.log(
      `| ${[minCell === 0 ? name : '', minCell, kept.size, `${Math.round(100 * share)}%`, ...cells].join(' | ')} |`
    )
  }
}

async function figuresOf(counts: Counts, {heldOut}: QualityProblem) {
  const model = await fit(counts, {noise: 'given'})
  const [row] = measure(
    [{name: 'fitted', seconds: 0, ...createPredictor(model)}],
    model,
    withConcepts(heldOut, counts.lexicon)
  ).slice(-1)
  return row
}
