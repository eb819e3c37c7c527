import {Option} from 'commander'
import type {EdgeConfidence} from '../../../base/network/index.ts'
import {bootstrapDefaults, type FitIntervals, type IntervalEnds} from '../../../learn/bootstrap.ts'
import type {Model} from '../../../learn/model/index.ts'
import {positiveNumber} from '../common-options.ts'
import {counted, percent, textTable} from '../text.ts'

/** Edges that the network lacks, but this share of the replicates has, are printed. */
const TOLD_CONFIDENCE = 0.5

export function intervalsOption(): Option {
  const {replicates, level} = bootstrapDefaults
  return new Option(
    '--intervals [replicates]',
    `fit so many resamplings of the counts too (${replicates} if no number is given), for ${percent(level)} intervals of ` +
      'prevalences and rates, and for how sure each edge is'
  )
    .argParser(positiveNumber)
    .preset(String(replicates))
}

/** Concepts with their intervals, and edges with how often they were found again. */
export function intervalText({concepts}: Model, intervals: FitIntervals): string {
  const {replicates, refused, level, edges} = intervals
  const used = replicates - refused
  const rows = intervals.concepts.map((ranges, i) => [
    ranges.name,
    shown(concepts[i].prevalence, ranges.prevalence),
    shown(concepts[i].truePositive, ranges.truePositive),
    shown(concepts[i].falsePositive, ranges.falsePositive)
  ])
  const header = ['concept', 'documents that have it', 'its anchor fires in these', 'and in the others']
  const fitted = edges.filter(edge => edge.fitted)
  const missing = edges.filter(edge => !edge.fitted && edge.confidence >= TOLD_CONFIDENCE)
  const list = (title: string, found: readonly EdgeConfidence[]) =>
    found.length === 0 ? [] : ['', title, textTable(found.map(edgeRow))]
  return [
    `${percent(level)} intervals from ${counted(used, 'resampling')} of the documents`,
    textTable([header, ...rows]),
    ...list('edges, with the share of the resamplings that have them too', fitted),
    ...list('edges that the network lacks, but most resamplings have', missing)
  ].join('\n')
}

function edgeRow({parent, child, confidence}: EdgeConfidence): string[] {
  return [`${parent} - ${child}`, `${Math.round(100 * confidence)}%`]
}

/** "12% (10% to 15%)"; what was given, and does not vary, has no interval. */
function shown(value: number, [low, high]: IntervalEnds): string {
  return low === high ? fine(value) : `${fine(value)} (${fine(low)} to ${fine(high)})`
}

/** Two digits of a small share too: false hits are rare, but not never. */
function fine(p: number): string {
  return p < 0.00995 ? `${Number((100 * p).toPrecision(2))}%` : percent(p)
}
