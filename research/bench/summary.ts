/** Writes research/bench/README.md from the recorded results. Command: npx tsx research/bench/summary.ts */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import type {BenchRow} from './record.ts'

interface Result {
  readonly claim: string
  readonly command: string
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly rows: readonly BenchRow[]
}

const folder = new URL('../results/', import.meta.url)
const results = readdirSync(folder)
  // Predictions and the size of the source have pages of their own.
  .filter(name => name.endsWith('.json') && !/^(quality|house)-/.test(name))
  .sort()
  .map(name => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Result)

const sections = results.map(({claim, command, date, commit, machine, rows}) => {
  const columns = Object.keys(rows[0])
  const line = (cells: readonly (number | string)[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(row => line(columns.map(name => row[name])))
  ]
  return `## ${claim}\n\n\`${command}\` on ${date}, commit ${commit}: ${machine}\n\n${table.join('\n')}\n`
})

writeFileSync(
  new URL('README.md', import.meta.url),
  `# Speed, measured

One file a claim, each beside something slower that does the same, with the growth over concepts, documents and words. Benches
run on the built package (\`npm run build\`) and record their results in \`results/\`; this page is made from those by
\`npx tsx research/bench/summary.ts\`. Times depend on the machine; ratios less so. Headers of the files say what stands beside what.
How good predictions are, beside everything else that could be done, is measured by \`quality/\` and told in [quality](../quality.md).

${sections.join('\n')}`
)
