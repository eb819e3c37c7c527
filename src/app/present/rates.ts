/** Rates of anchors by every estimator, and the reliability of sources of votes. */
import {clamp} from '../../base/numeric/index.ts'
import {counted, grouped, isPoint, nameList, percent, printableLine} from '../../base/text/index.ts'
import {type AnchorEstimates, isMeasured, noiseEstimators, type SourcedRates} from '../../learn/noise/index.ts'
import type {SourceFacts} from '../../use/facts/index.ts'
import {type Block, column, figure, kept, paragraph, tableOf} from './blocks.ts'

interface Figure {
  readonly value: number
  readonly low?: number | undefined
  readonly high?: number | undefined
}

/** "12% (10% to 15%)"; a value that is given, or known so well that its ends look the same, has no interval. */
export function intervalText({value, low = value, high = value}: Figure): string {
  return isPoint(low, high) ? percent(value) : `${percent(value)} (${percent(low)} to ${percent(high)})`
}

/** The estimates of an anchor, and the rates that a fit uses unless it refuses the concept. */
export interface JudgedRates extends AnchorEstimates {
  readonly used: SourcedRates | undefined
}

/** Only the rates of a fit have intervals here: on real text the intervals of most estimators miss the truth too often to be shown. */
export function ratesBlock(judged: readonly JudgedRates[]): Block {
  const found = new Set(judged.flatMap(({estimates}) => estimates.map(({method}) => method)))
  const methods = noiseEstimators.filter(method => found.has(method))
  const known = (name: string, text: (rates: SourcedRates) => string) =>
    figure(name, ({used}: JudgedRates) => {
      const rates = measuredRates(used)
      return rates === undefined ? '-' : text(rates)
    })
  return tableOf(judged, [
    column('concept', ({concept}) => ({text: concept, to: {concept}})),
    known('prevalence', ({prevalence}) => intervalText(prevalence)),
    known('precision', ({precision}) => intervalText(precision)),
    known('fires if present', ({truePositive}) => percent(truePositive)),
    column('by', ({used}) => basisText(used)),
    ...methods.map(name =>
      figure(name, ({estimates}: JudgedRates) => {
        const estimate = estimates.find(({method}) => method === name)
        return estimate === undefined ? '-' : percent(estimate.prevalence.value)
      })
    )
  ])
}

export function measuredRates(used: SourcedRates | undefined): SourcedRates | undefined {
  return used !== undefined && isMeasured(used.basis) ? used : undefined
}

/**
 * What an anchor is worth where its rates are measured: how many of the documents where it fires have the concept, and how many of those
 * that have it, it finds, as prevalence and precision imply. `firing` is the share of documents where it fires.
 */
export function worthText(concept: string, rates: SourcedRates, firing: number): string {
  const {prevalence: p, precision: r, truePositive: value} = rates
  const at = (precision: number, prevalence: number) => clamp((precision * firing) / prevalence, 0, 1)
  const coverage = {value, low: Math.min(at(r.low, p.high), value), high: Math.max(at(r.high, p.low), value)}
  return `Where its anchor fires, ${intervalText(r)} have ${concept}. Of the documents that have it, the anchor fires in ${intervalText(coverage)}.`
}

function basisText(used: SourcedRates | undefined): string {
  if (used === undefined) return 'refused'
  if (used.basis === 'balance') return 'balance of classes'
  return used.basis === 'constant' ? 'not measured' : used.sources.join(' + ')
}

/** Characters of the name of a source or class. */
const NAME_LENGTH = 24

/** How reliable the sources of votes of each group are, worst first. */
export function sourceBlocks(groups: readonly SourceFacts[]): Block[] {
  const sources = groups.flatMap(group => group.sources)
  const without = sources.filter(({basis}) => basis === 'estimate').length
  const notes = kept([
    sources.some(({mostWrong}) => mostWrong !== undefined) &&
      '"a for b (5%)": in 5% of its votes it votes for a where b holds.',
    without > 0 &&
      `${grouped(without)} of ${counted(sources.length, 'source')} without labels: accuracy is an estimate, from agreement with the other sources and a usual 80%. To measure it, label 50 to 100 documents with adfa label.`,
    sources.some(({accuracy}) => accuracy.low === undefined) &&
      '(not measured): there is no interval, as no vote is against the concept: votes for it alone say little about accuracy.'
  ])
  return [...groups.flatMap(groupBlocks), ...notes.map(note => paragraph(note, 'quiet'))]
}

function groupBlocks({classes, alpha, sources}: SourceFacts, at: number): Block[] {
  const agreement =
    alpha === undefined ? '' : `; Krippendorff's alpha ${alpha.toFixed(2)} (1 is perfect agreement, 0 is chance)`
  return [
    paragraph(`Sources of votes for ${nameList(classes, 6)}, worst first${agreement}`),
    tableOf(
      sources,
      [
        column('source', ({source}) => cut(source)),
        figure('accuracy', ({accuracy}) => ({
          cell: accuracy.low === undefined ? `${percent(accuracy.value)} (not measured)` : intervalText(accuracy),
          sortBy: accuracy.value
        })),
        column('by', ({basis, labelled}) => (basis === 'labels' ? counted(labelled, 'label') : basis)),
        figure('votes', ({votes}) => ({cell: grouped(votes), sortBy: votes})),
        figure('covers', ({coverage}) => ({cell: percent(coverage), sortBy: coverage})),
        column('most often wrong', ({mostWrong}) =>
          mostWrong ? `${cut(mostWrong.vote)} for ${cut(mostWrong.truth)} (${percent(mostWrong.share)})` : ''
        )
      ],
      {
        id: `sources-${at + 1}`,
        isSortable: true,
        caption:
          'Accuracy is the share of votes that are right, with a 90% interval: from labelled documents where there are any, else an estimate from agreement with the other sources.'
      }
    )
  ]
}

function cut(text: string): string {
  const characters = [...printableLine(text)]
  return characters.length <= NAME_LENGTH ? characters.join('') : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`
}
