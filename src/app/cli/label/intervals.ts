import {cellWidth, clipCells, fitCells, percent} from '../../../base/text/index.ts'
import type {RateInterval} from '../../../learn/noise/index.ts'
import {type LabelProgress, widthText} from '../../../use/labelling/index.ts'
import {colours as pc} from '../output.ts'

/** The bars run from 0.1% to 100%, on a log scale. */
const LEAST = 0.001
const BAR = 24

/** Every concept with its prevalence and 90% interval, least certain first; unusable concepts come last. */
export function intervalLines(concepts: readonly string[], {precision}: LabelProgress, columns: number): string[] {
  if (precision === undefined) return ['', '  No estimates yet: no labelled document has a concept.']
  const name = Math.max(8, Math.min(columns - BAR - 34, Math.max(...concepts.map(cellWidth))))
  const head = `  ${fitCells('concept', name)}  ${fitCells('prevalence, 90% interval', 24)}  factor  ${fitCells('0.1%', BAR - 4)}100%`
  const rows = precision.rates.map(({prevalence, refusal}, i) => ({
    width: prevalence.high / prevalence.low,
    prevalence,
    concept: concepts[i],
    fault: refusal?.reason
  }))
  const known = rows
    .filter(({fault}) => fault === undefined)
    .toSorted((a, b) => b.width - a.width)
    .map(({concept, prevalence, width}) => {
      const {value, low, high} = prevalence
      const numbers = `${percent(value).padStart(6)}  ${percent(low)} - ${percent(high)}`
      return `  ${fitCells(concept, name)}  ${fitCells(numbers, 24)}  ${widthText(width).padStart(6)}  ${bar(prevalence)}`
    })
  const faults = rows.flatMap(({concept, fault}) =>
    fault === undefined ? [] : [pc.yellow(clipCells(`  ${fitCells(concept, name)}  not usable: ${fault}`, columns))]
  )
  return [pc.dim(head), ...known, ...(faults.length > 0 ? ['', ...faults] : [])]
}

function bar({value, low, high}: RateInterval): string {
  const place = (p: number) => Math.round(((BAR - 1) * Math.log(Math.max(p, LEAST) / LEAST)) / Math.log(1 / LEAST))
  const [from, at, to] = [low, value, high].map(place)
  const cells = Array.from({length: BAR}, (_, cell) =>
    cell === at ? '\u25cf' : cell >= from && cell <= to ? '\u2501' : ' '
  )
  return pc.cyan(cells.join(''))
}
