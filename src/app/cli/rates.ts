import {clamp} from '../../base/numeric/index.ts'
import {noiseEstimators, noiseTable, type RateInterval} from '../../learn/noise/index.ts'
import {type SourceGroup, sourceReliability} from '../../learn/votes/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {anchorsToJson} from '../../read/data/index.ts'
import type {Examination} from '../../use/advice/index.ts'
import {type JudgedRates, measuredRates} from '../present/index.ts'
import type {Output} from './output.ts'
import {type Input, sampleDocuments, scoreDocuments} from './read-input.ts'

/** The rates of each anchor by every estimator that applies, and how reliable each source of votes is. */
export interface Rates {
  readonly judged: readonly (JudgedRates & {readonly refused: string | undefined})[]
  readonly groups: readonly SourceGroup[]
}

/** Estimates rates after an examination, whose verdict and scores it goes by. */
export function estimateRates(input: Input, {verdict, scores}: Examination, seed: number, output: Output): Rates {
  const sample = sampleDocuments(input)
  const evidence = {scores: scores ?? scoreDocuments(sample, seed, output)}
  output.progress('estimating rates')
  // A guess predicts, and is not for people.
  const shown = noiseEstimators.filter(method => method !== 'guess')
  const judged = noiseTable(input.counts, evidence, shown).map(row => ({
    ...row,
    used: verdict.rates.find(({concept}) => concept === row.concept),
    refused: verdict.refused.find(({concept}) => concept === row.concept)?.reason
  }))
  return {judged, groups: sourceReliability(input.counts, judged.map(prevalenceOf), sample)}
}

/** P(Y) that the rates imply; of a refused concept, that of its first estimate. */
function prevalenceOf({firing, used, estimates}: JudgedRates): number {
  if (used === undefined) return estimates[0]?.prevalence.value ?? firing
  const {truePositive: t, falsePositive: e} = used
  return clamp((firing - e) / (t - e), 0, 1)
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

/** A value without an interval has no ends. */
function withInterval<T extends {prevalence: RateInterval; precision: RateInterval | undefined}>(own: T) {
  const shown = (rate: RateInterval | undefined) => (rate && rate.low === rate.high ? {value: rate.value} : rate)
  return {...own, prevalence: shown(own.prevalence), precision: shown(own.precision)}
}

/** Every counted anchor with its rates, if they were measured. */
export function ratedAnchors({lexicon}: Counts, {judged}: Rates): Record<string, unknown> {
  const known = new Map(judged.map(({concept, used}) => [concept, measuredRates(used)]))
  return anchorsToJson(
    lexicon.anchors.map(anchor => {
      const used = known.get(anchor.concept)
      if (used === undefined || anchor.rates !== undefined) return anchor
      const {truePositive, falsePositive} = used
      return {...anchor, rates: {kind: 'rates', truePositive, falsePositive}}
    })
  )
}
