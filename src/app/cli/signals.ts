import {AdfaError} from '../../base/checks/index.ts'
import {endingSignals} from '../../read/files/index.ts'

/**
 * Runs work that must be cancelled to clean up elsewhere, such as on a server: the first Ctrl-C lets it do so and then ends the
 * command, a second one ends the program at once. Other work needs nothing of the kind: without a listener, a signal ends the
 * process at once, and temporary files have a listener of their own.
 */
export async function cancellable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let caught: NodeJS.Signals | undefined
  const cancel = (signal: NodeJS.Signals) => {
    caught = signal
    controller.abort()
    // Not yet: other listeners of this same signal must see that somebody handles it.
    setImmediate(release)
  }
  const release = () => {
    for (const signal of endingSignals) process.off(signal, cancel)
  }
  for (const signal of endingSignals) process.on(signal, cancel)
  try {
    const result = await work(controller.signal)
    controller.signal.throwIfAborted()
    return result
  } catch (cause) {
    if (!controller.signal.aborted) throw cause
    const details = {signal: caught}
    throw new AdfaError('cancelled', 'interrupted; no partial files were left', {cause, details})
  } finally {
    release()
  }
}

/** Milliseconds that a signal may have to wait while documents are worked on. */
const PATIENCE = 50

/**
 * For loops without other pauses, while there are temporary files: `await` the result when there is one, and signals get
 * through.
 */
export function createPause(): () => Promise<void> | undefined {
  let resumed = performance.now()
  return () => {
    if (performance.now() - resumed < PATIENCE) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        resumed = performance.now()
        resolve()
      })
    )
  }
}
