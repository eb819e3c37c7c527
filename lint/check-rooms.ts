import {posix} from 'node:path'
import {type RoomTable, wingOf} from './room-table.ts'
import {type Found, type SourceFacts, sourceFacts} from './source-facts.ts'

/** The rooms that may use each npm package; unlisted packages may not be used. */
const PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['@clickhouse/client', ['read/engines']],
  ['@duckdb/node-api', ['read/engines']],
  ['@observablehq/plot', ['use/report']],
  ['@preact/signals', ['app/studio']],
  ['@viz-js/viz', ['app/drawing']],
  ['commander', ['app/cli']],
  ['fflate', ['read/files', 'read/tables', 'app/studio']],
  ['fzstd', ['read/files', 'app/studio']],
  ['highs', ['base/linear']],
  ['hyparquet', ['read/tables', 'app/studio']],
  ['hyparquet-compressors', ['read/tables']],
  ['hyparquet-writer', ['read/files']],
  ['preact', ['app/studio']],
  ['read-excel-file', ['read/tables']],
  ['libarchive-wasm', ['read/files']],
  ['picocolors', ['app/cli', 'app/demo']],
  ['saxes', ['read/files']]
])

/** Rooms whose files are in folders: one per command, one per experiment. */
const FOLDERED = new Set(['app/cli', 'app/experiments'])

/** Ambient things of a browser: rooms marked `Browser` may use them. */
const OF_BROWSER = new Set(['document', 'window', 'self', 'fetch', 'performance', 'Date', 'crypto', 'globalThis'])

const LINE_LIMIT = 300

interface SourceFile extends SourceFacts {
  readonly path: string
  /** `learn/noise`, or the file itself if it is directly in a wing or in `src/`: `learn/fit.ts`, `index.ts`. */
  readonly room: string
  readonly isTest: boolean
  readonly lineCount: number
}

/**
 * Check the files of `src/` (path such as `src/read/data/row.ts` -> text) against the table of rooms in docs/ARCHITECTURE.md.
 * Returns one line per fault, `path:line: rule: what is wrong`, in order of path and line.
 */
export function checkRooms(files: ReadonlyMap<string, string>, table: RoomTable): string[] {
  const sources = new Map([...files].map(([path, text]) => [path, readSource(path, text)]))
  const faults: Fault[] = []
  for (const file of sources.values()) {
    const report: Report = (line, rule, message) => faults.push({path: file.path, line, rule, message})
    checkPlace(file, table, report)
    for (const found of file.imports) checkImport(file, found, table, sources, report)
    if (file.isTest) continue
    for (const star of file.starExports) report(star.line, 'export', 'name every export instead of export *')
    if (file.lineCount > LINE_LIMIT)
      report(LINE_LIMIT + 1, 'length', `${file.lineCount} lines; at most ${LINE_LIMIT}, split the file`)
    const room = table.rooms.get(file.room)
    if (!room?.node)
      for (const use of file.ambient.filter(use => !(room?.browser && OF_BROWSER.has(use.text))))
        report(use.line, 'ambient', `${file.room} may not use ${use.text}; take it as an argument, or from numeric`)
  }
  faults.push(...missingIndexes(sources), ...cycles(sources))
  return faults.sort(byPlace).map(({path, line, rule, message}) => `${path}:${line}: ${rule}: ${message}`)
}

interface Fault {
  readonly path: string
  readonly line: number
  readonly rule: string
  readonly message: string
}

type Report = (line: number, rule: string, message: string) => void

function readSource(path: string, text: string): SourceFile {
  const parts = path.split('/').slice(1)
  const room = parts.slice(0, 2).join('/')
  const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return {path, room, isTest: isTest(path), lineCount, ...sourceFacts(path, text)}
}

function isTest(path: string): boolean {
  return /(\.test|\.contract)\.tsx?$|\/test-[^/]*\.tsx?$/.test(path)
}

function checkPlace(file: SourceFile, table: RoomTable, report: Report): void {
  const depth = file.path.split('/').length - 1
  if (depth > (FOLDERED.has(file.room) ? 4 : 3)) report(1, 'place', 'rooms have no folders inside; move the file up')
  if (!table.rooms.has(file.room) && !(file.isTest && depth < 3))
    report(1, 'place', `"${file.room}" is not in the table of rooms of docs/ARCHITECTURE.md`)
}

function checkImport(
  file: SourceFile,
  {text, line}: Found,
  table: RoomTable,
  sources: ReadonlyMap<string, SourceFile>,
  report: Report
): void {
  const fault = text.startsWith('.')
    ? pathFault(file, posix.join(posix.dirname(file.path), text), table, sources)
    : packageFault(file, text, table)
  if (fault) report(line, 'import', fault)
}

function packageFault(file: SourceFile, name: string, table: RoomTable): string | undefined {
  if (file.isTest) return undefined
  if (name.startsWith('node:'))
    return table.rooms.get(file.room)?.node ? undefined : `${file.room} may not import ${name}: it runs in a browser`
  if (name.startsWith('/') || name.startsWith('file:')) return 'absolute paths hold on one machine only'
  const base = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  return PACKAGES.get(base)?.includes(file.room)
    ? undefined
    : `${file.room} may not import the package ${base}; lint/check-rooms.ts lists the rooms that may`
}

function pathFault(
  file: SourceFile,
  path: string,
  table: RoomTable,
  sources: ReadonlyMap<string, SourceFile>
): string | undefined {
  // The version of the package is the one thing outside src/ that a program may need.
  if (!path.startsWith('src/')) return file.isTest || path === 'package.json' ? undefined : `${path} is outside src/`
  const target = sources.get(path)
  if (!target) return `${path} is not a file; write the whole name with .ts or .tsx`
  if (target.isTest) return file.isTest ? undefined : `${path} is for tests only`
  if (target.room === file.room) return undefined
  if (!table.rooms.has(target.room)) return `"${target.room}" is not in the table of rooms of docs/ARCHITECTURE.md`
  const door = target.room.endsWith('.ts') ? `src/${target.room}` : `src/${target.room}/index.ts`
  if (path !== door) return `${path} belongs to another room; import ${door}`
  return file.isTest || mayImport(file.room, target.room, table)
    ? undefined
    : `${file.room} may not import ${target.room}; docs/ARCHITECTURE.md lists what it may`
}

/** Wings to the left, and rooms of the same wing that the table names; Node and Browser rooms only from their like. */
function mayImport(from: string, to: string, {wings, rooms}: RoomTable): boolean {
  const [room, target] = [rooms.get(from), rooms.get(to)]
  if (!room || !target || (target.node && !room.node) || (target.browser && !room.browser)) return false
  return room.beside.has(to) || wings.indexOf(wingOf(to)) < wings.indexOf(wingOf(from))
}

function missingIndexes(sources: ReadonlyMap<string, SourceFile>): Fault[] {
  const rooms = new Set([...sources.values()].map(file => file.room).filter(room => !room.endsWith('.ts')))
  return [...rooms]
    .map(room => `src/${room}/index.ts`)
    .filter(path => !sources.has(path))
    .map(path => ({path, line: 1, rule: 'index', message: 'the room has no index.ts that names its exports'}))
}

/** Import cycles inside a room, each once: reported at the import that closes it in a depth-first walk. */
function cycles(sources: ReadonlyMap<string, SourceFile>): Fault[] {
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (file: SourceFile, trail: readonly string[]): void => {
    done.add(file.path)
    const here = [...trail, file.path]
    for (const {text, line} of file.imports) {
      const target = sources.get(posix.join(posix.dirname(file.path), text))
      if (!target || target.room !== file.room) continue
      const from = here.indexOf(target.path)
      if (from >= 0) {
        const circle = [...here.slice(from), target.path].map(path => posix.basename(path)).join(' -> ')
        faults.push({path: file.path, line, rule: 'circle', message: `files import each other: ${circle}`})
      } else if (!done.has(target.path)) walk(target, here)
    }
  }
  for (const file of sources.values()) if (!done.has(file.path)) walk(file, [])
  return faults
}

function byPlace(a: Fault, b: Fault): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line
}
