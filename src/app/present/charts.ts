import {counted, nameList} from '../../base/text/index.ts'
import type {Evaluation, ReliabilityBin} from '../../use/evaluation/index.ts'
import {type CertificateFacts, type ConceptFacts, labelledText, type SourceFacts} from '../../use/facts/index.ts'
import type {BarsChart, Chart, ChartBar} from '../drawing/index.ts'
import type {Block} from './blocks.ts'

/** How common concepts are, and how often their anchors fire, as far as somebody measured it. */
export function rateCharts(concepts: readonly ConceptFacts[], {noise, intervals}: CertificateFacts): Block[] {
  const hasRange = concepts.some(({rates}) => rates?.prevalence.low !== undefined)
  const none = 'Intervals of these shares: adfa fit --intervals.'
  const resampled = intervals && 'Lines are intervals from resampled documents.'
  const labelled = noise?.labelledCount ? `90% intervals from ${labelledText(noise)}` : '90% intervals'
  /** Largest first. */
  const chart = (rate: 'prevalence' | 'truePositive', title: string, label: string, caption: string): Block[] => {
    const bars = concepts.flatMap(({name, rates}): ChartBar[] => {
      if (rates === undefined) return []
      return [{name, group: 'estimate', ...rates[rate]}]
    })
    if (bars.length === 0) return []
    const description = `${counted(concepts.length, 'concept')}, largest first; the table of all concepts has the numbers.`
    const panels = inColumns(bars.sort((a, b) => b.value - a.value))
    const drawn: BarsChart = {kind: 'bars', title, description, x: {label, percent: true}, panels}
    return [{kind: 'chart', id: `${rate}-picture`, chart: drawn, caption}]
  }
  return [
    ...chart(
      'prevalence',
      'How common each concept is',
      'share of the documents',
      `How common each concept is. ${resampled ?? (hasRange ? `Lines are ${labelled}.` : none)}`
    ),
    ...chart(
      'truePositive',
      'How often the anchor fires where the concept is present',
      'share of the documents that have the concept',
      `How often the anchor of each concept fires in documents that have it. ${resampled ?? none}`
    )
  ]
}

/** Panels of about as many bars each, so that many fit on a page. */
function inColumns(bars: readonly ChartBar[]): BarsChart['panels'] {
  const columns = bars.length <= 40 ? 1 : bars.length <= 100 ? 2 : 3
  const length = Math.ceil(bars.length / columns)
  return Array.from({length: columns}, (_, at) => ({title: '', bars: bars.slice(at * length, (at + 1) * length)}))
}

export function reliabilityChart({tagging, baselines}: Evaluation): Chart {
  const points = (bins: readonly ReliabilityBin[]) =>
    bins.map(({meanProbability, shareFound}) => ({x: meanProbability, y: shareFound}))
  const links = baselines['noisy-or']
  return {
    kind: 'lines',
    title: 'How often probabilities come true',
    description: 'On the diagonal, predicted probabilities match the observed frequencies; below it they are too high.',
    x: {label: 'predicted probability', percent: true},
    y: {label: 'share that is true', percent: true},
    diagonal: 'as often as predicted',
    panels: [
      {
        title: '',
        series: [
          {name: 'this model', points: points(tagging.reliability)},
          ...(links === undefined ? [] : [{name: 'noisy-or', points: points(links.tagging.reliability)}])
        ]
      }
    ]
  }
}

/** More sources would make the picture taller than a few screens; the table has all. */
export const mostDrawn = 30

const BASIS: ReadonlyMap<string, string> = new Map([['estimate', 'estimate without labels']])

/** The accuracy of each source that has an interval, worst first, and beside it the share of documents that it votes in; undefined without any. */
export function sourcesChart({classes, sources: all}: SourceFacts): BarsChart | undefined {
  const sources = all.filter(({accuracy}) => accuracy.low !== undefined)
  if (sources.length === 0) return undefined
  const least = sources.map(({votes}) => votes).sort((a, b) => b - a)[mostDrawn - 1] ?? 0
  const drawn = sources.filter(({votes}) => votes >= least).slice(0, mostDrawn)
  const group = (basis: string) => BASIS.get(basis) ?? `by ${basis}`
  const which = drawn.length < sources.length ? `the ${drawn.length} with most votes` : 'all'
  return {
    kind: 'bars',
    title: `Sources of votes for ${nameList(classes, 4)}`,
    description: `Accuracy with 90% intervals, worst first, and the share of documents with a vote; ${which} of ${counted(sources.length, 'source')}. The table has the numbers.`,
    x: {label: 'share', percent: true},
    panels: [
      {
        title: 'votes that are right',
        bars: drawn.map(({source, accuracy, basis}) => ({name: source, ...accuracy, group: group(basis)}))
      },
      {
        title: 'documents with a vote',
        bars: drawn.map(({source, coverage, basis}) => ({name: source, value: coverage, group: group(basis)}))
      }
    ]
  }
}
