import {posix} from 'node:path'
import {layerOf, type ModuleTable} from './module-table.ts'
import {type Found, type SourceFacts, sourceFacts} from './source-facts.ts'

/** The modules that may use each npm package; unlisted packages may not be used. */
const PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['@clack/prompts', ['app/cli']],
  ['@duckdb/node-api', ['read/engines']],
  ['@observablehq/plot', ['app/drawing']],
  ['@preact/signals', ['app/studio']],
  ['@viz-js/viz', ['app/report']],
  ['commander', ['app/cli']],
  ['fflate', ['read/files', 'read/reading', 'app/studio']],
  ['fzstd', ['read/reading', 'app/studio']],
  ['highs', ['base/linear']],
  ['hyparquet', ['read/reading', 'app/studio']],
  ['hyparquet-compressors', ['read/reading']],
  ['hyparquet-writer', ['read/files']],
  ['preact', ['app/present', 'app/report', 'app/studio']],
  ['preact-render-to-string', ['app/report']],
  ['read-excel-file', ['read/reading']],
  ['picocolors', ['app/cli']]
])

/** Ambient things of a browser: modules marked `Browser` may use them. */
const OF_BROWSER = new Set(['document', 'window', 'self', 'fetch', 'performance', 'Date', 'crypto', 'globalThis'])

const LINE_LIMIT = 500

interface SourceFile extends SourceFacts {
  readonly path: string
  /** `learn/noise`, or the file itself if it is directly in a layer or in `src/`: `learn/fit.ts`, `index.ts`. */
  readonly module: string
  readonly isTest: boolean
  readonly lineCount: number
}

/**
 * Check the files of `src/` (path such as `src/read/data/row.ts` -> text) against the table of modules in docs/ARCHITECTURE.md.
 * Returns one line per fault, `path:line: rule: what is wrong`, in order of path and line.
 */
export function checkModules(files: ReadonlyMap<string, string>, table: ModuleTable): string[] {
  const sources = new Map([...files].map(([path, text]) => [path, readSource(path, text)]))
  const faults: Fault[] = []
  for (const file of sources.values()) {
    const report: Report = (line, rule, message) => faults.push({path: file.path, line, rule, message})
    checkPlace(file, table, report)
    for (const found of file.imports) checkImport(file, found, table, sources, report)
    if (file.isTest) continue
    for (const star of file.starExports) report(star.line, 'export', 'name every export instead of export *')
    if (file.lineCount > LINE_LIMIT && !file.path.endsWith('.css'))
      report(LINE_LIMIT + 1, 'length', `${file.lineCount} lines; at most ${LINE_LIMIT}, split the file`)
    const module = table.modules.get(file.module)
    if (!module?.node)
      for (const use of file.ambient.filter(use => !(module?.browser && OF_BROWSER.has(use.text))))
        report(use.line, 'ambient', `${file.module} may not use ${use.text}; take it as an argument, or from numeric`)
  }
  faults.push(...missingIndexes(sources), ...cycles(sources), ...overBudget(sources, table))
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
  const module = parts.slice(0, 2).join('/')
  const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const facts = path.endsWith('.css') ? {imports: [], starExports: [], ambient: []} : sourceFacts(path, text)
  return {path, module, isTest: isTest(path), lineCount, ...facts}
}

function isTest(path: string): boolean {
  return /(\.test|\.contract)\.tsx?$|\/test-[^/]*\.tsx?$/.test(path)
}

function checkPlace(file: SourceFile, table: ModuleTable, report: Report): void {
  const depth = file.path.split('/').length - 1
  const isOwned = file.isTest && (depth < 2 || testedModule(file.path, table.modules) !== undefined)
  if (!table.modules.has(file.module) && !isOwned)
    report(1, 'place', `"${file.module}" is not in the table of modules of docs/ARCHITECTURE.md`)
}

function checkImport(
  file: SourceFile,
  {text, line}: Found,
  table: ModuleTable,
  sources: ReadonlyMap<string, SourceFile>,
  report: Report
): void {
  const fault = text.startsWith('.')
    ? pathFault(file, posix.join(posix.dirname(file.path), text), table, sources)
    : packageFault(file, text, table)
  if (fault) report(line, 'import', fault)
}

function packageFault(file: SourceFile, name: string, table: ModuleTable): string | undefined {
  if (file.isTest) return undefined
  if (name.startsWith('node:'))
    return table.modules.get(file.module)?.node
      ? undefined
      : `${file.module} may not import ${name}: it runs in a browser`
  if (name.startsWith('/') || name.startsWith('file:')) return 'absolute paths hold on one machine only'
  const base = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  return PACKAGES.get(base)?.includes(file.module)
    ? undefined
    : `${file.module} may not import the package ${base}; lint/check-modules.ts lists the modules that may`
}

function pathFault(
  file: SourceFile,
  path: string,
  table: ModuleTable,
  sources: ReadonlyMap<string, SourceFile>
): string | undefined {
  // The version of the package is the one thing outside src/ that a program may need.
  if (!path.startsWith('src/')) return file.isTest || path === 'package.json' ? undefined : `${path} is outside src/`
  const target = sources.get(path)
  if (!target) return `${path} is not a file; write the whole name with .ts or .tsx`
  if (target.isTest) return file.isTest ? undefined : `${path} is for tests only`
  if (target.module === file.module) return undefined
  if (!table.modules.has(target.module))
    return `"${target.module}" is not in the table of modules of docs/ARCHITECTURE.md`
  const door = target.module.endsWith('.ts') ? `src/${target.module}` : `src/${target.module}/index.ts`
  if (path !== door) return `${path} belongs to another module; import ${door}`
  return file.isTest || mayImport(file.module, target.module, table)
    ? undefined
    : `${file.module} may not import ${target.module}; docs/ARCHITECTURE.md lists what it may`
}

/** Layers to the left, and modules of the same layer that the table names; Node and Browser modules only from their like. */
function mayImport(from: string, to: string, {layers, modules}: ModuleTable): boolean {
  const [module, target] = [modules.get(from), modules.get(to)]
  if (!module || !target || (target.node && !module.node) || (target.browser && !module.browser)) return false
  return module.beside.has(to) || layers.indexOf(layerOf(to)) < layers.indexOf(layerOf(from))
}

/** Modules with more lines than their row allows. Lines are all lines of `.ts`, `.tsx` and `.css` files. */
function overBudget(sources: ReadonlyMap<string, SourceFile>, {modules}: ModuleTable): Fault[] {
  const sizes = new Map([...modules.keys()].map(name => [name, {lines: 0, tests: 0}]))
  for (const {path, module, isTest, lineCount} of sources.values()) {
    const size = sizes.get(module) ?? sizes.get(testedModule(path, modules) ?? '')
    if (size !== undefined) size[isTest ? 'tests' : 'lines'] += lineCount
  }
  return [...modules.values()].flatMap(({name, budget}) =>
    (['lines', 'tests'] as const)
      .map(kind => ({kind, size: sizes.get(name)?.[kind] ?? 0, most: budget?.[kind] ?? Number.POSITIVE_INFINITY}))
      .filter(({size, most}) => size > most)
      .map(({kind, size, most}) => ({
        path: `src/${name}`,
        line: 1,
        rule: 'budget',
        message: `${size} ${kind === 'lines' ? 'lines' : 'lines of tests'}; its row in docs/ARCHITECTURE.md allows ${most}: remove some, or raise the row and say for what`
      }))
  )
}

/** The file of a layer that a test beside it belongs to: `learn/fit.ts` for `src/learn/fit-custom.test.ts`. */
function testedModule(path: string, modules: ModuleTable['modules']): string | undefined {
  const stem = path.replace(/^src\//, '').replace(/\.(test|contract)\.tsx?$/, '')
  return [...modules.keys()]
    .filter(name => name.endsWith('.ts') && (stem === name.slice(0, -3) || stem.startsWith(`${name.slice(0, -3)}-`)))
    .sort((a, b) => b.length - a.length)[0]
}

function missingIndexes(sources: ReadonlyMap<string, SourceFile>): Fault[] {
  const modules = new Set([...sources.values()].map(file => file.module).filter(module => !module.endsWith('.ts')))
  return [...modules]
    .map(module => `src/${module}/index.ts`)
    .filter(path => !sources.has(path))
    .map(path => ({path, line: 1, rule: 'index', message: 'the module has no index.ts that names its exports'}))
}

/** Import cycles inside a module, each once: reported at the import that closes it in a depth-first walk. */
function cycles(sources: ReadonlyMap<string, SourceFile>): Fault[] {
  const faults: Fault[] = []
  const done = new Set<string>()
  const walk = (file: SourceFile, trail: readonly string[]): void => {
    done.add(file.path)
    const here = [...trail, file.path]
    for (const {text, line} of file.imports) {
      const target = sources.get(posix.join(posix.dirname(file.path), text))
      if (!target || target.module !== file.module) continue
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
