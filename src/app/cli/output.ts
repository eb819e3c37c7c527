import pc from 'picocolors'
import {grouped} from '../../base/text/index.ts'

/** Where a command's words go: results to standard output, everything else to standard error. */
export interface Output {
  /** A result for people; not printed when machine output was asked for. */
  print(text: string): void
  /** A result for machines, printed only when it was asked for, and then alone on standard output. */
  json(value: unknown): void
  /** A remark beside the result. */
  note(text: string): void
  /**
   * How far the work is, shown once it has lasted a second: "stage: detail"; `share` is between 0 and 1 when known, and `count` is
   * what the stage has done, to tell its speed.
   */
  progress(label: string, share?: number, count?: number): void
  /** Take the progress line away. */
  done(): void
}

/** Progress appears after this long, and in a log file no more often than every five seconds. */
const QUIET_MILLISECONDS = 1000
const LOG_INTERVAL = 5000

export function createOutput({json, quiet}: {readonly json: boolean; readonly quiet: boolean}): Output {
  const started = performance.now()
  const isTerminal = process.stderr.isTTY === true
  let shownAt = Number.NEGATIVE_INFINITY
  let stage = ''
  let stageStarted = started
  let isShown = false
  const done = () => {
    if (isShown && isTerminal) process.stderr.write('\r\x1b[K')
    isShown = false
  }
  return {
    done,
    print: text => {
      done()
      if (!json) process.stdout.write(`${text}\n`)
    },
    json: value => {
      done()
      if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
    },
    note: text => {
      done()
      if (!quiet) process.stderr.write(`${text}\n`)
    },
    progress: (label, share, count) => {
      const now = performance.now()
      // A pass after the first has a clock of its own.
      const [name] = label.split(':')
      if (stage !== '' && name !== stage) stageStarted = now
      stage = name
      const wait = isTerminal ? 100 : LOG_INTERVAL
      if (quiet || now - started < QUIET_MILLISECONDS || now - shownAt < wait) return
      shownAt = now
      isShown = true
      const elapsed = now - stageStarted
      const parts = [
        label,
        count === undefined || elapsed <= 0 ? '' : `${grouped((1000 * count) / elapsed)}/s`,
        share === undefined ? '' : `${Math.round(100 * share)}%`,
        share === undefined || share <= 0 ? '' : timeLeft(elapsed, share)
      ]
      const text = parts.filter(part => part !== '').join(', ')
      process.stderr.write(isTerminal ? `\r\x1b[K${pc.dim(text)}` : `${text}\n`)
    }
  }
}

function timeLeft(elapsed: number, share: number): string {
  const seconds = (elapsed * (1 - share)) / share / 1000
  return seconds < 90 ? `about ${Math.ceil(seconds)} s left` : `about ${Math.ceil(seconds / 60)} min left`
}
