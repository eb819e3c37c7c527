/**
 * How far the intervals of word weights can be trusted: weights are learned from two halves of the training documents, and
 * the words that each half shows (15 for and 15 against each concept) are looked up in the other. Both estimates vary, so
 * a difference should lie within 1.645 sqrt(2) standard errors for 90% of the words. Learned as in research/quality, rates
 * given. Prints a table.
 *
 * Command: npx tsx research/figures/word-intervals.ts [--corpora cooking,debian-packages]
 */
import {parseArgs} from 'node:util'
import {hashShare} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import {type Model, topWeights} from '../../src/learn/model/index.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {chooseCorpora, dataFolder} from '../quality/corpora.ts'
import {readRows, splitProblem} from '../quality/problem.ts'
import {givenRates} from '../quality/rates.ts'

const {values} = parseArgs({
  options: {corpora: {type: 'string', default: 'cooking,debian-packages,stackoverflow-bodies,chest-xray'}}
})
const WORDS = 15

console.log(
  '| corpus | documents in a half | words for | repeated | words against | repeated |\n|---|---|---|---|---|---|'
)
for (const corpus of chooseCorpora(values.corpora.split(','))) {
  const problem = await splitProblem(corpus, await readRows(corpus, dataFolder), {seed: 0, folder: dataFolder})
  const {lexicon} = givenRates(problem.counts)
  const halves = await Promise.all(
    [0, 1].map(async half => {
      const documents = problem.training.documents.filter(({key}) => Math.floor(2 * hashShare(key, 1)) === half)
      const part = {lexicon, documents}
      return fit(countCorpus(part), {noise: 'given', words: 'weights'}, {documents: part})
    })
  )
  const cells = ([1, -1] as const).flatMap(sign => {
    const repeated = [...areRepeated(halves[0], halves[1], sign), ...areRepeated(halves[1], halves[0], sign)]
    return [repeated.length, (repeated.filter(Boolean).length / repeated.length).toFixed(3)]
  })
  console.log(`| ${corpus.name} | ${Math.round(problem.training.documents.length / 2)} | ${cells.join(' | ')} |`)
}

/** Whether the other half agrees, for each word shown by the first. */
function areRepeated(model: Model, {wordModel: other}: Model, sign: 1 | -1): boolean[] {
  const place = new Map(model.lexicon.words.map((word, j) => [word, j]))
  return model.concepts.flatMap((_, i) =>
    topWeights(model, i, WORDS, sign).map(({word, logOdds, range}) => {
      if (other.kind !== 'weights' || range === undefined) throw new Error(`no interval of "${word}"`)
      return Math.abs(other.weights[i][place.get(word) ?? -1] - logOdds) < (Math.SQRT2 * (range[1] - range[0])) / 2
    })
  )
}
