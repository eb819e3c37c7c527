/** One row of the table of modules: a folder such as `learn/noise`, or a file such as `learn/fit.ts` or `index.ts`. */
export interface Module {
  readonly name: string
  /** The modules of its own layer that it may import; layers to the left are always allowed. */
  readonly beside: ReadonlySet<string>
  /** Whether it may use Node, the clock, the console, unseeded randomness, and modules that use them. */
  readonly node: boolean
  /** Whether it may use the page, the clock and the network of a browser. */
  readonly browser: boolean
  /** The most lines of its source files and of its tests; undefined where the table has no such columns. */
  readonly budget: {readonly lines: number; readonly tests: number} | undefined
}

export interface ModuleTable {
  /** From left to right: a layer imports those before it. */
  readonly layers: readonly string[]
  readonly modules: ReadonlyMap<string, Module>
}

/**
 * Read the table whose header begins `| module | imports beside it |`. The second cell lists modules of the same layer from
 * rows above, or is "all above" or "nothing"; `Node` lets the module use Node, `Browser` the page and the clock; text in
 * parentheses is ignored.
 * Columns named `lines` and `tests` hold the most lines of its source and of its tests.
 * Layers follow the order of their rows, and names must be in rows above, so the table cannot contain a cycle.
 */
export function parseModuleTable(markdown: string): ModuleTable {
  const lines = markdown.split('\n')
  const header = lines.findIndex(line => /^\|\s*module\s*\|\s*imports beside it\s*\|/.test(line))
  if (header < 0) throw new Error('no table of modules; expected a line that begins "| module | imports beside it |"')
  const columns = cellsOf(lines[header])
  const modules = new Map<string, Module>()
  const layers: string[] = []
  for (const line of lines.slice(header + 2)) {
    if (!line.startsWith('|')) break
    const cells = cellsOf(line)
    const [name, cell] = cells
    if (modules.has(name)) throw new Error(`the table of modules has two rows for "${name}"`)
    const layer = layerOf(name)
    if (layers.includes(layer) && layers.at(-1) !== layer)
      throw new Error(`the table of modules has "${name}" apart from the other rows of its layer`)
    if (!layers.includes(layer)) layers.push(layer)
    modules.set(name, {...parseModule(name, cell, modules), budget: budgetOf(name, columns, cells)})
  }
  return {layers, modules}
}

/** `learn` of `learn/noise` and of `learn/fit.ts`; entry files of the package are in a last, unnamed layer. */
export function layerOf(module: string): string {
  return module.includes('/') ? module.slice(0, module.indexOf('/')) : ''
}

function parseModule(name: string, cell: string, above: ReadonlyMap<string, Module>): Omit<Module, 'budget'> {
  const layer = layerOf(name)
  const words = cell === 'nothing' ? [] : cell.split(/\s*,\s*/)
  const names = words.flatMap(word => {
    if (word === 'Node' || word === 'Browser') return []
    if (word === 'all above') return [...above.keys()].filter(other => layerOf(other) === layer)
    return [layer === '' ? word : `${layer}/${word}`]
  })
  for (const other of names)
    if (!above.has(other))
      throw new Error(`the table of modules lets "${name}" import "${other}", which is not the name of a row above it`)
  return {name, beside: new Set(names), node: words.includes('Node'), browser: words.includes('Browser')}
}

function cellsOf(line: string): string[] {
  return line.split('|').slice(1, -1).map(plain)
}

function budgetOf(name: string, columns: readonly string[], cells: readonly string[]): Module['budget'] {
  const [lines, tests] = ['lines', 'tests'].map(column => columns.indexOf(column))
  if (lines < 0 || tests < 0) return undefined
  const numberIn = (at: number) => {
    const text = cells[at]?.replaceAll(',', '') ?? ''
    if (!/^\d+$/.test(text)) throw new Error(`the table of modules needs numbers of lines and tests for "${name}"`)
    return Number(text)
  }
  return {lines: numberIn(lines), tests: numberIn(tests)}
}

function plain(cell: string): string {
  return cell
    .replace(/`/g, '')
    .replace(/\s*\([^)]*\)/g, '')
    .trim()
}
