/**
 * What the members of anchors add when they count as evidence of their own (docs/words.md): last-tag accuracy and average
 * precision of `robust` on two splits, where the name of a tag in the title or in the text is its anchor, or a list of words.
 * Rates are those of the tags, so that only predictions differ. The figures of united members are those of the commit before
 * `member-weights.ts`.
 *
 * Command: npx tsx research/quality/members.ts [corpora]
 */
import {chooseCorpora, dataFolder} from './corpora.ts'
import {measureRobust} from './measure.ts'
import {inTitleOrText, readRows, splitProblem} from './problem.ts'
import {givenRates} from './rates.ts'

const NAMES = ['stackoverflow-bodies', 'cooking', 'robotics', 'chest-xray']

for (const corpus of chooseCorpora(process.argv.length > 2 ? process.argv.slice(2) : NAMES).map(inTitleOrText)) {
  const rows = await readRows(corpus, dataFolder)
  for (const seed of [0, 1]) {
    const problem = await splitProblem(corpus, rows, {seed, folder: dataFolder})
    const {row} = await measureRobust(problem, givenRates(problem.counts))
    console.log(corpus.name, seed, row.lastTag, row.averagePrecision, row.brier, row.calibrationError)
  }
}
