import type {Contribution, Explanation} from '../../use/prediction/index.ts'

const certificate = {method: 'exact', status: 'exact', steps: 2} as const

export function explanationOf(...rest: readonly Contribution[]): Explanation {
  const contributions: Contribution[] = [{kind: 'prior', probability: 0.12, logOdds: -2}, ...rest]
  const logOdds = contributions.reduce((sum, item) => sum + item.logOdds, 0)
  const probability = 1 / (1 + Math.exp(-logOdds))
  const posterior = {probabilities: Float64Array.of(probability), certificate}
  return {concept: 'asthma', probability, scores: [], logOdds, contributions, otherWords: 0, posterior}
}

export const word = (name: string, logOdds: number): Contribution => ({
  kind: 'word',
  word: name,
  present: logOdds > 0,
  logOdds,
  otherwise: 0.3
})
