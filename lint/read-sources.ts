import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseRoomTable, type RoomTable} from './room-table.ts'

/** The checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Every TypeScript file of `src/`: its path from the root with forward slashes -> its text. */
export function readSources(): Map<string, string> {
  return new Map(
    readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'})
      .map(path => `src/${path.replaceAll('\\', '/')}`)
      .filter(path => /\.tsx?$/.test(path))
      .sort()
      .map(path => [path, readFileSync(join(root, path), 'utf8')])
  )
}

export function readRoomTable(): RoomTable {
  return parseRoomTable(readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8'))
}
