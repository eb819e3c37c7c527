import {AdfaError} from '../numeric/index.ts'
import {type LatentNetwork, topologicalOrder} from '../structure/index.ts'

/**
 * P_{-l}(x_j = 0) of every word: the probability that no concept switches it on. Summed over the concepts from the
 * leaves up, one message a node (belief propagation); on a graph without edges this is Quickscore,
 * the product over i of P(y_i = 0) + P(y_i = 1) f_ij (Eq. 11).
 * `failure` is row-major, concept by word. Cost: O(m n). Only for forests.
 */
export function leaklessAbsence(network: LatentNetwork, failure: Float64Array, wordCount: number): Float64Array {
  const {parents, cpt} = network
  const order = topologicalOrder(parents)
  if (order === undefined || parents.some(list => list.length > 1))
    throw new AdfaError(
      'bad-option',
      'the exact leak is known for independent concepts and trees; this network has a concept with several parents'
    )
  const n = wordCount
  // What comes up from the children of node i when y_i = 0 or 1, by word.
  const below = [0, 1].map(() => new Float64Array(parents.length * n).fill(1))
  const absence = new Float64Array(n).fill(1)
  for (const i of order.toReversed()) {
    for (let y = 0; y < (parents[i].length === 0 ? 1 : 2); y++) {
      const p = cpt[i][y]
      const out = parents[i].length === 0 ? absence : below[y].subarray(parents[i][0] * n, (parents[i][0] + 1) * n)
      for (let j = 0; j < n; j++) {
        const at = i * n + j
        out[j] *= (1 - p) * below[0][at] + p * failure[at] * below[1][at]
      }
    }
  }
  return absence
}
