import {counted} from '../../base/text/index.ts'
import type {Evaluation, ReliabilityBin} from '../../use/evaluation/index.ts'
import {type CertificateFacts, type ConceptFacts, labelledText} from '../../use/facts/index.ts'
import type {BarsChart, Chart, ChartBar} from '../drawing/index.ts'
import type {Block} from './blocks.ts'

/** How common concepts are, and how often their anchors fire, as far as somebody measured it. */
export function rateCharts(concepts: readonly ConceptFacts[], {noise, intervals}: CertificateFacts): Block[] {
  const hasRange = concepts.some(({rates}) => rates?.prevalence.low !== undefined)
  const none = 'Intervals of these shares: adfa fit --intervals.'
  const resampled = intervals && 'Lines are intervals from resampled documents.'
  const labelled = noise?.labelledCount ? `90% intervals from ${labelledText(noise)}` : '90% intervals'
  const chart = (rate: 'prevalence' | 'truePositive', title: string, label: string, caption: string): Block[] => {
    const known = concepts.flatMap(({name, rates}): ChartBar[] =>
      rates ? [{name, group: 'estimate', ...rates[rate]}] : []
    )
    if (known.length === 0) return []
    const description = `${counted(concepts.length, 'concept')}, largest first; the table of all concepts has the numbers.`
    const panels = inColumns(known.sort((a, b) => b.value - a.value))
    const drawn = {kind: 'bars', title, description, x: {label, percent: true}, panels} as const
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
