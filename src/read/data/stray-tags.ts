import {nearestNames} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {Lexicon} from './lexicon.ts'
import type {Row} from './row.ts'

/** Tags that spell a concept otherwise: its documents would count as documents without it. */
export class StrayTags {
  readonly #concepts: ReadonlySet<string>
  readonly #known = new Set<string>()
  readonly #others = new Set<string>()

  constructor({anchors}: Pick<Lexicon, 'anchors'>) {
    this.#concepts = new Set(anchors.map(({concept}) => concept))
  }

  add({tags = []}: Pick<Row, 'tags'>): void {
    for (const tag of tags) (this.#concepts.has(tag) ? this.#known : this.#others).add(tag)
  }

  /** A tag beside the concept that it spells otherwise, and the nearest tag of a concept that is no tag. */
  notes(): string[] {
    const others = [...this.#others]
    const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
    return [...this.#concepts].flatMap(concept => {
      const same = others.find(tag => plain(tag) === plain(concept) && plain(tag) !== '')
      const near = same ?? (this.#known.has(concept) ? undefined : nearestNames(concept, others, 1).at(0))
      if (near === undefined) return []
      return [
        `the tag "${printableLine(near)}" is not a concept; if it means "${printableLine(concept)}", give both the same spelling`
      ]
    })
  }
}
