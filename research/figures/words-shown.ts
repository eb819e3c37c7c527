/**
 * How many of the words that people are shown are function words or occur in fewer than 20 documents: the ten words of
 * each concept by noisy-or links, and the six that raise its odds most, ranked as before (information in nats; log-odds)
 * and as now (`topWords`, `topWeights`). Learned as in research/quality, rates given. Prints a table.
 *
 * Command: npx tsx research/figures/words-shown.ts [--corpora cooking,npm-packages] [--show]
 */
import {parseArgs} from 'node:util'
import {fit} from '../../src/learn/fit.ts'
import {type Model, topWeights, topWords} from '../../src/learn/model/index.ts'
import {wordTotals} from '../../src/read/counts/index.ts'
import {isFunctionWord} from '../../src/read/data/index.ts'
import {informationOf} from '../experiments/factors.ts'
import {chooseCorpora, dataFolder} from '../quality/corpora.ts'
import {readRows, splitProblem} from '../quality/problem.ts'
import {givenRates} from '../quality/rates.ts'

const {values} = parseArgs({
  options: {
    corpora: {type: 'string', default: 'cooking,chest-xray,npm-packages,debian-packages,stackoverflow-bodies'},
    show: {type: 'boolean', default: false}
  }
})
const LINKS = 10
const WEIGHTS = 6
const LEAST_DOCUMENTS = 20
const LEAST_WEIGHT = 0.1

console.log(
  '| corpus | documents | links, before | links, now | weights, before | weights, now |\n|---|---|---|---|---|---|'
)
for (const chosen of chooseCorpora(values.corpora.split(','))) {
  // Reports are read as people have them, whatever their tags; tags define the concepts of the others.
  const corpus = chosen.anchorFields.length > 0 ? chosen : {...chosen, minTags: 0}
  const problem = await splitProblem(corpus, await readRows(corpus, dataFolder), {seed: 0, folder: dataFolder})
  const counts = givenRates(problem.counts)
  const model = await fit(counts, {noise: 'given'}, {documents: problem.training})
  const totals = wordTotals(counts)
  const documents = new Map(model.lexicon.words.map((word, j) => [word, totals[j]]))
  const lists = {
    linksBefore: perConcept(i => largest(model, j => informationOf(model, i, j), LINKS, 0)),
    linksNow: perConcept(i => topWords(model, i, LINKS).map(({word}) => word)),
    weightsBefore: perConcept(i => largest(model, j => weightOf(model, i, j), WEIGHTS, LEAST_WEIGHT)),
    weightsNow: perConcept(i => topWeights(model, i, WEIGHTS, 1).map(({word}) => word))
  }
  const cells = Object.values(lists).map(list => cell(list.flat(), documents))
  console.log(`| ${corpus.name} | ${counts.documentCount} | ${cells.join(' | ')} |`)
  if (values.show)
    model.concepts.slice(0, 6).forEach(({name}, i) => {
      for (const [list, words] of Object.entries(lists)) console.log(`    ${name}, ${list}: ${words[i].join(', ')}`)
    })

  function perConcept(wordsOf: (i: number) => string[]): string[][] {
    return model.concepts.map((_, i) => wordsOf(i))
  }
}

/** "31% (12% + 19%)": all, function words, words of few documents that are none. */
function cell(words: readonly string[], documents: ReadonlyMap<string, number>): string {
  const isFunction = (word: string) => isFunctionWord(word.slice(word.lastIndexOf(':') + 1))
  const isRare = (word: string) => !isFunction(word) && (documents.get(word) ?? 0) < LEAST_DOCUMENTS
  const share = (test: (word: string) => boolean) => Math.round((100 * words.filter(test).length) / words.length)
  return `${share(word => isFunction(word) || isRare(word))}% (${share(isFunction)}% + ${share(isRare)}%) of ${words.length}`
}

function largest({lexicon}: Model, value: (j: number) => number, count: number, least: number): string[] {
  return lexicon.words
    .map((word, j) => ({word, rank: value(j)}))
    .filter(({rank}) => rank > least)
    .sort((a, b) => b.rank - a.rank || (a.word < b.word ? -1 : 1))
    .slice(0, count)
    .map(({word}) => word)
}

function weightOf({wordModel}: Model, i: number, j: number): number {
  return wordModel.kind === 'weights' ? wordModel.weights[i][j] : 0
}
