import {Option} from 'commander'
import type {EdgeConfidence} from '../../../base/network/index.ts'
import {type Bootstrap, bootstrap, bootstrapDefaults, type Intervals} from '../../../learn/bootstrap.ts'
import type {FitCertificate, FitControl} from '../../../learn/fit.ts'
import type {Model} from '../../../learn/model/index.ts'
import type {FitOptions, Preset} from '../../../learn/presets.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {positiveNumber} from '../common-options.ts'
import type {Output} from '../output.ts'
import {counted, percent, textTable} from '../text.ts'

/** How much of a model is chance, in its file at `certificate.intervals`. */
export interface FitIntervals {
  readonly replicates: number
  /** Of them, those that could not be fitted. */
  readonly refused: number
  readonly level: number
  readonly seed: number
  readonly concepts: readonly ConceptIntervals[]
  /** The surest first; of edges that the network does not have, those that every tenth replicate has. */
  readonly edges: readonly EdgeConfidence[]
}

export interface ConceptIntervals {
  readonly name: string
  readonly prevalence: Range
  readonly truePositive: Range
  readonly falsePositive: Range
}

type Range = readonly [low: number, high: number]

/** A model, and, if they were asked for, its intervals. */
export type ModelWithIntervals = Model & {readonly certificate: FitCertificate & {readonly intervals?: FitIntervals}}

/** Edges that the network does not have, but this share of the replicates has, are worth keeping. */
const LEAST_CONFIDENCE = 0.1
/** And those that this share has, worth telling. */
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

/** The model with intervals from that many replicates. */
export function addIntervals(
  model: ModelWithIntervals,
  counts: Counts,
  options: Partial<FitOptions> & {readonly preset: Preset; readonly seed: number},
  replicates: number,
  {onStage: _onStage, onProgress: _onProgress, documents: _documents, ...control}: FitControl,
  output: Output
): ModelWithIntervals {
  const found = bootstrap(counts, options, {
    ...control,
    replicates,
    seed: options.seed,
    onProgress: (done, all) => output.progress(`intervals: ${done} of ${all} resamplings`, done / all)
  })
  const {refused, refusal} = found.certificate
  if (refused > 0)
    output.note(
      `intervals: ${counted(refused, 'resampling')} of ${replicates} could not be fitted and are left out, so that intervals are too narrow; ` +
        `the documents, or their labels, are few: ${refusal}`
    )
  return {...model, certificate: {...model.certificate, intervals: summary(found)}}
}

function summary({concepts, edges, prevalence, truePositive, falsePositive, certificate}: Bootstrap): FitIntervals {
  const {replicates, refused, level, seed} = certificate
  const range = ({low, high}: Intervals, i: number): Range => [low[i], high[i]]
  return {
    replicates,
    refused,
    level,
    seed,
    concepts: concepts.map((name, i) => ({
      name,
      prevalence: range(prevalence, i),
      truePositive: range(truePositive, i),
      falsePositive: range(falsePositive, i)
    })),
    edges: edges.filter(({confidence, fitted}) => fitted || confidence >= LEAST_CONFIDENCE)
  }
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
function shown(value: number, [low, high]: Range): string {
  return low === high ? fine(value) : `${fine(value)} (${fine(low)} to ${fine(high)})`
}

/** Two digits of a small share too: false hits are rare, but not never. */
function fine(p: number): string {
  return p < 0.00995 ? `${Number((100 * p).toPrecision(2))}%` : percent(p)
}
