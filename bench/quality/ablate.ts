import {AdfaError, estimateNoise, fit, type LogOddsOptions, learnLogOdds, logOddsDefaults, modelPredictor} from 'adfa'
import {measure} from './measure.ts'
import type {QualityProblem} from './problem.ts'
import type {AblationRow} from './results.ts'
import {ratedCounts} from './settings.ts'

/** The log-odds channel as it is, then with each constant off, halved and doubled by itself; rates given. */
export function ablate(problem: QualityProblem): AblationRow[] {
  const counts = ratedCounts(problem, ['given']).get('given')
  if (counts === undefined) throw new Error('no rates')
  const model = fit(counts, {noise: 'given', channel: 'noisy-or'})
  const rates = estimateNoise(counts, 'given')
  const learn = (name: string, options: Partial<LogOddsOptions>) => ({
    name,
    seconds: 0,
    ...modelPredictor({...model, channel: learnLogOdds(counts, rates, problem.training, options)})
  })
  const changed = changes().flatMap(({name, values}) => {
    for (const value of values) {
      const one = ifAllowed(() => learn(`\`${name}\` ${Number(value.toPrecision(3))}`, {[name]: value}))
      if (one !== undefined) return [one]
    }
    return []
  })
  const rows = measure([learn('as it is', {}), ...changed], model, problem.heldOut)
  return rows
    .filter(({method}) => method === 'as it is' || method.startsWith('`'))
    .map(({method, lastTag, averagePrecision, brier}) => ({change: method, lastTag, averagePrecision, brier}))
}

/** Each constant with what it becomes; of several values the first that is allowed counts. */
function changes(): {readonly name: string; readonly values: readonly number[]}[] {
  return Object.entries(logOddsDefaults).flatMap(([name, value]) =>
    typeof value !== 'number' || name === 'seed'
      ? []
      : [[0], [value / 2], [2 * value, 1]].map(values => ({name, values}))
  )
}

/** Not every constant may be 0, or twice what it is. */
function ifAllowed<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof AdfaError && error.code === 'bad-option') return undefined
    throw error
  }
}
