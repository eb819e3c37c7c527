/** The built `adfa` in a process of its own, measured from outside. */
import {spawnSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type CommandUse, commandHook, USE_MARK} from './command-hook.ts'

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

/** Run the built `adfa` with these arguments; `folder` is for a file that is of no use later. */
export function measureAdfa(args: readonly string[], folder: string): MeasuredCommand {
  const hook = join(folder, 'hook.mjs')
  writeFileSync(hook, commandHook)
  const adfa = fileURLToPath(new URL('../../dist/adfa.js', import.meta.url))
  const started = performance.now()
  const {stdout, stderr, status} = spawnSync(process.execPath, ['--import', hook, adfa, ...args], {encoding: 'utf8'})
  const seconds = (performance.now() - started) / 1000
  if (status !== 0) throw new Error(stderr)
  const {peak, processor, busy} = JSON.parse(stderr.slice(stderr.indexOf(USE_MARK) + USE_MARK.length)) as CommandUse
  return {
    stdout,
    seconds,
    processorSeconds: processor / 1e6,
    peak,
    threadSeconds: busy.map(ms => ms / 1000)
  }
}
