import {randomUUID} from 'node:crypto'
import {rmSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'

// The process owns its temporary files: the code that handles its end must find them all. This is the one piece of state
// that cannot be passed as an argument.
const openPaths = new Set<string>()

/**
 * A new path for a temporary file in `folder`, registered from now on, so that an interruption between this call and the
 * creation of the file leaves nothing behind.
 */
export function reserveTemporaryFile(folder: string, prefix: string): string {
  const path = join(folder, `${prefix}.${process.pid}-${randomUUID().slice(0, 13)}.tmp`)
  if (openPaths.size === 0) startListening()
  openPaths.add(path)
  return path
}

export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Listens only while there is a temporary file. A signal that has a listener waits until no JavaScript runs; without one it
 * ends the process at once, however busy.
 */
function startListening(): void {
  if (process.listeners('exit').includes(removeTemporaryFiles)) return
  process.on('exit', removeTemporaryFiles)
  for (const signal of endingSignals) process.on(signal, endBySignal)
}

function stopListening(): void {
  process.off('exit', removeTemporaryFiles)
  for (const signal of endingSignals) process.off(signal, endBySignal)
}

/** Cleans up and lets the signal end the process, unless somebody else handles it. */
function endBySignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  removeTemporaryFiles()
  process.stderr.write('\nadfa: interrupted; no partial files were left\n')
  process.kill(process.pid, signal)
}

/**
 * Forget a temporary file that was renamed: it is not temporary any more. A signal that came before is still delivered: without
 * a listener it would be lost.
 */
export async function releaseTemporaryFile(path: string): Promise<void> {
  openPaths.delete(path)
  if (openPaths.size > 0) return
  await new Promise(resolve => setImmediate(resolve))
  if (openPaths.size === 0) stopListening()
}

/** Remove one temporary file or folder, whether or not it was created. */
export async function removeTemporaryFile(path: string): Promise<void> {
  await rm(path, {force: true, recursive: true})
  await releaseTemporaryFile(path)
}

/**
 * Remove every temporary file of this process, synchronously. Runs by itself when the process exits, and when SIGINT, SIGTERM
 * or SIGHUP ends it; a program with its own listener for one of these must call it.
 */
export function removeTemporaryFiles(): void {
  for (const path of openPaths) {
    try {
      rmSync(path, {force: true, recursive: true})
    } catch {
      // The process is ending: a file that cannot be removed must not keep the others.
    }
  }
  openPaths.clear()
  stopListening()
}
