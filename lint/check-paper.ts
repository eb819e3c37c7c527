import ts from 'typescript'

/**
 * Faults of the page that maps the paper to the code. Its tables with the columns `paper | what | where` hold one
 * row per label: `paper` begins with the label in backticks, `where` is "not yet" (words may follow) or a
 * comma-separated list of `path#name`: a file and a function, type, class or constant at its top level, exported or not.
 * `readSource` gives the text of a path, or undefined when there is no such file.
 */
export function checkPaper(
  page: string,
  labels: readonly string[],
  readSource: (path: string) => string | undefined
): string[] {
  const rows = paperRows(page)
  const faults = rows.flatMap(row => [
    ...labelFaults(row, rows, labels),
    ...whereFaults(row.where, readSource).map(fault => `line ${row.line}: ${fault}`)
  ])
  const seen = new Set(rows.map(row => row.label))
  return [...faults, ...labels.filter(label => !seen.has(label)).map(label => `no row for \`${label}\``)]
}

interface PaperRow {
  readonly label: string | undefined
  readonly where: string
  readonly line: number
}

function paperRows(page: string): PaperRow[] {
  const rows: PaperRow[] = []
  let inside = false
  for (const [at, line] of page.split('\n').entries()) {
    const cells = line.startsWith('|') ? tableCells(line) : []
    if (cells.join('|') === 'paper|what|where') inside = true
    else if (cells.length === 0) inside = false
    else if (inside && !cells.every(cell => /^:?-+:?$/.test(cell)))
      rows.push({label: /^`([^`]+)`/.exec(cells[0])?.[1], where: cells[2] ?? '', line: at + 1})
  }
  return rows
}

/** A bar inside a cell is written `\|`, also in code spans. */
function tableCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim())
}

function labelFaults({label, line}: PaperRow, rows: readonly PaperRow[], labels: readonly string[]): string[] {
  if (label === undefined) return [`line ${line}: the row does not begin with a label in backticks`]
  if (!labels.includes(label))
    return [`line ${line}: the paper has no \`${label}\`; lint/paper-labels.ts lists its labels`]
  const first = rows.find(row => row.label === label)
  return first && first.line < line ? [`line ${line}: \`${label}\` has a row already, on line ${first.line}`] : []
}

function whereFaults(where: string, readSource: (path: string) => string | undefined): string[] {
  if (/^not yet\b/.test(where)) return []
  return where.split(',').flatMap(place => {
    const [, path, name] = /^`?([^`#\s]+)#([^`#\s]+?)`?$/.exec(place.trim()) ?? []
    if (!path) return [`"${place.trim()}" is neither "not yet" nor path#name`]
    const text = readSource(path)
    if (text === undefined) return [`${path} does not exist`]
    return topLevelNames(path, text).has(name) ? [] : [`${path} has no ${name}`]
  })
}

function topLevelNames(path: string, text: string): Set<string> {
  const names = new Set<string>()
  for (const statement of ts.createSourceFile(path, text, ts.ScriptTarget.Latest).statements) {
    if (ts.isVariableStatement(statement))
      for (const {name} of statement.declarationList.declarations) if (ts.isIdentifier(name)) names.add(name.text)
    if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    )
      if (statement.name) names.add(statement.name.text)
  }
  return names
}
