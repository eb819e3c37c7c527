import {clamp} from '../../base/numeric/index.ts'
import {counted, grouped, nameList, percent, printableLine} from '../../base/text/index.ts'
import {
  type AnchorEstimates,
  isMeasured,
  type NoiseVerdict,
  noiseEstimators,
  noiseTable,
  type RateInterval,
  type SourcedRates
} from '../../learn/noise/index.ts'
import {type Accuracy, type SourceGroup, type SourceReliability, sourceReliability} from '../../learn/votes/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import type {Examination} from '../../use/advice/index.ts'
import {textTable} from '../present/index.ts'
import type {Output} from './output.ts'
import {type Input, sampleDocuments, scoreDocuments} from './read-input.ts'
import {intervalText} from './text.ts'

/** The rates of each anchor by every estimator that applies, and how reliable each source of votes is. */
export interface Rates {
  readonly judged: readonly Judgement[]
  readonly groups: readonly SourceGroup[]
}

interface Judgement extends AnchorEstimates {
  /** The rates of a fit. */
  readonly used: SourcedRates | undefined
  readonly refused: string | undefined
}

/** Estimates rates after an examination, whose verdict and scores it goes by. */
export function estimateRates(input: Input, {verdict, scores}: Examination, seed: number, output: Output): Rates {
  const sample = sampleDocuments(input)
  const evidence = {scores: scores ?? scoreDocuments(sample, seed, output)}
  output.progress('estimating rates')
  // A guess predicts, and is not for people.
  const shown = noiseEstimators.filter(method => method !== 'guess')
  const judged = judgements(noiseTable(input.counts, evidence, shown), verdict)
  return {judged, groups: sourceReliability(input.counts, judged.map(prevalenceOf), sample)}
}

export function ratesJson({judged, groups}: Rates): object {
  return {
    concepts: judged.map(({used, estimates, ...own}) => ({
      ...own,
      estimates: estimates.map(each => withInterval(each)),
      used: used && used.basis !== 'constant' ? withInterval(used) : undefined
    })),
    ...(groups.length > 0 && {
      groups: groups.map(({sources: _, ...group}) => group),
      sources: groups.flatMap(({sources}, group) => sources.map(source => ({...source, group})))
    })
  }
}

export function ratesText({judged, groups}: Rates): string {
  return [rateTable(judged), ...groups.map(sourceText), ...sourceNotes(groups)].join('\n\n')
}

function judgements(table: readonly AnchorEstimates[], {rates, refused}: NoiseVerdict): Judgement[] {
  return table.map(row => ({
    ...row,
    used: rates.find(({concept}) => concept === row.concept),
    refused: refused.find(({concept}) => concept === row.concept)?.reason
  }))
}

/** P(Y) that the rates imply; of a refused concept, that of its first estimate. */
function prevalenceOf({firing, used, estimates}: Judgement): number {
  if (used === undefined) return estimates[0]?.prevalence.value ?? firing
  const {truePositive: t, falsePositive: e} = used
  return clamp((firing - e) / (t - e), 0, 1)
}

/** Only the rates of a fit have intervals here: on real text the intervals of most estimators miss the truth too often to be shown. */
function rateTable(judged: readonly Judgement[]): string {
  const found = new Set(judged.flatMap(({estimates}) => estimates.map(({method}) => method)))
  const methods = noiseEstimators.filter(method => found.has(method))
  const rows = judged.map(({concept, used, estimates}) => {
    const known = measured(used)
    return [
      concept,
      known === undefined ? '-' : intervalText(known.prevalence),
      known?.precision === undefined ? '-' : intervalText(known.precision),
      known === undefined ? '-' : percent(known.truePositive),
      basisText(used),
      ...methods.map(method => {
        const estimate = estimates.find(each => each.method === method)
        return estimate === undefined ? '-' : percent(estimate.prevalence.value)
      })
    ]
  })
  return textTable([['concept', 'prevalence', 'precision', 'fires if present', 'by', ...methods], ...rows])
}

function measured(used: SourcedRates | undefined): SourcedRates | undefined {
  return used !== undefined && isMeasured(used.basis) ? used : undefined
}

/** A value without an interval has no ends. */
function withInterval<T extends {prevalence: RateInterval; precision: RateInterval | undefined}>(own: T) {
  const shown = (rate: RateInterval | undefined) => (rate && rate.low === rate.high ? {value: rate.value} : rate)
  return {...own, prevalence: shown(own.prevalence), precision: shown(own.precision)}
}

function basisText(used: SourcedRates | undefined): string {
  if (used === undefined) return 'refused'
  if (used.basis === 'balance') return 'balance of classes'
  return used.basis === 'constant' ? 'not measured' : used.sources.join(' + ')
}

function sourceText({classes, alpha, sources}: SourceGroup): string {
  const overall = alpha === undefined ? '' : `; Krippendorff's alpha ${alpha.toFixed(2)}`
  return `Sources of votes for ${nameList(classes, 6)}, worst first${overall}\n${sourceTable(sources)}`
}

/** Characters of the name of a source or class. */
const NAME_LENGTH = 24

function sourceTable(sources: readonly SourceReliability[]): string {
  const rows = sources.map(({source, accuracy, basis, votes, coverage, mostWrong}) => [
    cut(source),
    accuracyText(accuracy),
    basis,
    grouped(votes),
    percent(coverage),
    mostWrong === undefined ? '' : `${cut(mostWrong.vote)} for ${cut(mostWrong.truth)} (${percent(mostWrong.share)})`
  ])
  return textTable([['source', 'accuracy', 'by', 'votes', 'covers', 'most often wrong'], ...rows])
}

/** What the tables mean, once for all groups. */
function sourceNotes(groups: readonly SourceGroup[]): string[] {
  const sources = groups.flatMap(group => group.sources)
  const without = sources.filter(({basis}) => basis === 'estimate').length
  const notes: [boolean, string][] = [
    [
      sources.some(({mostWrong}) => mostWrong !== undefined),
      '"a for b (5%)": in 5% of its votes it votes for a where b holds'
    ],
    [
      without > 0,
      `${grouped(without)} of ${counted(sources.length, 'source')} without labels: accuracy is an estimate, from agreement with the other sources and a usual 80%. To measure it, label 50 to 100 documents with adfa label`
    ],
    [
      sources.some(({accuracy}) => accuracy.low === undefined),
      '(not measured): there is no interval, as no vote is against the concept: votes for it alone say little about accuracy'
    ]
  ]
  const applying = notes.flatMap(([applies, note]) => (applies ? [note] : []))
  return applying.length > 0 ? [applying.join('\n')] : []
}

function accuracyText({value, low, high}: Accuracy): string {
  return low === undefined || high === undefined ? `${percent(value)} (not measured)` : intervalText({value, low, high})
}

function cut(text: string): string {
  const characters = [...printableLine(text)]
  return characters.length <= NAME_LENGTH ? characters.join('') : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
}

/** Every counted anchor with its rates, if they were measured. */
export function ratedAnchors({lexicon}: Counts, {judged}: Rates): Record<string, unknown> {
  const known = new Map(judged.map(({concept, used}) => [concept, measured(used)]))
  return anchorsToJson(
    lexicon.anchors.map(anchor => {
      const used = known.get(anchor.concept)
      if (used === undefined || anchor.rates !== undefined) return anchor
      const {truePositive, falsePositive} = used
      return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
    })
  )
}
