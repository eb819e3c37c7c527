/**
 * What the members of anchors add when they count as evidence of their own (docs/words.md): last-tag accuracy and average
 * precision of `robust` on two splits, where the name of a tag in the title or in the text is its anchor, or a list of words.
 * Rates are those of the tags, so that only predictions differ. The figures of united members are those of the commit before
 * `member-weights.ts`.
 *
 * Command: npx tsx research/quality/members.ts [corpora]
 */
import {learnFromCounts} from '../../src/learn/learn.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {chooseCorpora, dataFolder} from './corpora.ts'
import {measure} from './measure.ts'
import {readRows, splitProblem} from './problem.ts'
import {ratedCounts} from './rates.ts'

const SEEDS = [0, 1]
const NAMES = ['stackoverflow-bodies', 'cooking', 'robotics', 'chest-xray']
const wanted = process.argv.length > 2 ? process.argv.slice(2) : NAMES

for (const corpus of chooseCorpora(wanted)) {
  const wide = corpus.anchorFields.length === 0 ? corpus : {...corpus, anchorFields: ['title', 'text']}
  const rows = await readRows(wide, dataFolder)
  for (const seed of SEEDS) {
    const problem = await splitProblem(wide, rows, {seed, folder: dataFolder})
    const documents = problem.training.documents.map(document => ({...document, labels: undefined}))
    for (const [setting, counts] of ratedCounts(problem, ['given'])) {
      const model = await learnFromCounts(counts, {...problem.training, documents}, {noise: 'given'}, {})
      const robust = {name: 'robust', seconds: 0, ...createPredictor(model)}
      const found = measure([robust], model, problem.heldOut).find(({method}) => method === 'robust')
      console.log(
        [
          corpus.name,
          seed,
          setting,
          found?.lastTag,
          found?.averagePrecision,
          found?.brier,
          found?.calibrationError
        ].join(' ')
      )
    }
  }
}
