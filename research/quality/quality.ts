/**
 * Claim: `robust` predicts tags better than every other method that reads no labels, on every corpus.
 * Compared with the paper as published, common alternatives, and oracles that learn from all tags (methods.ts).
 *
 * Each corpus is split by a hash of the id, 80% for training, once per seed; every method uses the same documents, anchors
 * and rates (settings.ts). Results are kept in research/results/quality-NAME.json, one file per corpus, run by run; the tables
 * of research/quality.md and the README are made from them.
 *
 * Command: npx tsx research/quality/quality.ts [--corpora a,b] [--seeds 3] [--settings given,labels,free] [--data DIR] [--missing] [--ours]
 * --missing measures only missing results; --ours measures only our methods and keeps earlier results of the others;
 * --seeds 0 only writes the tables again.
 */
import {parseArgs} from 'node:util'
import {chooseCorpora, type QualityCorpus} from './corpora.ts'
import {measure} from './measure.ts'
import {trainAll, trainOwn} from './methods.ts'
import {folderOf, type QualityProblem, readRows, splitProblem} from './problem.ts'
import {ratedCounts, type Setting, settings} from './rates.ts'
import {keepRun, readRuns} from './results.ts'
import {writePages} from './tables.ts'

const {values} = parseArgs({
  options: {
    corpora: {type: 'string'},
    seeds: {type: 'string', default: '3'},
    settings: {type: 'string', default: settings.join()},
    data: {type: 'string'},
    missing: {type: 'boolean', default: false},
    ours: {type: 'boolean', default: false}
  }
})
const folder = folderOf(values.data)
const seeds = Array.from({length: Number(values.seeds)}, (_, seed) => seed)
const wanted = settings.filter(setting => values.settings.split(',').includes(setting))

if (seeds.length > 0) for (const corpus of chooseCorpora(values.corpora?.split(','))) await measureCorpus(corpus)
writePages()

async function measureCorpus(corpus: QualityCorpus): Promise<void> {
  const done = values.missing ? readRuns(corpus.name) : []
  const open = (seed: number) =>
    wanted.filter(setting => !done.some(run => run.seed === seed && run.setting === setting))
  const rows = await readRows(corpus, folder)
  for (const seed of seeds.filter(one => open(one).length > 0))
    await measureSplit(corpus, await splitProblem(corpus, rows, {seed, folder}), open(seed))
}

async function measureSplit({name}: QualityCorpus, problem: QualityProblem, open: readonly Setting[]): Promise<void> {
  const {seed, counts, training, heldOut} = problem
  for (const [setting, rated] of ratedCounts(problem, open)) {
    const started = performance.now()
    const train = values.ours ? trainOwn : trainAll
    const {trained, model} = await train(problem, rated, setting)
    const rows = measure(trained, model, heldOut)
    keepRun(name, {
      setting,
      seed,
      concepts: counts.lexicon.anchors.length,
      words: counts.lexicon.words.length,
      documents: training.documents.length,
      heldOut: heldOut.documents.length,
      rows
    })
    console.log(`${name}, seed ${seed}, ${setting}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
    console.table(rows, ['method', 'lastTag', 'averagePrecision', 'logLikelihood', 'brier'])
  }
}
