import {execFileSync} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {cpus, totalmem} from 'node:os'

/** One row of a bench: the measurement and what it is compared with. */
export type BenchRow = Readonly<Record<string, number | string>>

/** Print the rows as a table and keep them, with machine, date and commit, in `research/results/NAME.json`. */
export function record(name: string, claim: string, rows: readonly BenchRow[]): void {
  console.log(`\n${claim}\n`)
  console.table(rows)
  mkdirSync(new URL('../results/', import.meta.url), {recursive: true})
  const result = {
    claim,
    command: `npx tsx research/bench/${name}.ts`,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {encoding: 'utf8'}).trim(),
    machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    rows
  }
  writeFileSync(new URL(`../results/${name}.json`, import.meta.url), `${JSON.stringify(result, null, 2)}\n`)
}

/** Seconds that `work` takes: the best of `times` runs, since other load only slows it down. */
export function seconds(work: () => void, times = 1): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < times; run++) {
    const started = performance.now()
    work()
    best = Math.min(best, (performance.now() - started) / 1000)
  }
  return best
}

/** Three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
