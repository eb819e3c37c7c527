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
  if (openPaths.size === 0) process.once('exit', removeTemporaryFiles)
  openPaths.add(path)
  return path
}

/** Forget a temporary file that was renamed: it is not temporary any more. */
export function releaseTemporaryFile(path: string): void {
  openPaths.delete(path)
  if (openPaths.size === 0) process.off('exit', removeTemporaryFiles)
}

/** Remove one temporary file or folder, whether or not it was created. */
export async function removeTemporaryFile(path: string): Promise<void> {
  await rm(path, {force: true, recursive: true})
  releaseTemporaryFile(path)
}

/**
 * Remove every temporary file of this process, synchronously. Runs by itself when the process exits; a handler of SIGINT or
 * SIGTERM must call it, since a signal ends a process without the `exit` event.
 */
export function removeTemporaryFiles(): void {
  for (const path of openPaths) {
    try {
      rmSync(path, {force: true, recursive: true})
    } catch {
      // The process is ending: a file that cannot be removed must not keep the others.
    }
    releaseTemporaryFile(path)
  }
}
