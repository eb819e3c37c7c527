/**
 * Breaks valid files of every reader and runs the commands that read them. Every case must end, in time, in success or in
 * an error that a user can act on. Cases run in a process of their own, so that one that hangs or takes all memory can be ended.
 *
 *     npx tsx research/fuzz.ts [cases per kind of file] [seed] [kind ...]
 */
import {fork} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type FuzzOutcome, fuzzTargets, runFuzzCase} from '../test/fuzz-targets.ts'

interface Job {
  readonly folder: string
  readonly cases: number
  readonly seed: number
  readonly kinds: readonly string[]
  /** How many cases are done. */
  readonly from: number
}

interface Ended {
  readonly name: string
  readonly at: number
  readonly outcome: FuzzOutcome
  readonly report: string
  readonly milliseconds: number
}

/** Far above what the slowest case takes on a busy machine. */
const timeLimit = 60_000

const job = process.env.ADFA_FUZZ_JOB
if (job === undefined) await direct()
else await work(JSON.parse(job))

async function work({folder, cases, seed, kinds, from}: Job): Promise<void> {
  const targets = (await fuzzTargets(folder)).filter(({name}) => kinds.length === 0 || kinds.includes(name))
  for (let number = from; number < cases * targets.length; number++) {
    const target = targets[Math.floor(number / cases)]
    process.send?.({name: target.name, at: number % cases})
    const start = performance.now()
    const [outcome, report] = await runFuzzCase(target, number % cases, folder, seed)
    const ended: Ended = {
      name: target.name,
      at: number % cases,
      outcome,
      report,
      milliseconds: performance.now() - start
    }
    process.send?.(ended)
  }
}

async function direct(): Promise<void> {
  const [cases = '250', seed = '1', ...kinds] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'adfa-fuzz-'))
  const totals = new Map<string, Record<string, number>>()
  const faults: Ended[] = []
  let slowest = 0
  const add = (ended: Ended) => {
    const total = totals.get(ended.name) ?? {}
    total[ended.outcome] = (total[ended.outcome] ?? 0) + 1
    totals.set(ended.name, total)
    slowest = Math.max(slowest, ended.milliseconds)
    if (ended.outcome === 'done' || ended.outcome === 'refused') return
    faults.push(ended)
    console.error(`${ended.name}, case ${ended.at}: ${ended.outcome}\n${ended.report}\n`)
  }
  for (let from = 0, isDone = false; !isDone; ) {
    mkdirSync(folder, {recursive: true})
    const job: Job = {folder, cases: Number(cases), seed: Number(seed), kinds, from}
    isDone = await runProcess(job, ended => {
      add(ended)
      from++
    })
  }
  rmSync(folder, {recursive: true})
  const all = [...totals.values()].reduce((sum, total) => sum + Object.values(total).reduce((a, b) => a + b, 0), 0)
  const result = {seed: Number(seed), cases: all, faults: faults.length, kinds: Object.fromEntries(totals)}
  console.log(JSON.stringify({...result, slowestSeconds: slowest / 1000}, undefined, 2))
  if (kinds.length === 0)
    writeFileSync(new URL('results/fuzz.json', import.meta.url), `${JSON.stringify(result, undefined, 2)}\n`)
}

/** Runs cases until all are done (true), or one takes too long or ends the process (false). */
function runProcess(job: Job, onEnd: (ended: Ended) => void): Promise<boolean> {
  return new Promise(resolve => {
    const env = {...process.env, ADFA_FUZZ_JOB: JSON.stringify(job)}
    const worker = fork(fileURLToPath(import.meta.url), {execArgv: ['--import', 'tsx'], env})
    let running: Pick<Ended, 'name' | 'at'> | undefined
    let report = ''
    const stop = (why: string) => {
      report = why
      worker.kill('SIGKILL')
    }
    let timer = setTimeout(stop, timeLimit, 'never began')
    worker.on('message', message => {
      const news = message as Ended | Pick<Ended, 'name' | 'at'>
      clearTimeout(timer)
      if ('outcome' in news) {
        running = undefined
        onEnd(news)
      } else running = news
      timer = setTimeout(stop, timeLimit, `not done after ${timeLimit / 1000} s`)
    })
    worker.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (running !== undefined)
        onEnd({
          ...running,
          outcome: report.startsWith('not done') ? 'out of time' : 'threw',
          report,
          milliseconds: timeLimit
        })
      if (running === undefined && code !== 0) throw new Error(`the process ended with ${code ?? signal} ${report}`)
      resolve(running === undefined)
    })
  })
}
