import type {BarsChart, Chart, LinesChart} from './chart.ts'

const sizes = [50, 100, 500, 1000, 5000]
export const seriesNames = ['simplex', 'local', 'marginal']

export const lines: LinesChart = {
  kind: 'lines',
  title: 'Held-out likelihood',
  description: 'Two panels of three lines that rise.',
  x: {label: 'training documents', log: true},
  y: {label: 'log-likelihood per document'},
  panels: ['real', 'generated'].map((title, at) => ({
    title,
    series: seriesNames.map((name, k) => ({
      name,
      points: sizes.map(x => ({x, y: at - 3 - k / 10 - 10 / x, low: at - 3.2 - k / 10, high: at - 2.9 - k / 10})),
      marks: sizes.flatMap(x => [{x, y: at - 3}])
    }))
  }))
}

export const bars: BarsChart = {
  kind: 'bars',
  title: 'Last tag',
  description: 'Three methods.',
  x: {label: 'share right', percent: true},
  panels: ['titles', 'cooking'].map(title => ({
    title,
    bars: [
      {name: 'this model', value: 0.5, low: 0.45, high: 0.55, group: 'ours', marks: [0.47, 0.52]},
      {name: 'anchors alone', value: 0.3, group: 'baselines'},
      {name: 'tags known', value: 0.625, group: 'oracles'}
    ]
  }))
}

/** Rates of concepts, in panels side by side. */
export function rates(count: number, columns = 1): BarsChart {
  const all = Array.from({length: count}, (_, i) => {
    const value = (i + 1) / (count + 2)
    return {name: `concept ${i}`, value, low: value * 0.9, high: Math.min(1, value * 1.05), group: 'estimate'}
  })
  const length = Math.ceil(count / columns)
  return {
    kind: 'bars',
    title: 'Rates',
    description: 'Rates with intervals.',
    x: {label: 'share', percent: true},
    panels: Array.from({length: columns}, (_, at) => ({title: '', bars: all.slice(at * length, (at + 1) * length)}))
  }
}

export const reliability: LinesChart = {
  kind: 'lines',
  title: 'How often probabilities come true',
  description: 'Close to the diagonal.',
  x: {label: 'predicted probability', percent: true},
  y: {label: 'share that is true', percent: true},
  diagonal: 'as often as predicted',
  panels: [{title: '', series: [{name: 'this model', points: [0.1, 0.5, 0.9].map(x => ({x, y: x + 0.02}))}]}]
}

/** One of every kind, and the long ones. */
export const charts: readonly Chart[] = [lines, bars, rates(5), rates(70, 2), rates(200, 3), reliability]
