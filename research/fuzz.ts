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

/** A case; without an outcome it has only begun. */
interface Case {
  readonly name: string
  readonly at: number
  readonly outcome?: FuzzOutcome
  readonly report?: string
  readonly milliseconds?: number
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
    const begun: Case = {name: target.name, at: number % cases}
    process.send?.(begun)
    const start = performance.now()
    const [outcome, report] = await runFuzzCase(target, begun.at, folder, seed)
    process.send?.({...begun, outcome, report, milliseconds: performance.now() - start} satisfies Case)
  }
}

async function direct(): Promise<void> {
  const [cases = '250', seed = '1', ...kinds] = process.argv.slice(2)
  const folder = mkdtempSync(join(tmpdir(), 'adfa-fuzz-'))
  const totals: Record<string, Record<string, number>> = {}
  let [from, faults, slowest] = [0, 0, 0]
  const add = ({name, at, outcome = 'threw', report, milliseconds = timeLimit}: Case) => {
    from++
    totals[name] ??= {}
    totals[name][outcome] = (totals[name][outcome] ?? 0) + 1
    slowest = Math.max(slowest, milliseconds)
    if (outcome === 'done' || outcome === 'refused') return
    faults++
    console.error(`${name}, case ${at}: ${outcome}\n${report}\n`)
  }
  do mkdirSync(folder, {recursive: true})
  while (!(await runProcess({folder, cases: Number(cases), seed: Number(seed), kinds, from}, add)))
  rmSync(folder, {recursive: true})
  const result = {seed: Number(seed), cases: from, faults, kinds: totals}
  console.log(JSON.stringify({...result, slowestSeconds: slowest / 1000}, undefined, 2))
  if (kinds.length === 0)
    writeFileSync(new URL('results/fuzz.json', import.meta.url), `${JSON.stringify(result, undefined, 2)}\n`)
}

/** Runs cases until all are done (true), or one takes too long or ends the process (false). */
function runProcess(job: Job, onEnd: (ended: Case) => void): Promise<boolean> {
  return new Promise(resolve => {
    const env = {...process.env, ADFA_FUZZ_JOB: JSON.stringify(job)}
    const worker = fork(fileURLToPath(import.meta.url), {execArgv: ['--import', 'tsx'], env})
    let running: Case | undefined
    let isLate = false
    const stop = () => {
      isLate = true
      worker.kill('SIGKILL')
    }
    let timer = setTimeout(stop, timeLimit)
    worker.on('message', message => {
      const news = message as Case
      clearTimeout(timer)
      running = news.outcome === undefined ? news : undefined
      if (running === undefined) onEnd(news)
      timer = setTimeout(stop, timeLimit)
    })
    worker.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (running === undefined && code !== 0) throw new Error(`the process ended with ${code ?? signal} between cases`)
      if (running !== undefined && isLate)
        onEnd({...running, outcome: 'out of time', report: `not done after ${timeLimit / 1000} s`})
      else if (running !== undefined) onEnd({...running, report: `the process ended with ${code ?? signal}`})
      resolve(running === undefined)
    })
  })
}
