import {AdfaError} from '../checks/index.ts'
import type {BayesNetwork} from './bayes-network.ts'

/** Refuses names that are not one for each concept, all different and not empty. `owner` is the function that asks. */
export function checkNames(owner: string, network: BayesNetwork, names: readonly string[]): void {
  const m = network.parents.length
  if (names.length !== m)
    throw new AdfaError('mismatch', `${owner}: ${names.length} names for ${m} concepts; give one for each`)
  const empty = names.indexOf('')
  if (empty >= 0) throw new AdfaError('mismatch', `${owner}: concept ${empty} has an empty name; name it`)
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name))
      throw new AdfaError('mismatch', `${owner}: two concepts are called "${name}"; names must differ; rename one`)
    seen.add(name)
  }
}
