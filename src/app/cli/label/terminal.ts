import {emitKeypressEvents} from 'node:readline'
import {AdfaError} from '../../../base/checks/index.ts'
import {SIGNALS} from '../signals.ts'
import type {Key, ScreenSize} from './view.ts'

/** A key, or that the window has another size, or that the terminal is gone. */
export type TerminalEvent =
  | {readonly kind: 'key'; readonly key: Key}
  | {readonly kind: 'resize'}
  | {readonly kind: 'hangup'}

/** The whole screen and single keys, until it is closed. */
export interface Terminal {
  size(): ScreenSize
  draw(lines: readonly string[]): void
  /** The next thing that happens; keys typed meanwhile wait. */
  next(): Promise<TerminalEvent>
  /** Stop the process; done when the shell has taken it up again (Ctrl-Z, fg). */
  suspend(): Promise<void>
  /** Give the terminal back as it was. */
  close(): void
}

/** Another screen without cursor or line wrapping, so that what was there before comes back afterwards. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'
/** The terminal shows what is between these at once. */
const [HOLD, SHOW] = ['\x1b[?2026h', '\x1b[?2026l']

/** Refuse to start without a terminal, and say what to do instead. */
export function checkTerminal(json: boolean): void {
  if (process.stdin.isTTY && streamFor(json).isTTY && process.env.TERM !== 'dumb') return
  throw new AdfaError(
    'bad-option',
    'label asks in a terminal, and this is none; run it in one, or label in a spreadsheet: ' +
      '--sheet sheet.csv writes the questions, --from-sheet sheet.csv -o labels.jsonl reads the answers'
  )
}

/** Take the terminal over. It is given back by `close`, and by whatever ends the process apart from a kill -9. */
export function openTerminal(json: boolean): Terminal {
  const {stdin} = process
  const stream = streamFor(json)
  const events: TerminalEvent[] = []
  let waiting: ((event: TerminalEvent) => void) | undefined
  let isTaken = false
  const push = (event: TerminalEvent) => {
    const resolve = waiting
    waiting = undefined
    if (resolve === undefined) events.push(event)
    else resolve(event)
  }
  const onKey = (text: string | undefined, key: Key | undefined) =>
    push({kind: 'key', key: {...key, sequence: text ?? key?.sequence}})
  const onResize = () => push({kind: 'resize'})
  const onHangup = () => push({kind: 'hangup'})
  const take = () => {
    isTaken = true
    stdin.setRawMode(true)
    stdin.resume()
    stream.write(ENTER)
  }
  const give = () => {
    if (!isTaken) return
    isTaken = false
    stream.write(LEAVE)
    // A terminal that is gone has no mode to go back to.
    if (!stdin.destroyed) stdin.setRawMode(false)
  }
  emitKeypressEvents(stdin)
  stdin.on('keypress', onKey).on('end', onHangup).on('error', onHangup)
  stream.on('resize', onResize)
  process.on('exit', give)
  // Before the handlers that say good-bye, so that their words are read.
  for (const signal of SIGNALS) process.prependListener(signal, give)
  process.on('SIGHUP', onHangup)
  take()
  return {
    size: () => ({columns: stream.columns || 80, rows: stream.rows || 24}),
    draw: lines => {
      const painted = isUtf8() ? lines : lines.map(plainLine)
      stream.write(`${HOLD}\x1b[H${painted.map(line => `\x1b[2K${line}`).join('\r\n')}\x1b[J${SHOW}`)
    },
    next: () => {
      const event = events.shift()
      return event === undefined
        ? new Promise(resolve => {
            waiting = resolve
          })
        : Promise.resolve(event)
    },
    suspend: () =>
      new Promise(resolve => {
        give()
        process.once('SIGCONT', () => {
          take()
          resolve()
        })
        // The whole group, as the key would do: a program that started this one has to stop too.
        process.kill(0, 'SIGTSTP')
      }),
    close: () => {
      give()
      stdin.off('keypress', onKey).off('end', onHangup).off('error', onHangup)
      stdin.pause()
      stream.off('resize', onResize)
      process.off('exit', give)
      for (const signal of SIGNALS) process.off(signal, give)
      process.off('SIGHUP', onHangup)
    }
  }
}

/** With --json standard output is for the result, and the screen moves to standard error. */
function streamFor(json: boolean): NodeJS.WriteStream {
  return json ? process.stderr : process.stdout
}

function isUtf8(): boolean {
  const {LC_ALL, LC_CTYPE, LANG} = process.env
  return process.platform === 'win32' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '')
}

/** Our own signs in letters that every terminal has. */
function plainLine(line: string): string {
  return line
    .replace(/[\u2581-\u2588]/g, bar => (bar === '\u2588' ? '#' : String(bar.charCodeAt(0) - 0x2580)))
    .replace(/[\u2500\u2501]/g, '-')
    .replaceAll('\u276f', '>')
    .replaceAll('\u2591', '.')
    .replaceAll('\u25cf', 'o')
    .replaceAll('\u2026', '~')
}
