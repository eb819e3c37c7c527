import {AdfaError} from '../../base/checks/index.ts'

/**
 * Run work that can be cancelled: a first Ctrl-C lets it clean up, on other computers too, and then ends the command; a second
 * does what it does elsewhere, and ends the program at once.
 */
export async function cancellable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const held = SIGNALS.map(signal => ({signal, listeners: process.listeners(signal)}))
  const cancel = () => {
    restore()
    controller.abort()
  }
  const restore = () => {
    for (const {signal, listeners} of held) {
      if (!process.listeners(signal).includes(cancel)) continue
      for (const listener of listeners) process.once(signal, listener as NodeJS.SignalsListener)
      process.off(signal, cancel)
    }
  }
  // One listener is always there: a signal that came in while there is none would be lost.
  for (const {signal, listeners} of held) {
    process.on(signal, cancel)
    for (const listener of listeners) process.off(signal, listener as NodeJS.SignalsListener)
  }
  try {
    return await work(controller.signal)
  } catch (cause) {
    if (!controller.signal.aborted) throw cause
    throw new AdfaError('cancelled', 'interrupted; nothing half-written was left behind', {cause})
  } finally {
    restore()
  }
}

/** What ends a program from outside, and leaves it time to clean up. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Run work that keeps the thread busy. Meanwhile no handler of a signal could run, and Ctrl-C would do nothing: so the handlers
 * are taken away and a signal ends the process at once. There must be no temporary file to clean up.
 */
export function interruptible<T>(work: () => T): T {
  const held = SIGNALS.map(signal => ({signal, listeners: process.listeners(signal)}))
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  try {
    return work()
  } finally {
    for (const {signal, listeners} of held)
      for (const listener of listeners) process.once(signal, listener as NodeJS.SignalsListener)
  }
}
