/** What the benches share: clocks, processes of their own, generated documents, and the record of their results. */
import {spawnSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {rng} from '../../src/base/numeric/index.ts'
import {anchorsWithRates, type Model} from '../../src/learn/model/index.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {type Corpus, encodeCorpus, parseRow, type Row} from '../../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'
import {provenance} from '../page.ts'

/** One row of a bench: the measurement and what it is compared with. */
export type BenchRow = Readonly<Record<string, number | string>>

/** Prints the rows as a table and keeps them, with machine, date and commit, in `research/results/NAME.json`. */
export function record(name: string, claim: string, rows: readonly BenchRow[]): void {
  console.log(`\n${claim}\n`)
  console.table(rows)
  const folder = new URL('../results/', import.meta.url)
  mkdirSync(folder, {recursive: true})
  const result = {claim, command: `npx tsx research/bench/${name}.ts`, ...provenance(), rows}
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`)
}

/** Three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** Processor time of all threads of this process. */
export function processorSeconds(): number {
  const {user, system} = process.cpuUsage()
  return (user + system) / 1e6
}

/** A result, and the processor seconds that it took. */
export interface Timed<Value> {
  readonly value: Value
  readonly seconds: number
}

export async function timed<Value>(work: () => Value | Promise<Value>): Promise<Timed<Value>> {
  const began = processorSeconds()
  const value = await work()
  return {value, seconds: processorSeconds() - began}
}

/** Returns the least processor seconds that `work` takes in so many runs: other load only slows it down. */
export async function leastSeconds(work: () => unknown, runs = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) least = Math.min(least, (await timed(work)).seconds)
  return least
}

/** Seconds and peak memory of a process. */
export interface Measured {
  readonly seconds: number
  /** Of all threads together. */
  readonly processorSeconds: number
  /** Kilobytes. */
  readonly peak: number
}

export interface MeasuredCommand extends Measured {
  readonly stdout: string
  /** Seconds in which each other thread did not wait. */
  readonly threadSeconds: readonly number[]
}

/** Returns a clock that starts now and measures this process. */
export function startClock(): () => Measured {
  const [began, before] = [performance.now(), processorSeconds()]
  return () => ({
    seconds: (performance.now() - began) / 1000,
    processorSeconds: processorSeconds() - before,
    peak: process.resourceUsage().maxRSS
  })
}

/** Precedes what a measured program says on standard error when it ends. */
const USE_MARK = 'command use: '

/** A module for `node --import`, in JavaScript since the measured program has no loader for TypeScript. */
const commandHook = `import threads from 'node:worker_threads'
import {syncBuiltinESMExports} from 'node:module'
import {writeSync} from 'node:fs'
if (threads.isMainThread) {
  const busy = new Map()
  threads.Worker = class extends threads.Worker {
    terminate() {
      if (!busy.has(this)) busy.set(this, this.performance.eventLoopUtilization().active)
      return super.terminate()
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => {
    const {maxRSS, userCPUTime, systemCPUTime} = process.resourceUsage()
    const use = {peak: maxRSS, processor: userCPUTime + systemCPUTime, busy: [...busy.values()]}
    writeSync(2, '${USE_MARK}' + JSON.stringify(use) + '\\n')
  })
}
`

/** Runs the built `adfa` with these arguments in a process of its own; `folder` takes a file of no use later. */
export function measureAdfa(args: readonly string[], folder: string): MeasuredCommand {
  const hook = join(folder, 'hook.mjs')
  writeFileSync(hook, commandHook)
  const adfa = fileURLToPath(new URL('../../dist/adfa.js', import.meta.url))
  const began = performance.now()
  const {stdout, stderr, status} = spawnSync(process.execPath, ['--import', hook, adfa, ...args], {encoding: 'utf8'})
  const seconds = (performance.now() - began) / 1000
  if (status !== 0) throw new Error(stderr)
  const {peak, processor, busy} = JSON.parse(stderr.slice(stderr.indexOf(USE_MARK) + USE_MARK.length))
  const threadSeconds = busy.map((milliseconds: number) => milliseconds / 1000)
  return {stdout, seconds, processorSeconds: processor / 1e6, peak, threadSeconds}
}

/** Runs a program of this folder on a job in a process of its own; both the job and what it prints are JSON. */
export function inProcess<T>(file: string, job: unknown): T {
  const program = fileURLToPath(new URL(file, import.meta.url))
  const args = ['--max-old-space-size=8192', '--import', 'tsx', program, JSON.stringify(job)]
  return answerOf(process.execPath, args)
}

/** The JSON that a program prints. */
export function answerOf<T>(program: string, args: readonly string[]): T {
  const {stdout, stderr, status} = spawnSync(program, args, {encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** A random model of so many concepts and words with 60 words per document; its anchors have their true rates. */
export function benchModel(concepts: number, words: number, wordsPerDocument = 60): Model {
  const size = {concepts, words, wordsPerDocument, wordsPerConcept: 20, prevalence: [0.01, 0.08]} as const
  return withRates(randomModel(size, rng(1)))
}

export function withRates(model: Model): Model {
  return {...model, lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}
}

/** Documents drawn from the model and read by its own lexicon; `first` is the number of the first. */
export function benchCorpus(model: Model, count: number, first = 0): Corpus {
  function* rows(): Generator<Row> {
    for (const document of generateDocuments(model, count, rng(2), {first}))
      yield parseRow(document, {text: ['text']}, document.id)
  }
  return encodeCorpus(rows(), model.lexicon)
}

/**
 * Counts of documents drawn from a random model, all of them labelled, in which every concept also fires the anchors of two
 * others, each in the share `stray` of its documents: anchors with more than one parent violate the assumptions of the method.
 */
export function strayCounts(concepts: number, documents: number, stray: number): Counts {
  const model = withRates(randomModel({concepts, words: 20, prevalence: [0.02, 0.15]}, rng(1)))
  const number = new Map(model.concepts.map(({name}, i) => [name, i]))
  const random = rng(5).stream('stray')
  function* rows(): Generator<Row> {
    for (const document of generateDocuments(model, documents, rng(2))) {
      const strays = document.tags.flatMap(tag =>
        [7, 19]
          .filter(() => random.next() < stray)
          .map(step => model.lexicon.anchors[((number.get(tag) ?? 0) + step) % concepts].any[0])
      )
      const features = [...new Set([...document.features, ...strays])]
      yield parseRow({...document, features}, {text: []}, document.id)
    }
  }
  return countCorpus(encodeCorpus(rows(), model.lexicon), {labelShare: 1})
}
