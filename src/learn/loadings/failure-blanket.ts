import type {BlanketMoments} from '../moments/index.ts'

/** A setting counts only where both values of the concept have the mass of so many documents. */
const LEAST_DOCUMENTS = 1

export interface PooledFailures {
  /** Unclipped, by word; NaN where no setting is left. */
  readonly failure: Float64Array
  /** Of all words together. */
  readonly settings: number
  /** Those of them that lack the mass of a document in the word's table. */
  readonly settingsLeftOut: number
}

/**
 * The blanket estimator (Eq. 6) pooled over all settings b of the Markov blanket: the sum of w_b P(x0|y_i = 1, b) over that of
 * w_b P(x0|y_i = 0, b), w_b one over the sampling variance of their difference, anchor noise included.
 *
 * The paper leaves b open. A ratio of sums takes no logarithm of noisy cells, and weights that are the same for all words
 * cannot favour the low estimates of one. Measured on generated documents, inverse variances from each word's own table had
 * 1.2 to 1.9 times this error at N = 2,000 to 20,000 (the same at 200,000), the setting b = 0 alone 1.4 to 3 times at any N.
 */
export function failureBlanket(moments: BlanketMoments): PooledFailures {
  const {wordCount, variance} = moments
  const settings = variance.length
  const failure = new Float64Array(wordCount)
  let used = 0
  for (let j = 0; j < wordCount; j++) {
    let above = 0
    let below = 0
    for (let b = 0; b < settings; b++) {
      const x0GivenY0 = absence(moments, j, 0, b)
      const x0GivenY1 = absence(moments, j, 1, b)
      if (Number.isNaN(x0GivenY0 + x0GivenY1)) continue
      above += x0GivenY1 / variance[b]
      below += x0GivenY0 / variance[b]
      used++
    }
    failure[j] = below > 0 ? above / below : Number.NaN
  }
  return {failure, settings: wordCount * settings, settingsLeftOut: wordCount * settings - used}
}

/**
 * Eq. 6 at one setting of the blanket, all members absent unless told otherwise. Unclipped, by word; NaN where the setting
 * has less than a document's mass in the word's table with either value of the concept.
 */
export function failureAtSetting(moments: BlanketMoments, setting = 0): Float64Array {
  return Float64Array.from({length: moments.wordCount}, (_, j) => {
    const below = absence(moments, j, 0, setting)
    return below > 0 ? absence(moments, j, 1, setting) / below : Number.NaN
  })
}

/** P(x_j = 0 | y_i, b); NaN where y_i, b has too little mass: without a shrinkage a solver leaves dust there, whose ratio means nothing. */
function absence({tables, variance, sampleCount}: BlanketMoments, j: number, y: number, b: number): number {
  const settings = variance.length
  const cell = 4 * settings * j + 2 * (settings * y + b)
  const mass = tables[cell] + tables[cell + 1]
  return mass >= LEAST_DOCUMENTS / sampleCount ? tables[cell] / mass : Number.NaN
}

/** Parents, children and the other parents of the children of concept i, ascending. */
export function markovBlanket(parents: readonly (readonly number[])[], i: number): number[] {
  const members = new Set(parents[i])
  parents.forEach((list, child) => {
    if (list.includes(i)) for (const member of [child, ...list]) members.add(member)
  })
  members.delete(i)
  return [...members].sort((a, b) => a - b)
}
