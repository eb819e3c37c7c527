/** What the pages of measured figures have in common: tables in Markdown, places in pages, and where and when something was measured. */
import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {cpus, totalmem} from 'node:os'

type Cell = string | number | undefined

/** A table in Markdown; undefined cells are empty. */
export function markdownTable(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map(cell => cell ?? '').join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Writes 1234567 as 1,234,567; text stays unchanged. */
export function thousands(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value
}

/** Writes a number with two significant digits: 1234 as 1,200. */
export function about(value: number): string {
  return thousands(Number(value.toPrecision(2)))
}

/** Puts each text between `<!-- NAME -->` and `<!-- end -->` of a page, which is named by its path in the repository. */
export function fillPage(path: string, texts: Readonly<Record<string, string>>): void {
  const file = new URL(`../${path}`, import.meta.url)
  const filled = Object.entries(texts).reduce(
    (page, [name, text]) => {
      const start = `<!-- ${name} -->\n`
      const from = page.indexOf(start)
      const to = page.indexOf('<!-- end -->', from)
      if (from < 0 || to < 0) throw new Error(`${path} has no place for ${start.trim()} and <!-- end -->`)
      return `${page.slice(0, from) + start}\n${text}\n\n${page.slice(to)}`
    },
    readFileSync(file, 'utf8')
  )
  writeFileSync(file, filled)
}

/** Reads figures that were kept as JSON. */
export function readKept<T>(file: URL, otherwise: T): T {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : otherwise
}

/** Keeps figures as JSON, with at most so many significant digits. */
export function writeKept(file: URL, figures: unknown, digits = 17): void {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(digits)) : value)
  writeFileSync(file, `${JSON.stringify(figures, rounded, 1)}\n`)
}

/** Where and when something was measured; the commit has a plus where the source differs from it. */
export function provenance(): {readonly date: string; readonly commit: string; readonly machine: string} {
  const git = (...args: readonly string[]) => execFileSync('git', args, {encoding: 'utf8'}).trim()
  const isChanged = git('status', '--porcelain', 'src') !== ''
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : ''),
    machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  }
}
