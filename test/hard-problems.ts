import {rng} from '../src/base/numeric/index.ts'
import {type Divergence, type MomentProblem, momentLayout} from '../src/learn/moments/index.ts'
import type {Rates} from '../src/learn/noise/index.ts'
import {independentMoments, tablesOf} from './problems.ts'

interface HardData {
  readonly name: string
  readonly rows: readonly Uint8Array[]
  readonly rates: readonly Rates[]
}

const good = {truePositive: 0.7, falsePositive: 0.05}

/** Data that break careless solvers: little signal, none at all, impossible under the rates, very few documents. */
export const hardData: readonly HardData[] = [
  {name: 'weak anchors', rows: drawn(4, 200, 0.2), rates: repeated({truePositive: 0.12, falsePositive: 0.1}, 4)},
  {
    name: 'rates far too high',
    rows: drawn(4, 200, 0.1),
    rates: repeated({truePositive: 0.98, falsePositive: 0.2}, 4)
  },
  {
    name: 'rates far too low',
    rows: drawn(4, 200, 0.7),
    rates: repeated({truePositive: 0.3, falsePositive: 0.01}, 4)
  },
  {
    name: 'an anchor that never fires',
    rows: drawn(4, 100, 0.3).map(row => withEntry(row, 1, 0)),
    rates: repeated(good, 4)
  },
  {
    name: 'an anchor that always fires',
    rows: drawn(4, 100, 0.3).map(row => withEntry(row, 2, 1)),
    rates: repeated(good, 4)
  },
  {name: 'rare concepts', rows: drawn(4, 1000, 0.051), rates: repeated(good, 4)},
  {name: 'concepts that nearly always hold', rows: drawn(4, 1000, 0.69), rates: repeated(good, 4)},
  {name: 'one document', rows: drawn(4, 1, 0.5), rates: repeated(good, 4)},
  {name: 'documents without anchors', rows: drawn(4, 10, 0), rates: repeated(good, 4)},
  {name: 'documents with all anchors', rows: drawn(4, 10, 1), rates: repeated(good, 4)},
  {
    name: 'identical anchors',
    rows: drawn(4, 100, 0.3).map(row => withEntry(row, 3, row[0])),
    rates: repeated(good, 4)
  },
  {
    name: 'anchors that exclude each other',
    rows: [0, 1, 2, 3].map(only => Uint8Array.from([0, 1, 2, 3], i => (i === only ? 1 : 0))),
    rates: repeated(good, 4)
  },
  {name: 'two concepts', rows: drawn(2, 20, 0.3), rates: repeated(good, 2)},
  {name: 'one concept', rows: drawn(1, 20, 0.3), rates: repeated(good, 1)}
]

export function hardProblem(
  {rows, rates}: HardData,
  {lambda, divergence}: {readonly lambda: number; readonly divergence: Divergence}
): MomentProblem {
  const layout = momentLayout(rates.length)
  const observed = tablesOf(layout, rows)
  const prevalence = rates.map(({truePositive: t, falsePositive: e}, i) =>
    Math.min(1 - 1e-4, Math.max(1e-4, (observed[2 * i + 1] - e) / (t - e)))
  )
  const shrinkageWeights = independentMoments(layout, prevalence).map(share => lambda * share)
  return {layout, rates, observed, shrinkageWeights, lambda, divergence}
}

function drawn(conceptCount: number, count: number, share: number): Uint8Array[] {
  const random = rng(count)
  return Array.from({length: count}, () =>
    Uint8Array.from({length: conceptCount}, () => (random.next() < share ? 1 : 0))
  )
}

function repeated(rates: Rates, count: number): Rates[] {
  return Array.from({length: count}, () => rates)
}

function withEntry(row: Uint8Array, i: number, value: number): Uint8Array {
  return row.with(i, value)
}
