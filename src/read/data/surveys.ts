import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import type {Anchors} from './anchors.ts'
import type {TagFilter} from './lexicon.ts'
import type {Row} from './row.ts'
import {fieldNames, keyFields, type RowFields} from './row-fields.ts'
import {TokenFrequencies} from './token-frequencies.ts'

/** How many documents have each tag. */
export interface TagFrequencies {
  readonly documentCount: number
  readonly tags: readonly string[]
  readonly counts: ArrayLike<number>
}

/** Counts tags in a first pass over the rows, for the paper's anchor rule and document filter. */
export class TagSurvey {
  readonly #tags = new TokenFrequencies()
  #rows = 0

  add({tags = []}: Row): void {
    this.#rows++
    for (const tag of tags) this.#tags.see(tag, this.#rows)
  }

  /** Add the frequencies of other rows. */
  addSurvey({documentCount, tags, counts}: TagFrequencies): void {
    this.#rows += documentCount
    this.#tags.add({tokens: tags, counts})
  }

  /** Return the frequencies since the last call, and start over. */
  takeSurvey(): TagFrequencies {
    const {tokens: tags, counts} = this.#tags.take()
    const documentCount = this.#rows
    this.#rows = 0
    return {documentCount, tags, counts}
  }

  /** The `count` most frequent tags, ties by name. */
  commonest(count: number): string[] {
    const ranked = this.#tags.commonest(Number.POSITIVE_INFINITY, () => true)
    if (ranked.length > 0) return ranked.slice(0, count)
    throw new AdfaError(
      'bad-document',
      `none of the ${this.#rows} documents has "tags", which anchors and filters by tags need; give \`anchors\` instead`
    )
  }
}

/**
 * The paper's rule (Section 5.1): the anchor of a tag is its own name in one of `fields`, without a name space in front
 * (`works-with::text`).
 */
export function anchorsFromTags(tags: readonly string[], fields: readonly string[]): Anchors {
  return tags.map(tag => {
    if (tag.includes('\n'))
      throw new AdfaError(
        'bad-anchors',
        `tag "${printableLine(tag)}": the name of a concept is one line; remove the line feed from the tag`
      )
    const own = tag.split(/:+/).findLast(part => part !== '') ?? tag
    return {concept: tag, any: fields.map(field => `${field}:${own}`), not: [], rates: undefined}
  })
}

/** Tests whether a row passes the document filter. */
export function documentFilter(filter: TagFilter | undefined): (row: Row) => boolean {
  if (filter === undefined) return () => true
  const wanted = new Set(filter.tags)
  return ({tags = []}) => new Set(tags.filter(tag => wanted.has(tag))).size >= filter.minTags
}

/** Finds requested fields that no row has. Cost: nothing once every field was seen. */
export class FieldSurvey {
  readonly #unseen: Set<string>
  readonly #keys: {readonly id: string; readonly tags: string}

  constructor(fields: RowFields) {
    this.#keys = keyFields(fields)
    // Documents may do without ids and tags, but not if a field is named for them.
    const named = Object.entries(this.#keys).filter(([key, field]) => key !== field)
    this.#unseen = new Set([...fieldNames(fields), ...named.map(([, field]) => field)])
  }

  /** A field also counts as seen when a feature carries its name. */
  add(row: Row): void {
    if (this.#unseen.size === 0) return
    if (row.id !== undefined) this.#unseen.delete(this.#keys.id)
    if (row.tags !== undefined) this.#unseen.delete(this.#keys.tags)
    for (const name of this.#unseen)
      if (row.text.has(name) || row.features.some(feature => feature.startsWith(`${name}:`))) this.#unseen.delete(name)
  }

  unseen(): string[] {
    return [...this.#unseen]
  }
}
