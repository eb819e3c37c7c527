/**
 * The cost of withholding small cells for three hospitals that pool their tables. Figures are kept in
 * federated.json, from which docs/pooling/suppression.svg and the table of docs/pooling.md (printed here) are made.
 *
 * Command: npx tsx research/figures/federated.ts [DOCUMENTS...]   (measures these sizes anew: 11000 110000, some four minutes)
 */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {type Chart, type ChartSeries, drawChart} from '../../src/use/report/index.ts'
import {type Figure, measureDraw, thresholds} from './federated-measure.ts'

const DRAWS = [1, 2]
const kept = new URL('federated.json', import.meta.url)
const folder = new URL('../../docs/pooling/', import.meta.url)
let figures: readonly Figure[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []

for (const size of process.argv.slice(2).map(Number)) {
  const draws = await Promise.all(DRAWS.map(draw => measureDraw(size, draw)))
  const together = draws[0].map((first, at) => ({
    ...first,
    lastTag: draws.map(draw => draw[at].lastTag[0]),
    averagePrecision: draws.map(draw => draw[at].averagePrecision[0])
  }))
  figures = [...figures.filter(({documents}) => documents !== size), ...together]
  process.stderr.write(`${size} documents measured\n`)
}
const digits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
writeFileSync(kept, `${JSON.stringify(figures, digits, 1)}\n`)

const sizes = [...new Set(figures.map(({documents}) => documents))].sort((a, b) => a - b)
mkdirSync(folder, {recursive: true})
draw('suppression', {
  kind: 'lines',
  title: 'Pooling without small cells',
  description:
    'Accuracy of the last tag against the threshold below which cells are withheld, for two sizes of three hospitals together.',
  x: {label: 'cells below this many documents are withheld', ticks: thresholds},
  y: {label: 'accuracy of the last tag', percent: true},
  panels: panels(['withheld'], {withheld: 'pooled tables'}, thresholds)
})
process.stdout.write(`${table('c', 'withheld', thresholds, ['withheld'])}\n`)

function panels(ways: readonly Figure['way'][], names: Readonly<Record<string, string>>, xs: readonly number[]) {
  return sizes.map(size => ({
    title: `${size.toLocaleString('en')} documents`,
    series: [
      ...ways.map((way): ChartSeries => {
        const own = figures.filter(figure => figure.documents === size && figure.way === way)
        const points = own.map(({setting, lastTag}) => ({x: setting, y: mean(lastTag)}))
        const marks = own.flatMap(({setting, lastTag}) => lastTag.map(y => ({x: setting, y})))
        return {name: names[way], points, marks}
      }),
      ...levels(size, xs, ways.length > 1)
    ]
  }))
}

/** Reference lines, the same at every setting; the line of anchors alone is so low that it would hide the cost of withholding. */
function levels(size: number, xs: readonly number[], hasAnchors: boolean): ChartSeries[] {
  const named = {
    central: 'all documents together',
    'best hospital': 'best hospital alone',
    'anchors only': 'anchors only'
  }
  const shown = Object.entries(named).filter(([way]) => hasAnchors || way !== 'anchors only')
  return shown.map(([way, name]) => {
    const y = mean(find(size, way, 0).lastTag)
    return {name, points: [xs[0], xs[xs.length - 1]].map(x => ({x, y}))}
  })
}

function table(name: string, what: string, settings: readonly number[], ways: readonly Figure['way'][]): string {
  const columns = sizes.flatMap(size => ways.map(way => ({size, way})))
  const header = [
    name,
    ...columns.map(({size, way}) => `${size.toLocaleString('en')}, ${way === what ? 'withheld' : way}`)
  ]
  const cell = (figure: Figure) =>
    `${figure.withheld > 0 ? `${(100 * figure.withheld).toFixed(0)}%: ` : ''}${mean(figure.lastTag).toFixed(3)}, ${mean(figure.averagePrecision).toFixed(3)}`
  const rows = settings.map(setting => [setting, ...columns.map(({size, way}) => cell(find(size, way, setting)))])
  const beside = (['central', 'best hospital', 'anchors only'] as const).map(way => [
    way,
    ...columns.map(({size}) => cell(find(size, way, 0)))
  ])
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...[...rows, ...beside].map(line)].join('\n')
}

function find(documents: number, way: string, setting: number): Figure {
  const found = figures.find(
    figure => figure.documents === documents && figure.way === way && figure.setting === setting
  )
  if (found === undefined)
    throw new Error(`no figure of ${way} at ${setting}, ${documents} documents; measure them first`)
  return found
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function draw(name: string, chart: Chart): void {
  writeFileSync(new URL(`${name}.svg`, folder), drawChart(chart))
}
