import {AdfaError} from '../index.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

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
      process.off(signal, cancel)
      for (const listener of listeners) process.once(signal, listener as NodeJS.SignalsListener)
    }
  }
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal)
    process.on(signal, cancel)
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
