import {readFileSync} from 'node:fs'

/** The version in package.json, one folder above the built program and three above this file. */
export function packageVersion(): string {
  for (const path of ['../package.json', '../../../package.json']) {
    const url = new URL(path, import.meta.url)
    try {
      return (JSON.parse(readFileSync(url, 'utf8')) as {version: string}).version
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error('internal error: package.json not found')
}
