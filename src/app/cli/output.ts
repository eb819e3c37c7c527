import pc from 'picocolors'
import {grouped} from '../../base/text/index.ts'

/** The output of a command: results to standard output, everything else to standard error. */
export interface Output {
  /** Prints the result as text; silent with --json. */
  print(text: string): void
  /** Prints the result as JSON, with --json only, and then nothing else goes to standard output. */
  json(value: unknown): void
  /** Prints a note. */
  note(text: string): void
  /**
   * Shows progress, once a command has run for a second: "stage: detail"; `share` is between 0 and 1 if known, `count` is the
   * number of items done, to show the speed.
   */
  progress(label: string, share?: number, count?: number): void
  /** Clears the progress line. */
  done(): void
}

/** Progress appears after a second; in a log file, at most every five seconds. */
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
      // Each stage has its own clock.
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
