// Measures how big and how tangled a source tree is, so that a refactoring can show what it changes:
//   npx tsx research/house.ts [--root DIR] [--json FILE] [--compare BEFORE.json] [--list]
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import ts from 'typescript'

/** Where each entry of the package starts. A tree that lacks the file has no such row. */
const ENTRIES = {adfa: 'src/index.ts', 'adfa/node': 'src/node.ts', 'adfa/predict': 'src/predict.ts'}
/** The fewest lines of a repeated passage. */
const WINDOW = 6

/** A line with code on it: its tokens as written, and with placeholders for names, texts and numbers. */
type Line = {path: string; number: number; texts: string[]; shapes: string[]}
type Passage = {length: number; starts: Set<number>}
type Figures = Record<string, number | string>

function readTrees(root: string): ts.SourceFile[] {
  const paths = readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter(path => path.endsWith('.ts'))
  return paths.sort().map(path => {
    const text = readFileSync(join(root, 'src', path), 'utf8')
    return ts.createSourceFile(`src/${path}`, text, ts.ScriptTarget.Latest, true)
  })
}

const isTest = ({fileName}: ts.SourceFile) => /(\.test|\.contract)\.ts$|\/test-/.test(fileName)
const lineOf = (tree: ts.SourceFile, position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
const size = (tree: ts.SourceFile) => lineOf(tree, tree.text.trimEnd().length)
const textOf = (line: Line) => line.texts.join(' ')
const shapeOf = (line: Line) => line.shapes.join(' ')
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, child => walk(child, visit))
}

/** The room of a file: `room` in `src/room/file.ts`, `wing/room` at any depth of `src/wing/room/`, '' in src itself. */
const roomOf = (path: string) => dirname(path).split('/').slice(1, 3).join('/')

/** A folder directly below src is a wing when folders below it hold source files, and a room otherwise. */
function countRooms(trees: readonly ts.SourceFile[]): {rooms: number; wings: number} {
  const folders = new Set(trees.map(tree => roomOf(tree.fileName)).filter(folder => folder !== ''))
  const wings = new Set([...folders].filter(folder => folder.includes('/')).map(folder => dirname(folder)))
  return {rooms: [...folders].filter(folder => !wings.has(folder)).length, wings: wings.size}
}

/**
 * The files that exactly one source file uses, from the same room. Any string that resolves to a source file is a
 * use, so workers and dynamic imports count; tests do not. A file that an index.ts re-exports serves more than its one
 * importer, so it stays out, as do the index files themselves.
 */
function filesOfOneImporter(trees: readonly ts.SourceFile[]): string[] {
  const importers = new Map(trees.map(tree => [tree.fileName, new Set<string>()]))
  for (const tree of trees)
    walk(tree, node => {
      if (ts.isStringLiteralLike(node) && node.text.startsWith('.'))
        importers.get(join(dirname(tree.fileName), node.text))?.add(tree.fileName)
    })
  return [...importers].flatMap(([path, [importer, ...others]]) => {
    if (!importer || others.length > 0 || roomOf(importer) !== roomOf(path)) return []
    return [path, importer].some(name => name.endsWith('/index.ts')) ? [] : [`${path} <- ${importer}`]
  })
}

/** The names, types included, that a module exports: export lists, exported declarations, and `export *` followed. */
function exportedNames(trees: readonly ts.SourceFile[], path: string): string[] {
  const statements = trees.find(tree => tree.fileName === path)?.statements ?? []
  const names = statements.flatMap((node: ts.Statement & {name?: ts.Node}) => {
    if (ts.isExportDeclaration(node)) {
      const {exportClause: clause, moduleSpecifier: from} = node
      if (clause) return ts.isNamedExports(clause) ? clause.elements.map(({name}) => name.text) : [clause.name.text]
      return from && ts.isStringLiteral(from) ? exportedNames(trees, join(dirname(path), from.text)) : []
    }
    const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined
    if (!modifiers?.some(({kind}) => kind === ts.SyntaxKind.ExportKeyword)) return []
    const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node]
    return declared.map(({name}) => name?.getText() ?? 'default')
  })
  return [...new Set(names)]
}

/** Each function with a body; its lines include those of the functions inside it. */
function functionsOf(tree: ts.SourceFile): {place: string; lines: number; parameters: number}[] {
  const found: ReturnType<typeof functionsOf> = []
  walk(tree, node => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return
    const start = lineOf(tree, node.getStart())
    const place = `${tree.fileName}:${start} ${ts.getNameOfDeclaration(node)?.getText() ?? '(unnamed)'}`
    found.push({place, lines: lineOf(tree, node.end) - start + 1, parameters: node.parameters.length})
  })
  return found
}

/** The lines that say something: without blanks, comments, imports, re-exports, and lines of lone punctuation. */
function codeLines(tree: ts.SourceFile): Line[] {
  const lines = new Map<number, Line>()
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || ts.isImportDeclaration(node) || (ts.isExportDeclaration(node) && node.moduleSpecifier))
      return
    const children = node.getChildren()
    for (const child of children) visit(child)
    if (children.length > 0 || node.kind === ts.SyntaxKind.SyntaxList) return
    // A template may span lines, and each of them counts.
    for (const [i, text] of node.getText().split('\n').entries()) {
      const number = lineOf(tree, node.getStart()) + i
      const line = lines.get(number) ?? {path: tree.fileName, number, texts: [], shapes: []}
      lines.set(number, line)
      line.texts.push(text.trim())
      line.shapes.push(placeholder(node) ?? text)
    }
  }
  visit(tree)
  return [...lines.values()].filter(line => /\w/.test(textOf(line)))
}

function placeholder(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return 'NAME'
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node)) return 'NUMBER'
  return ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) ? 'TEXT' : undefined
}

/** Every passage of at least six lines that occurs twice and that a further line on either side would make differ. */
function findPassages(code: readonly Line[], key: (line: Line) => string): Passage[] {
  const keys = code.map(key)
  const windows = new Map<string, number[]>()
  for (let at = 0; at + WINDOW <= code.length; at++) {
    if (code[at].path !== code[at + WINDOW - 1].path) continue
    const content = keys.slice(at, at + WINDOW).join('\n')
    windows.set(content, [...(windows.get(content) ?? []), at])
  }
  const within = (from: number, at: number) => code[at]?.path === code[from].path
  const found = new Map<string, Passage>()
  for (const starts of windows.values())
    for (const [i, a] of starts.entries())
      for (const b of starts.slice(i + 1)) {
        const agree = (step: number) => within(a, a + step) && within(b, b + step) && keys[a + step] === keys[b + step]
        // A pair that also agrees one line earlier belongs to the longer passage that starts there.
        if (agree(-1)) continue
        let length = WINDOW
        while (agree(length)) length++
        const content = keys.slice(a, a + length).join('\n')
        const passage = found.get(content) ?? {length, starts: new Set()}
        passage.starts.add(a).add(b)
        found.set(content, passage)
      }
  return [...found.values()].sort((a, b) => b.length - a.length)
}

/** Longer passages come first; a line counts as copied once, and a shorter passage must find six further lines. */
function countCopies(code: readonly Line[], passages: readonly Passage[]): {copied: number; places: string[]} {
  const seen = new Set<number>()
  const places: string[] = []
  let copied = 0
  for (const {length, starts} of passages) {
    const apart: number[] = []
    for (const at of [...starts].sort((a, b) => a - b)) if (at >= (apart.at(-1) ?? -length) + length) apart.push(at)
    const span = (at: number) => Array.from({length}, (_, i) => at + i)
    const fresh = (at: number) => span(at).filter(line => !seen.has(line)).length
    // The best-known place is the original, so that a third copy of a known passage counts once.
    const [original, ...others] = apart.sort((a, b) => fresh(a) - fresh(b))
    const copies = others.filter(at => fresh(at) >= WINDOW)
    if (copies.length === 0) continue
    copied += total(copies.map(fresh))
    for (const line of [original, ...copies].flatMap(span)) seen.add(line)
    const spans = [original, ...copies].map(at => `${code[at].path}:${code[at].number}-${code[at + length - 1].number}`)
    places.push(`${length} lines: ${spans.join(', ')}`)
  }
  return {copied, places}
}

/** Rows of data and lists of fields all look alike; only a passage that does something has a shape worth sharing. */
function isActive(run: readonly Line[]): boolean {
  const acts = run.filter(line => /NAME \(| = |^return|^if/.test(shapeOf(line)))
  return acts.length > 1 && new Set(run.map(shapeOf)).size > 3 && total(run.map(line => line.shapes.length)) >= 30
}

function measure(root: string): {figures: Figures; lists: Record<string, readonly string[]>} {
  const all = readTrees(root)
  const trees = all.filter(tree => !isTest(tree))
  const tests = all.filter(isTest)
  const bySize = trees.toSorted((a, b) => size(b) - size(a))
  const names = Object.entries(ENTRIES).map(([key, path]) => [`names from ${key}`, exportedNames(trees, path).length])
  const functions = trees.flatMap(functionsOf).sort((a, b) => b.lines - a.lines)
  const longer = (limit: number) => functions.filter(({lines}) => lines > limit)
  const wide = functions.filter(({parameters}) => parameters > 4)
  const code = trees.flatMap(codeLines)
  const exact = countCopies(code, findPassages(code, textOf))
  const alike = findPassages(code, shapeOf).filter(({length, starts: [at]}) => isActive(code.slice(at, at + length)))
  const shaped = countCopies(code, alike)
  const lists = {
    'files with one importer, in their own room': filesOfOneImporter(trees),
    'functions over 60 lines': longer(60).map(({place, lines}) => `${place} (${lines})`),
    'functions with more than 4 parameters': wide.map(({place, parameters}) => `${place} (${parameters})`),
    'repeated passages': exact.places,
    'passages of the same shape': shaped.places
  }
  const figures = {
    'source files': trees.length,
    'source lines': total(trees.map(size)),
    'median lines per file': size(bySize[trees.length >> 1]),
    'largest file': `${size(bySize[0])} (${bySize[0].fileName})`,
    'test files': tests.length,
    'test lines': total(tests.map(size)),
    ...countRooms(trees),
    ...Object.fromEntries(names.filter(([, count]) => count)),
    'functions over 40 lines': longer(40).length,
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])),
    'lines in further copies of passages': exact.copied,
    'lines in further copies of shapes': shaped.copied,
    'npm dependencies (runtime / optional / peer)': countPackages(root)
  }
  return {figures, lists}
}

function countPackages(root: string): string {
  const manifest: Record<string, object | undefined> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const kinds = [manifest.dependencies, manifest.optionalDependencies, manifest.peerDependencies]
  return kinds.map(kind => Object.keys(kind ?? {}).length).join(' / ')
}

function table(now: Figures, before?: Figures): string {
  const columns = before ? [before, now] : [now]
  const names = new Set(columns.flatMap(column => Object.keys(column)))
  const head = before ? '| figure | before | after |\n| --- | ---: | ---: |' : '| figure | now |\n| --- | ---: |'
  const rows = [...names].map(name => `| ${[name, ...columns.map(column => column[name] ?? '-')].join(' | ')} |`)
  return [head, ...rows].join('\n')
}

const {values: options} = parseArgs({
  options: {root: {type: 'string'}, json: {type: 'string'}, compare: {type: 'string'}, list: {type: 'boolean'}}
})
const {figures, lists} = measure(resolve(options.root ?? join(import.meta.dirname, '..')))
console.log(table(figures, options.compare && JSON.parse(readFileSync(options.compare, 'utf8'))))
for (const [title, items] of options.list ? Object.entries(lists) : [])
  console.log(`\n## ${title}\n\n${items.map(item => `- ${item}`).join('\n')}`)
if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`)
