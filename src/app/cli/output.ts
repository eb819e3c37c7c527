import pc from 'picocolors'
import {grouped, jsonText, printable, printableLine, withoutPasswords} from '../../base/text/index.ts'

/** Whether colours are printed: NO_COLOR and FORCE_COLOR decide (https://no-color.org, https://force-color.org), else terminals get them. */
export function isColoured(
  {isTTY}: {readonly isTTY?: boolean},
  env: Readonly<Record<string, string | undefined>>
): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return !/^(0|false)$/i.test(env.FORCE_COLOR)
  return isTTY === true && env.TERM !== 'dumb'
}

/** Colours of what is printed as a result. */
export const colours = pc.createColors(isColoured(process.stdout, process.env))

/**
 * What people read goes through here, and files and users decide much of it: control characters are written out, so that no name
 * controls the terminal, and passwords in addresses are hidden.
 */
export function shown(text: string): string {
  return printable(withoutPasswords(text))
}

/** Prints an error or a last word to standard error. */
export function printError(text: string): void {
  process.stderr.write(`${shown(text)}\n`)
}

/** The output of a command: results to standard output, everything else to standard error. */
export interface Output {
  /** Prints the result as text; silent with --json. `paint` adds colours to the text that is shown. */
  print(text: string, paint?: (text: string) => string): void
  /** Prints the result as JSON, with --json only, and then nothing else goes to standard output. */
  json(value: unknown): void
  note(text: string): void
  /** Prints text of several lines where notes go. */
  aside(text: string): void
  /**
   * Shows progress, once a command has run for a second: "stage: detail"; `share` is between 0 and 1 if known, `count` is the
   * number of items done, to show the speed.
   */
  progress(label: string, share?: number, count?: number): void
  done(): void
}

/** Progress appears after a second; in a log file, at most every five seconds. */
const QUIET_MILLISECONDS = 1000
const LOG_INTERVAL = 5000

interface OutputOptions {
  readonly json: boolean
  readonly quiet: boolean
}

export function createOutput({json, quiet}: OutputOptions): Output {
  const started = performance.now()
  const isTerminal = process.stderr.isTTY === true
  const {dim} = pc.createColors(isColoured(process.stderr, process.env))
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
    print: (text, paint = plain => plain) => {
      done()
      if (!json) process.stdout.write(`${paint(shown(text))}\n`)
    },
    json: value => {
      done()
      if (json) process.stdout.write(`${jsonText(value, 2)}\n`)
    },
    note: text => {
      done()
      if (!quiet) printError(printableLine(text))
    },
    aside: text => {
      done()
      if (!quiet) printError(text)
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
      const text = shown(parts.filter(part => part !== '').join(', '))
      process.stderr.write(isTerminal ? `\r\x1b[K${dim(text)}` : `${text}\n`)
    }
  }
}

function timeLeft(elapsed: number, share: number): string {
  const seconds = (elapsed * (1 - share)) / share / 1000
  return seconds < 90 ? `about ${Math.ceil(seconds)} s left` : `about ${Math.ceil(seconds / 60)} min left`
}
