/** Writes research/bench/README.md from the recorded results. Command: npx tsx research/bench/summary.ts */
import {readdirSync, writeFileSync} from 'node:fs'
import {markdownTable, type provenance, readKept} from '../page.ts'
import type {BenchRow} from './bench.ts'

interface Result extends ReturnType<typeof provenance> {
  readonly claim: string
  readonly command: string
  readonly rows: readonly BenchRow[]
}

const folder = new URL('../results/', import.meta.url)
const sections = readdirSync(folder)
  .filter(name => name.endsWith('.json'))
  .sort()
  .map(name => readKept<Partial<Result>>(new URL(name, folder), {}))
  // Others, such as quality-*.json, have their own pages.
  .filter((result): result is Result => result.rows !== undefined)
  .map(({claim, command, date, commit, machine, rows}) => {
    const columns = Object.keys(rows[0])
    const table = markdownTable(
      columns,
      rows.map(row => columns.map(name => row[name]))
    )
    return `## ${claim}\n\n\`${command}\` on ${date}, commit ${commit}: ${machine}\n\n${table}\n`
  })

writeFileSync(
  new URL('README.md', import.meta.url),
  `# Speed, measured

One file per claim, each compared with a slower method that does the same, over growing numbers of concepts, documents and words. Benches
run on the built package (\`npm run build\`) and record their results in \`research/results/\`, from which
\`npx tsx research/bench/summary.ts\` makes this page. Times depend on the machine, ratios less so. File headers describe the comparison.
For the quality of predictions see [quality](../quality.md).

${sections.join('\n')}`
)
