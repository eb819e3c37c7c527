import {AdfaError} from '../../base/checks/index.ts'

/**
 * Labels of Elkan and Noto (2008), Section 3: an anchored document has the concept; another has it with chance
 *
 *     w(x) = P(Y = 1 | x, A = 0) = (1 - c)/c g(x)/(1 - g(x)),   g(x) = P(A = 1 | x),   c = P(A = 1 | Y = 1),
 *
 * and is learned from as that share of a positive and the rest of a negative. `chances` are g, from classifiers that did not see
 * the document. Differs from the paper, which estimates c from g: here it is given. Chances above c, which cannot be, make w
 * more than 1: it stays 1.
 */
export function positiveUnlabelledLabels(
  fired: ArrayLike<number>,
  chances: ArrayLike<number>,
  labelledShare: number
): Float64Array {
  if (!(labelledShare > 0 && labelledShare <= 1))
    throw new AdfaError(
      'bad-rates',
      `the share of a concept's documents in which its anchor fires must lie in (0, 1]; got ${labelledShare}`
    )
  const factor = (1 - labelledShare) / labelledShare
  return Float64Array.from(chances, (g, d) => (fired[d] || g >= labelledShare ? 1 : (factor * g) / (1 - g)))
}
