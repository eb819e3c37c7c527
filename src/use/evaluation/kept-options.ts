import type {Model} from '../../learn/model/index.ts'

/** What a model was fitted with, under these names, for a fit that is to be compared with it; `fit` checks the values. */
export function keptOptions({options}: Model, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter(name => name in options).map(name => [name, options[name]]))
}
