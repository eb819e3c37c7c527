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

/**
 * The concept of a group with the highest probability, as its place in the group; of equal ones the first. Where at most one
 * holds, -1 if all are less probable than not.
 */
export function likeliestClass({concepts, atMostOne}: ExclusiveGroup, posterior: ArrayLike<number>): number {
  let best = 0
  for (let at = 1; at < concepts.length; at++) if (posterior[concepts[at]] > posterior[concepts[best]]) best = at
  return atMostOne && posterior[concepts[best]] < 0.5 ? -1 : best
}

/** The true class of a document by its labels (1 present, 0 absent, -1 unknown), -1 for none; undefined where it is not known. */
function trueClass({concepts, atMostOne}: ExclusiveGroup, labels: Int8Array): number | undefined {
  const present = [...concepts.keys()].filter(at => labels[concepts[at]] === 1)
  if (present.length === 1) return present[0]
  return atMostOne && concepts.every(i => labels[i] === 0) ? -1 : undefined
}

/** Counts what one predictor says about a group. */
export class GroupTally {
  readonly #group: NamedGroup
  readonly #hits: number[]
  readonly #misses: number[]
  readonly #alarms: number[]
  #documents = 0
  #right = 0
  #leftOut = 0

  constructor(group: NamedGroup) {
    this.#group = group
    const none = () => group.concepts.map(() => 0)
    this.#hits = none()
    this.#misses = none()
    this.#alarms = none()
  }

  add(posterior: ArrayLike<number>, labels: Int8Array): void {
    const truth = trueClass(this.#group, labels)
    if (truth === undefined) {
      this.#leftOut++
      return
    }
    const found = likeliestClass(this.#group, posterior)
    this.#documents++
    if (found === truth) this.#right++
    if (found === truth && truth >= 0) this.#hits[truth]++
    if (found === truth) return
    if (truth >= 0) this.#misses[truth]++
    if (found >= 0) this.#alarms[found]++
  }

  figures(): GroupFigures {
    const {classes} = this.#group
    const f1 = classes.map((_, at) => {
      const hits = 2 * this.#hits[at]
      return hits / (hits + this.#misses[at] + this.#alarms[at])
    })
    const defined = f1.filter(value => !Number.isNaN(value))
    return {
      classes,
      documents: this.#documents,
      leftOut: this.#leftOut,
      accuracy: this.#right / this.#documents,
      macroF1: defined.reduce((sum, value) => sum + value, 0) / defined.length,
      f1: Object.fromEntries(classes.map((name, at) => [name, f1[at]]))
    }
  }
}
