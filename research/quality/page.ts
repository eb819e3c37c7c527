import {readFileSync, writeFileSync} from 'node:fs'
import {ablationTable} from './ablation-table.ts'
import {Recorded} from './figures.ts'
import {readAblations} from './results.ts'
import {exampleTable, readmeTable} from './short-tables.ts'
import {qualityTables} from './tables.ts'

/** Write the tables of all recorded results into the pages that show them. */
export function writePages(): void {
  const recorded = new Recorded()
  fill('research/quality.md', {...qualityTables(recorded), links: ablationTable(readAblations())})
  fill('README.md', {quality: readmeTable(recorded)})
  fill('docs/evaluation.md', {example: exampleTable(recorded, 'cooking')})
}

/** Each table stands between `<!-- table: NAME -->` and `<!-- end -->`. */
function fill(path: string, tables: Readonly<Record<string, string>>): void {
  const file = new URL(`../../${path}`, import.meta.url)
  const text = readFileSync(file, 'utf8')
  const filled = Object.entries(tables).reduce((page, [name, table]) => {
    const start = `<!-- table: ${name} -->\n`
    const from = page.indexOf(start)
    const to = page.indexOf('<!-- end -->', from)
    if (from < 0 || to < 0)
      throw new Error(`${path} has no place for the table ${name}: ${start.trim()} and <!-- end -->`)
    return `${page.slice(0, from) + start}\n${table}\n\n${page.slice(to)}`
  }, text)
  writeFileSync(file, filled)
}
