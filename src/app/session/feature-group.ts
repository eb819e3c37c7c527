/**
 * Ready-made features often name their kind before a colon: `dispensed:thiamine`, `neg:fevers`. People read the kind once, above
 * the features that share it; what is negated reads "no fevers".
 */
export interface NamedFeature {
  /** What stands before the colon; undefined where there is none. */
  readonly group: string | undefined
  readonly name: string
  readonly isNegated: boolean
}

/** A word and a colon with something behind it that is no blank and no slash: times and addresses have no group. */
const GROUPED = /^(\p{L}[\p{L}\d_-]*):([^\s/].*)$/su
const NEGATED = 'neg'

export function namedFeature(feature: string): NamedFeature {
  const [, group, name = feature] = GROUPED.exec(feature) ?? []
  return {group, name, isNegated: group === NEGATED}
}

/** "thiamine", "no fevers". */
export function readableFeature(feature: string): string {
  const {name, isNegated} = namedFeature(feature)
  return isNegated ? `no ${name}` : name
}
