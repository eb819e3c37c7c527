import type {ExclusiveGroup} from '../../read/data/index.ts'

/** A group of exclusive concepts, with their names. */
export interface NamedGroup extends ExclusiveGroup {
  readonly classes: readonly string[]
}

/** How often the most probable concept of a group is the true one. */
export interface GroupFigures {
  readonly classes: readonly string[]
  readonly documents: number
  /** Documents whose tags name no class of the group where exactly one holds, or several, or leave it unknown. */
  readonly leftOut: number
  readonly accuracy: number
  /** Mean F1 of the classes that some document has or is given. */
  readonly macroF1: number
  /** NaN for a class that no document has or is given. */
  readonly f1: Readonly<Record<string, number>>
}

/** Judges a group by documents with their posteriors and labels (1 present, 0 absent, -1 unknown). */
export function groupFigures(
  group: NamedGroup,
  documents: readonly {readonly posterior: ArrayLike<number>; readonly labels: Int8Array}[]
): GroupFigures {
  const {classes} = group
  const judged = documents.flatMap(({posterior, labels}) => {
    const truth = trueClass(group, labels)
    return truth === undefined ? [] : [{truth, found: mostProbableClass(group, posterior)}]
  })
  const right = judged.filter(({truth, found}) => truth === found)
  const f1 = classes.map((_, at) => {
    const [present, reported] = [judged.filter(({truth}) => truth === at), judged.filter(({found}) => found === at)]
    return (2 * right.filter(({truth}) => truth === at).length) / (present.length + reported.length)
  })
  const defined = f1.filter(value => !Number.isNaN(value))
  return {
    classes,
    documents: judged.length,
    leftOut: documents.length - judged.length,
    accuracy: right.length / judged.length,
    macroF1: defined.reduce((sum, value) => sum + value, 0) / defined.length,
    f1: Object.fromEntries(classes.map((name, at) => [name, f1[at]]))
  }
}

/**
 * The concept of a group with the highest probability, as its place in the group; of equal ones the first. Where at most one
 * holds, -1 if all are less probable than not.
 */
function mostProbableClass({concepts, atMostOne}: ExclusiveGroup, posterior: ArrayLike<number>): number {
  const chances = concepts.map(i => posterior[i])
  const highest = Math.max(...chances)
  return atMostOne && highest < 0.5 ? -1 : chances.indexOf(highest)
}

/** The true class of a document, -1 for none; undefined where it is not known. */
function trueClass({concepts, atMostOne}: ExclusiveGroup, labels: Int8Array): number | undefined {
  const present = [...concepts.keys()].filter(at => labels[concepts[at]] === 1)
  if (present.length === 1) return present[0]
  return atMostOne && concepts.every(i => labels[i] === 0) ? -1 : undefined
}
