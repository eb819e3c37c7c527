import {AdfaError} from '../../base/checks/index.ts'

/**
 * Runs work that can be cancelled: a first Ctrl-C lets it clean up, also on servers, and then ends the command; a second one
 * ends the program at once.
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
  // Add the new listener before removing the others: a signal without any listener would be lost.
  for (const {signal, listeners} of held) {
    process.on(signal, cancel)
    for (const listener of listeners) process.off(signal, listener as NodeJS.SignalsListener)
  }
  try {
    return await work(controller.signal)
  } catch (cause) {
    if (!controller.signal.aborted) throw cause
    throw new AdfaError('cancelled', 'interrupted; no partial files were left', {cause})
  } finally {
    restore()
  }
}

/** Signals that end a program and leave it time to clean up. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs synchronous work, during which no signal handler can run and Ctrl-C would have no effect: without handlers, a signal
 * ends the process at once. There must be no temporary file to clean up.
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
