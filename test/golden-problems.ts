import {readFileSync} from 'node:fs'
import {type MomentProblem, momentLayout, type PolytopeName} from '../src/learn/moments/index.ts'
import {type goldenNames, readGolden} from './golden.ts'
import {independentMoments, tablesOf} from './problems.ts'

export type GoldenName = (typeof goldenNames)[number]

/** The sample of a golden file as a problem, its start, and the optimum over each polytope, accurate to 1e-7. */
export function goldenProblem(name: GoldenName, lambda: 0 | 0.01) {
  const {m, truth, sample} = readGolden(name)
  const layout = momentLayout(m)
  const rows = sample.A.map(bits => Uint8Array.from(bits, Number))
  const start = independentMoments(layout, sample.pyFromSingles)
  const problem: MomentProblem = {
    layout,
    rates: truth.q1.map((truePositive, i) => ({truePositive, falsePositive: truth.q0[i]})),
    observed: tablesOf(layout, rows),
    shrinkageWeights: start.map(share => lambda * share),
    lambda,
    divergence: 'kl'
  }
  return {problem, start, optimum: optima(name)[lambda === 0 ? 'lambda=0.0' : 'lambda=0.01']}
}

function optima(name: GoldenName): Record<string, (polytope: PolytopeName) => number> {
  const text = readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')
  const recovered = JSON.parse(text).sample.recovered as Record<string, Record<PolytopeName, {objective: number}>>
  return Object.fromEntries(
    Object.entries(recovered).map(([lambda, found]) => [lambda, polytope => found[polytope].objective])
  )
}
