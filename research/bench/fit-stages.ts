/**
 * Claim: a fit from counts is done in a second at 50 concepts whatever the number of patterns, and grows at most with the square of
 * the concepts and linearly with the words. Each case runs in a process of its own, which reports the processor seconds of each
 * stage, the best of three fits, and its peak memory before (with the generated documents) and after fitting and saving.
 * `first s` is a fit of counts not seen before, whose tables have to be counted, `refit s` one after the rates of an anchor
 * changed, which keeps the tables, `recount s` counting the documents and a fit, as after a member of an anchor changed;
 * the best of three, without saving.
 * The last rows compare cases: an exponent of 1 is linear growth. Documents have about as many concepts and words in every case.
 *
 *     npx tsx research/bench/fit-stages.ts            noisy-or words
 *     npx tsx research/bench/fit-stages.ts weights    word weights
 */
import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {type FitStage, fit} from '../../src/learn/fit.ts'
import {saveModel} from '../../src/learn/model/index.ts'
import type {CheckedFitOptions} from '../../src/learn/options.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {benchCorpus, benchModel} from './generated.ts'
import {type BenchRow, record, rounded} from './record.ts'

const RUNS = 3
const DOCUMENTS = 100_000
const stages = ['noise', 'moments', 'structure', 'loadings', 'words', 'save'] as const
type Stage = FitStage | 'save'

const [words = 'noisy-or', ...child] = process.argv.slice(2)
if (child.length > 0) console.log(JSON.stringify(await measure(Number(child[0]), Number(child[1]))))
else recordCases()

function recordCases(): void {
  const cases = [
    {concepts: 50, words: 1000},
    {concepts: 200, words: 2000},
    {concepts: 200, words: 50_000},
    {concepts: 500, words: 2000}
  ]
  const rows = cases.map(measured)
  const growth = [exponents('words', rows[1], rows[2]), exponents('concepts', rows[1], rows[3])]
  record('fit-stages', 'A fit from counts, stage by stage, in processor seconds', [...rows, ...growth])
}

function measured({concepts, words: count}: {readonly concepts: number; readonly words: number}): BenchRow {
  const file = fileURLToPath(import.meta.url)
  const args = ['--import', 'tsx', file, words, `${concepts}`, `${count}`]
  const {stdout, stderr, status} = spawnSync(process.execPath, args, {encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as BenchRow
}

async function measure(concepts: number, wordCount: number): Promise<BenchRow> {
  const model = benchModel(concepts, wordCount, 60, [0.5 / concepts, 4 / concepts])
  const corpus = benchCorpus(model, DOCUMENTS)
  const count = () => countCorpus(corpus)
  const counts = count()
  const before = peakMegabytes()
  const options = {words: words as CheckedFitOptions['words']} as const
  const best = new Map<Stage, number>()
  let size = 0
  for (let run = 0; run < RUNS; run++) {
    let [stage, began]: [Stage | undefined, number] = [undefined, 0]
    const begin = (next: Stage | undefined) => {
      const now = processorSeconds()
      if (stage !== undefined) best.set(stage, Math.min(best.get(stage) ?? now, now - began))
      stage = next
      began = now
    }
    const learned = await fit(counts, options, {onStage: begin})
    begin('save')
    size = saveModel(learned).length
    begin(undefined)
  }
  const best3 = async (edited: (run: number) => Counts) => {
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < RUNS; run++) {
      const began = processorSeconds()
      await fit(edited(run), options)
      least = Math.min(least, processorSeconds() - began)
    }
    return least
  }
  const first = await best3(() => ({...counts, patternDocuments: counts.patternDocuments.slice()}))
  const refit = await best3(run => withOtherRates(counts, run))
  const recount = await best3(count)
  const seconds = Object.fromEntries(stages.map(stage => [`${stage} s`, rounded(best.get(stage) ?? 0)]))
  return {
    concepts,
    words: wordCount,
    documents: DOCUMENTS,
    patterns: counts.patternCount,
    ...seconds,
    'all s': rounded([...best.values()].reduce((sum, s) => sum + s, 0)),
    'first s': rounded(first),
    'refit s': rounded(refit),
    'refit / first': rounded(refit / first),
    'recount s': rounded(recount),
    'file MB': rounded(size / 1e6),
    'peak before MB': before,
    'peak MB': peakMegabytes()
  }
}

/** Counts whose anchor `concept` is a little less reliable. */
function withOtherRates(counts: Counts, concept: number): Counts {
  const anchors = counts.lexicon.anchors.map((anchor, i) =>
    i === concept && anchor.rates?.kind === 'rates'
      ? {...anchor, rates: {...anchor.rates, truePositive: 0.95 * anchor.rates.truePositive}}
      : anchor
  )
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

/** log(ratio of seconds) / log(ratio of sizes), in each column of seconds. */
function exponents(what: 'concepts' | 'words', small: BenchRow, large: BenchRow): BenchRow {
  const ratio = (column: string) => Number(large[column]) / Number(small[column])
  return Object.fromEntries(
    Object.keys(small).map(column => {
      if (column === what) return [column, `${small[what]} to ${large[what]}`]
      if (column.endsWith(' s')) return [column, `^${(Math.log(ratio(column)) / Math.log(ratio(what))).toFixed(2)}`]
      return [column, column === 'concepts' || column === 'words' ? large[column] : '-']
    })
  )
}

function processorSeconds(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1e6
}

function peakMegabytes(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024)
}
