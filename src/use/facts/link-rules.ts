import type {Model} from '../../learn/model/index.ts'

type Pair = readonly [string, string]

/** Links that a model was told to have or not to have, by the names of their ends. */
export interface LinkRules {
  readonly require: readonly Pair[]
  readonly forbid: readonly Pair[]
}

/** The rules that a model was learned by, as its options have them. */
export function linkRules({options}: Pick<Model, 'options'>): LinkRules {
  const {edges} = options
  const given = typeof edges === 'object' && edges !== null ? (edges as Record<string, unknown>) : {}
  const pairs = (list: unknown) => (Array.isArray(list) ? list.filter(isPair) : [])
  return {require: pairs(given.require), forbid: pairs(given.forbid)}
}

function isPair(value: unknown): value is Pair {
  return Array.isArray(value) && value.length === 2 && value.every(name => typeof name === 'string')
}

/** Whether a list has a rule about two concepts, in either order. */
export function hasRule(pairs: readonly Pair[], a: string, b: string): boolean {
  return pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a))
}
