import {labelledSizes} from '../../src/use/baselines/index.ts'
import {labelsFor} from '../../src/use/evaluation/index.ts'
import type {Recorded} from './figures.ts'
import type {Setting} from './settings.ts'

/**
 * How many labelled documents TF-IDF logistic regression needs for the average precision of `robust` on the same split: the
 * geometric mean of the splits, and in brackets the lowest and the highest.
 */
export function worthText(recorded: Recorded, corpus: string, setting: Setting): string {
  const own = recorded.seeds(corpus, setting, 'robust', 'averagePrecision')
  const worths = [...own].flatMap(([seed, precision]) => {
    const curve = curveOf(recorded, corpus, seed)
    return curve.length < 2 ? [] : [{labels: labelsFor(precision, curve), most: curve[curve.length - 1][0]}]
  })
  if (worths.length === 0) return '-'
  const most = Math.max(...worths.map(worth => worth.most))
  const sorted = worths.map(({labels, most: all}) => (labels >= all ? most : labels)).sort((a, b) => a - b)
  const mean = Math.exp(sorted.reduce((sum, labels) => sum + Math.log(labels), 0) / sorted.length)
  const [low, middle, high] = [sorted[0], mean, sorted[sorted.length - 1]].map(amount)
  return low === high ? middle : `${middle} (${low} to ${high})`

  function amount(labels: number): string {
    if (labels <= labelledSizes[0]) return `under ${labelledSizes[0]}`
    return labels >= most ? `over ${most.toLocaleString('en')}` : Number(labels.toPrecision(2)).toLocaleString('en')
  }
}

/** Labels and average precision of the regressions on one split. */
function curveOf(recorded: Recorded, corpus: string, seed: number): (readonly [number, number])[] {
  const all = recorded.runs(corpus).find(run => run.seed === seed && run.setting === 'given')?.documents ?? 0
  const points = [...labelledSizes.map(size => [`supervised-${size}`, size] as const), ['supervised', all] as const]
  return points.flatMap(([method, labels]) => {
    const precision = recorded.seeds(corpus, 'given', method, 'averagePrecision').get(seed)
    return precision === undefined ? [] : [[labels, precision] as const]
  })
}
