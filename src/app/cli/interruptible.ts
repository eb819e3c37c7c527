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
