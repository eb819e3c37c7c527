import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {type ModuleTable, parseModuleTable} from './module-table.ts'

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Every TypeScript and style file of `src/`: its path from the root with forward slashes -> its text. */
export function readSources(): Map<string, string> {
  return new Map(
    readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'})
      .map(path => `src/${path.replaceAll('\\', '/')}`)
      .filter(path => /\.(tsx?|css)$/.test(path))
      .sort()
      .map(path => [path, readFileSync(join(root, path), 'utf8')])
  )
}

export function readModuleTable(): ModuleTable {
  return parseModuleTable(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8'))
}
