/**
 * Effect of bigrams (`--bigrams 300`) on predictions: last tag / average precision of word weights and of noisy-or links
 * with and without, mean of two splits, at most 4,000 training documents, rates given. The table of docs/data.md.
 *
 * Command: npx tsx research/quality/bigrams.ts [CORPUS...]
 */
import {fit} from '../../src/learn/fit.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {qualityCorpora} from './corpora.ts'
import {measure} from './measure.ts'
import {readRows, splitProblem} from './problem.ts'
import {ratedCounts} from './settings.ts'

const BIGRAMS = 300
const SEEDS = [0, 1]
const MOST_DOCUMENTS = 4000
const DEVELOPMENT = ['cooking', 'stackoverflow-bodies', 'stackoverflow-titles', 'debian-packages', 'chest-xray']
const folder = new URL('../../../shared/data/', import.meta.url)
const wanted = process.argv.length > 2 ? process.argv.slice(2) : DEVELOPMENT

console.log(`| | pairs found | log-odds, without | with \`--bigrams ${BIGRAMS}\` | noisy-or, without | with |`)
console.log('|---|---|---|---|---|---|')
for (const corpus of qualityCorpora.filter(({name}) => wanted.includes(name))) {
  const rows = await readRows(corpus, folder)
  const sums = [0, 0, 0, 0, 0, 0, 0, 0]
  let pairs = 0
  for (const seed of SEEDS)
    for (const [at, bigrams] of [0, BIGRAMS].entries()) {
      const problem = await splitProblem(corpus, rows, {seed, folder, mostDocuments: MOST_DOCUMENTS, bigrams})
      const counts = ratedCounts(problem, ['given']).get('given')
      if (counts === undefined) throw new Error('no counts')
      const links = await fit(counts, {noise: 'given', words: 'noisy-or'})
      const logOdds = await fit(counts, {noise: 'given'}, {documents: problem.training})
      const methods = [logOdds, links].map((model, which) => ({
        name: `m${which}`,
        seconds: 0,
        ...createPredictor(model)
      }))
      measure(methods, links, problem.heldOut)
        .slice(-2)
        .forEach(({lastTag, averagePrecision}, which) => {
          sums[4 * which + 2 * at] += lastTag
          sums[4 * which + 2 * at + 1] += averagePrecision
        })
      pairs += (at === 0 ? -1 : 1) * counts.lexicon.phrases.length
    }
  const cells = [0, 1, 2, 3].map(cell => [0, 1].map(k => text(sums[2 * cell + k] / SEEDS.length)).join(' / '))
  console.log(`| ${[corpus.name, Math.round(pairs / SEEDS.length), ...cells].join(' | ')} |`)
}

function text(value: number): string {
  return value.toFixed(3).replace(/^0/, '')
}
