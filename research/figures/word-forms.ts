/**
 * What other forms of an anchor's words are worth: the anchor of a tag is its own name, then also the forms that
 * `findForms` finds in the training documents without their tags. The same split, concepts and settings as in
 * research/quality. Prints a table.
 *
 * Command: npx tsx research/figures/word-forms.ts [--corpora cooking,npm-packages] [--seeds 2] [--setting given|free]
 */
import {parseArgs} from 'node:util'
import {fit} from '../../src/learn/fit.ts'
import {type Row, rowKey} from '../../src/read/data/index.ts'
import {findForms} from '../../src/use/advice/index.ts'
import {evaluate} from '../../src/use/evaluation/index.ts'
import {chooseCorpora, dataFolder, type QualityCorpus} from '../quality/corpora.ts'
import {type QualityProblem, readRows, splitProblem, withAnchors} from '../quality/problem.ts'
import {ratedCounts, type Setting} from '../quality/rates.ts'

const {values} = parseArgs({
  options: {
    corpora: {type: 'string', default: 'cooking,debian-packages,npm-packages'},
    seeds: {type: 'string', default: '2'},
    setting: {type: 'string', default: 'given'}
  }
})
const setting = values.setting as Setting

console.log('| corpus | split | concepts | with forms | forms | before | after |\n|---|---|---|---|---|---|---|')
for (const corpus of chooseCorpora(values.corpora.split(','))) {
  const rows = await readRows(corpus, dataFolder)
  for (let seed = 0; seed < Number(values.seeds); seed++) {
    const problem = await splitProblem(corpus, rows, {seed, folder: dataFolder})
    const {wider, added} = await withForms(problem, rows, corpus)
    const some = added.filter(count => count > 0)
    const forms = some.reduce((sum, count) => sum + count, 0)
    console.log(
      `| ${corpus.name} | ${seed} | ${added.length} | ${some.length} | ${forms} | ${await figures(problem)} | ${await figures(wider)} |`
    )
  }
}

/** The same problem with the other forms in the anchors. */
async function withForms(problem: QualityProblem, rows: readonly Row[], corpus: QualityCorpus) {
  const {counts, training} = problem
  const keys = new Set(training.documents.map(({key}) => key))
  const found = findForms(
    counts,
    rows.filter(row => keys.has(rowKey(row)))
  )
  const anchors = counts.lexicon.anchors.map((anchor, i) => ({
    ...anchor,
    any: [...anchor.any, ...found[i].forms.map(({feature}) => feature)]
  }))
  return {wider: await withAnchors(problem, rows, anchors, corpus), added: found.map(({forms}) => forms.length)}
}

/** Last tag / average precision. */
async function figures(problem: QualityProblem): Promise<string> {
  const counts = ratedCounts(problem, [setting]).get(setting) ?? problem.counts
  const model = await fit(counts, {noise: 'given'}, {documents: problem.training})
  const {lastTag, tagging} = evaluate(model, problem.heldOut)
  return [lastTag.accuracy, tagging.averagePrecision].map(figure => figure.toFixed(3)).join(' / ')
}
