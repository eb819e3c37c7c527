import {mkdir} from 'node:fs/promises'
import {cannotWrite} from './file-error.ts'

/** Make a folder and those above it, unless they are there. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, {recursive: true})
  } catch (error) {
    throw cannotWrite(path, error)
  }
}
