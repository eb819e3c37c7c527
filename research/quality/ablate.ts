import {fit} from '../../src/learn/fit.ts'
import type {Model} from '../../src/learn/model/index.ts'
import type {FitOptions} from '../../src/learn/options.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {createPredictor} from '../../src/use/prediction/index.ts'
import {measure} from './measure.ts'
import type {Trained} from './methods.ts'
import type {QualityProblem} from './problem.ts'
import type {AblationRow} from './results.ts'
import {ratedCounts} from './settings.ts'

/** The noisy-or links of `robust` by default, then with their options changed one by one; rates given. */
export async function ablateLinks(problem: QualityProblem): Promise<AblationRow[]> {
  const counts = givenCounts(problem)
  const learn = async (name: string, options: FitOptions) => {
    const model = await fit(counts, {noise: 'given', words: 'noisy-or', ...options})
    return {model, trained: {name, seconds: 0, ...createPredictor(model)}}
  }
  const start = await learn(AS_IT_IS, {})
  const changed = await Promise.all(
    LINK_CHANGES.map(async options => {
      const [[name, value]] = Object.entries(options)
      return (await learn(`\`${name}\` ${value}`, options)).trained
    })
  )
  return compare([start.trained, ...changed], start.model, problem)
}

const AS_IT_IS = 'as it is'

/** `wordShrinkage` selects the shrunken estimators instead of the gate. */
const LINK_CHANGES: readonly FitOptions[] = [
  {wordShrinkage: 0.1},
  {wordShrinkage: 1},
  {network: 'independent'},
  {network: 'indegree:1'},
  {network: 'tree'}
]

function givenCounts(problem: QualityProblem): Counts {
  const counts = ratedCounts(problem, ['given']).get('given')
  if (counts === undefined) throw new Error('no rates')
  return counts
}

function compare(trained: readonly Trained[], model: Model, {heldOut}: QualityProblem): AblationRow[] {
  return measure(trained, model, heldOut)
    .filter(({method}) => method === AS_IT_IS || method.startsWith('`'))
    .map(({method, lastTag, averagePrecision, brier}) => ({change: method, lastTag, averagePrecision, brier}))
}
