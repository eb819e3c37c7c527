import {emitKeypressEvents} from 'node:readline'
import {usageError} from '../common-options.ts'
import type {Key, ScreenSize} from './view.ts'

/** A key, a new window size, or a closed terminal. */
export type TerminalEvent =
  | {readonly kind: 'key'; readonly key: Key}
  | {readonly kind: 'resize'}
  | {readonly kind: 'hangup'}

/** The whole screen and single keys, until it is closed. */
export interface Terminal {
  size(): ScreenSize
  draw(lines: readonly string[]): void
  /** The next event; keys typed before are queued. */
  next(): Promise<TerminalEvent>
  /** Stops the process (Ctrl-Z); resolves when the shell continues it (fg). */
  suspend(): Promise<void>
  close(): void
}

/** Alternate screen without cursor and line wrapping; leaving it restores the previous contents. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l'
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l'
/** Signals after which only the terminal is left to restore: every answer is saved. */
const ENDING = ['SIGINT', 'SIGTERM'] as const
/** The terminal shows everything between these at once. */
const [HOLD, SHOW] = ['\x1b[?2026h', '\x1b[?2026l']

export function checkTerminal(json: boolean): void {
  if (process.stdin.isTTY && streamFor(json).isTTY && process.env.TERM !== 'dumb') return
  throw usageError(
    'adfa label needs a terminal; run it in one, or label in a spreadsheet: ' +
      '--sheet sheet.csv writes the questions, --from-sheet sheet.csv -o labels.jsonl reads the answers'
  )
}

/** Takes over the terminal. `close`, and anything that ends the process except kill -9, gives it back. */
export function openTerminal(json: boolean): Terminal {
  const stream = streamFor(json)
  const {push, next} = eventQueue()
  const {take, give} = takeover(stream)
  const stopListening = listen(stream, push, give)
  take()
  return {
    size: () => ({columns: stream.columns || 80, rows: stream.rows || 24}),
    draw: lines => {
      stream.write(`${HOLD}\x1b[H${lines.map(line => `\x1b[2K${line}`).join('\r\n')}\x1b[J${SHOW}`)
    },
    next,
    suspend: () =>
      new Promise(resolve => {
        give()
        process.once('SIGCONT', () => {
          take()
          resolve()
        })
        // Stop the whole process group, as the key would: a program that started this one must stop too.
        process.kill(0, 'SIGTSTP')
      }),
    close: () => {
      give()
      stopListening()
    }
  }
}

/** Queues events until `next` is called. */
function eventQueue(): {push(event: TerminalEvent): void; next(): Promise<TerminalEvent>} {
  const events: TerminalEvent[] = []
  let waiting: ((event: TerminalEvent) => void) | undefined
  return {
    push(event) {
      const resolve = waiting
      waiting = undefined
      if (resolve === undefined) events.push(event)
      else resolve(event)
    },
    next() {
      const event = events.shift()
      return event === undefined
        ? new Promise(resolve => {
            waiting = resolve
          })
        : Promise.resolve(event)
    }
  }
}

/** Switches the terminal to single keys and another screen, and back. */
function takeover(stream: NodeJS.WriteStream): {take(): void; give(): void} {
  const {stdin} = process
  let isTaken = false
  return {
    take() {
      isTaken = true
      stdin.setRawMode(true)
      stdin.resume()
      stream.write(ENTER)
    },
    give() {
      if (!isTaken) return
      isTaken = false
      stream.write(LEAVE)
      // A closed terminal has no mode to restore.
      if (!stdin.destroyed) stdin.setRawMode(false)
    }
  }
}

/** Reports keys, resizing and hang-ups, and calls `give` when the process ends; returns a function that stops listening. */
function listen(stream: NodeJS.WriteStream, push: (event: TerminalEvent) => void, give: () => void): () => void {
  const {stdin} = process
  const onKey = (text: string | undefined, key: Key | undefined) =>
    push({kind: 'key', key: {...key, sequence: text ?? key?.sequence}})
  const onResize = () => push({kind: 'resize'})
  const onHangup = () => push({kind: 'hangup'})
  const onEnd = (signal: NodeJS.Signals) => {
    give()
    process.stderr.write('adfa: interrupted; every answer is saved; run the same command to continue\n')
    process.off(signal, onEnd)
    process.kill(process.pid, signal)
  }
  emitKeypressEvents(stdin)
  stdin.on('keypress', onKey).on('end', onHangup).on('error', onHangup)
  stream.on('resize', onResize)
  process.on('exit', give)
  for (const signal of ENDING) process.on(signal, onEnd)
  process.on('SIGHUP', onHangup)
  return () => {
    stdin.off('keypress', onKey).off('end', onHangup).off('error', onHangup)
    stdin.pause()
    stream.off('resize', onResize)
    process.off('exit', give)
    for (const signal of ENDING) process.off(signal, onEnd)
    process.off('SIGHUP', onHangup)
  }
}

/** With --json, standard output carries the result and the screen moves to standard error. */
function streamFor(json: boolean): NodeJS.WriteStream {
  return json ? process.stderr : process.stdout
}
