import {readFileSync, writeFileSync} from 'node:fs'
import {ablationTable} from './ablation-table.ts'
import {Recorded} from './figures.ts'
import {readAblations} from './results.ts'
import {qualityTables} from './tables.ts'

/** Write the tables of all recorded results into research/quality.md, each between `<!-- table: NAME -->` and `<!-- end -->`. */
export function writePage(): void {
  const file = new URL('../quality.md', import.meta.url)
  const tables = {
    ...qualityTables(new Recorded()),
    links: ablationTable(readAblations())
  }
  const text = readFileSync(file, 'utf8')
  const filled = Object.entries(tables).reduce((page, [name, table]) => {
    const start = `<!-- table: ${name} -->\n`
    const from = page.indexOf(start)
    const to = page.indexOf('<!-- end -->', from)
    if (from < 0 || to < 0)
      throw new Error(`research/quality.md has no place for the table ${name}: ${start.trim()} and <!-- end -->`)
    return `${page.slice(0, from) + start}\n${table}\n\n${page.slice(to)}`
  }, text)
  writeFileSync(file, filled)
}
