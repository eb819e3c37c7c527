import {withDefaults} from '../../base/checks/index.ts'
import {anchorCellWords, anchorTable, type Counts} from '../../read/counts/index.ts'
import type {NoiseRates, Rates} from '../noise/index.ts'
import {CertificateSum, type TableCertificate} from './certificate.ts'
import {type WordMomentOptions, wordMomentDefaults} from './recover-word-moments.ts'
import {independentTable, ratesOf, recoverObservedTable, shrinkageStrength, tableSolver} from './table.ts'
import {applyFactors, observingFactors, setFactor} from './table-solver.ts'

/** The recovered moments of one concept, its Markov blanket and every word. */
export interface BlanketMoments {
  readonly concept: number
  readonly blanket: readonly number[]
  readonly wordCount: number
  readonly sampleCount: number
  /** P(Y_i, B, X_j): word j begins at `4*S*j`, S = 2^|B|, with cell `2*(S*yi + b) + xj`; b has the first member most significant. */
  readonly tables: Float64Array
  /**
   * For every setting b, the sampling variance of P-hat(x0|y_i = 1, b) - P-hat(x0|y_i = 0, b) of a word independent of these
   * concepts, times N / (P(x0) P(x1)), which is common to all settings.
   */
  readonly variance: Float64Array
  readonly certificate: TableCertificate
}

/**
 * mu-hat_Z of Eq. 2 for Z = {Y_i} + B + {X_j}, every word j: the moments of Eq. 6, each table solved as two halves as in
 * {@link recoverWordMoments}. Cost: about 0.7 ms per word for a blanket of 4, 8 times that for each further member.
 */
export function recoverBlanketMoments(
  counts: Counts,
  noise: NoiseRates,
  {concept, blanket}: {readonly concept: number; readonly blanket: readonly number[]},
  options?: Partial<WordMomentOptions>
): BlanketMoments {
  const {shrinkage} = withDefaults('recoverBlanketMoments', wordMomentDefaults, options)
  const concepts = [concept, ...blanket]
  const N = counts.documentCount
  const n = counts.lexicon.words.length
  const lambda = shrinkageStrength(shrinkage, N)
  const anchors = anchorTable(counts, concepts)
  const withWord = anchorCellWords(counts, concepts)
  const rates = concepts.map(i => ratesOf(noise, i))
  const solver = tableSolver(rates, 'kl')
  const independent = independentTable(concepts.map(i => noise.prevalence[i]))
  const {size, mu} = solver
  const a = new Float64Array(size)
  const w = new Float64Array(size)
  const tables = new Float64Array(2 * size * n)
  const total = new CertificateSum()
  for (let j = 0; j < n; j++)
    for (let x = 0; x < 2; x++) {
      let share = 0
      for (let c = 0; c < size; c++) {
        const present = withWord[c * n + j]
        a[c] = (x === 1 ? present : anchors[c] - present) / N
        share += a[c]
      }
      if (share === 0) continue
      for (let s = 0; s < size; s++) w[s] = lambda * share * independent[s]
      total.add(solver.solve(a, w, share))
      for (let s = 0; s < size; s++) tables[2 * size * j + 2 * s + x] = mu[s]
    }
  const variance = contrastVariance(recoverObservedTable(anchors, noise, concepts).mu, rates)
  return {concept, blanket, wordCount: n, sampleCount: N, tables, variance, certificate: total.result()}
}

/**
 * A word of frequency q, independent of these concepts, has recovered cells R^-1 a whose covariance is q (1 - q) V / N,
 * V = R^-1 diag(R P) R^-T. So the difference of its two conditional probabilities at b has, up to q (1 - q) / N,
 * the variance V_11 / P_1^2 + V_00 / P_0^2 - 2 V_10 / (P_1 P_0), where 1 and 0 stand for the cells (y_i, b).
 * V's entries are products over the concepts of entries of their 2x2 inverses: one butterfly each.
 */
function contrastVariance(P: Float64Array, rates: readonly Rates[]): Float64Array {
  const size = P.length
  const settings = size / 2
  const squares = new Float64Array(4 * rates.length)
  const crossed = new Float64Array(4 * rates.length)
  for (const [at, {truePositive: t, falsePositive: e}] of rates.entries()) {
    const [x00, x01, x10, x11] = [t, t - 1, -e, 1 - e].map(entry => entry / (t - e))
    setFactor(squares, at, x00 * x00, x01 * x01, x10 * x10, x11 * x11)
    setFactor(crossed, at, x00 * x00, x01 * x01, x10 * x10, x11 * x11)
    if (at === 0) setFactor(crossed, 0, x00 * x10, x01 * x11, x00 * x10, x01 * x11)
  }
  const V = P.slice()
  applyFactors(observingFactors(rates), V)
  const cross = V.slice()
  applyFactors(squares, V)
  applyFactors(crossed, cross)
  return Float64Array.from({length: settings}, (_, b) => {
    const [p0, p1] = [P[b], P[settings + b]]
    return V[settings + b] / (p1 * p1) + V[b] / (p0 * p0) - (2 * cross[b]) / (p0 * p1)
  })
}
