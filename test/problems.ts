import {type Rng, randomIndex, rng} from '../src/base/numeric/index.ts'
import {type Divergence, type MomentLayout, type MomentProblem, momentLayout} from '../src/learn/moments/index.ts'
import type {Rates} from '../src/learn/noise/index.ts'
import {productTable} from './tables.ts'

export interface ProblemSpec {
  readonly conceptCount: number
  readonly seed: number
  readonly lambda: number
  readonly divergence?: Divergence
  readonly sampleCount?: number
  /** t - e of every anchor; drawn from 0.3 to 0.7 when left out. */
  readonly gain?: number
  /** Relative error of the rates that the problem uses: 0.5 for 50%. */
  readonly rateError?: number
}

/** Documents drawn from a random tree over the concepts, observed through noisy anchors, as in a fit. */
export function randomProblem(spec: ProblemSpec): MomentProblem {
  const {conceptCount: m, lambda, divergence = 'kl', sampleCount = 2000, gain, rateError = 0} = spec
  const random = rng(spec.seed)
  const layout = momentLayout(m)
  const rates = Array.from({length: m}, () => {
    const falsePositive = 0.01 + 0.1 * random.next()
    return {falsePositive, truePositive: falsePositive + (gain ?? 0.3 + 0.4 * random.next())}
  })
  const documents = sampleAnchors(rates, sampleCount, random)
  const told = rates.map(({falsePositive, truePositive}) => {
    const factor = 1 + rateError * (2 * random.next() - 1)
    return {falsePositive, truePositive: Math.min(0.98, Math.max(falsePositive + 0.02, factor * truePositive))}
  })
  const observed = tablesOf(layout, documents)
  const prevalence = told.map(({truePositive: t, falsePositive: e}, i) =>
    Math.min(0.99, Math.max(1e-3, (observed[2 * i + 1] - e) / (t - e)))
  )
  const shrinkageWeights = independentMoments(layout, prevalence).map(share => lambda * share)
  return {layout, rates: told, observed, shrinkageWeights, lambda, divergence}
}

/** The moments of independent concepts: interior to every polytope. */
export function independentMoments(layout: MomentLayout, prevalence: readonly number[]): Float64Array {
  const mu = new Float64Array(layout.size)
  for (const {concepts, start} of layout.tables) mu.set(productTable(concepts.map(i => prevalence[i])), start)
  return mu
}

/** The moments of these 0/1 rows, equally weighted. */
export function tablesOf(layout: MomentLayout, rows: readonly Uint8Array[]): Float64Array {
  const mu = new Float64Array(layout.size)
  layout.tables.forEach(({concepts, start}) => {
    for (const row of rows) {
      let cell = start
      concepts.forEach((i, at) => {
        if (row[i]) cell += 2 ** (concepts.length - 1 - at)
      })
      mu[cell] += 1 / rows.length
    }
  })
  return mu
}

function sampleAnchors(rates: readonly Rates[], sampleCount: number, random: Rng): Uint8Array[] {
  const m = rates.length
  const base = rates.map(() => 0.05 + 0.25 * random.next())
  const parent = rates.map((_, i) => (i === 0 ? -1 : randomIndex(random, i)))
  const boost = rates.map(() => 0.1 + 0.5 * random.next())
  return Array.from({length: sampleCount}, () => {
    const y = new Uint8Array(m)
    const a = new Uint8Array(m)
    for (let i = 0; i < m; i++) {
      y[i] = random.next() < base[i] + (i > 0 && y[parent[i]] ? boost[i] : 0) ? 1 : 0
      const {truePositive, falsePositive} = rates[i]
      a[i] = random.next() < (y[i] ? truePositive : falsePositive) ? 1 : 0
    }
    return a
  })
}
