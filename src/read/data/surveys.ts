import {AdfaError} from '../../base/checks/index.ts'
import type {Anchors} from './anchors.ts'
import {tagAnchorFeatures} from './feature-name.ts'
import type {TagFilter} from './lexicon.ts'
import type {Row} from './row.ts'
import {fieldNames, type RowFields} from './row-fields.ts'

/** How many documents have each tag. */
export interface TagFrequencies {
  readonly documentCount: number
  readonly tags: readonly string[]
  readonly counts: readonly number[]
}

/** How often each tag occurs: a first pass over the rows, needed by the paper's anchor rule and document filter. */
export class TagSurvey {
  readonly #counts = new Map<string, number>()
  #rows = 0

  add(row: Row): void {
    this.#rows++
    for (const tag of new Set(row.tags)) this.#counts.set(tag, (this.#counts.get(tag) ?? 0) + 1)
  }

  /** Add what was found in other rows: how many they are, and how many have each tag. */
  addSurvey({documentCount, tags, counts}: TagFrequencies): void {
    this.#rows += documentCount
    for (let at = 0; at < tags.length; at++) this.#counts.set(tags[at], (this.#counts.get(tags[at]) ?? 0) + counts[at])
  }

  /** What was found since the last time, and begin anew. */
  takeSurvey(): TagFrequencies {
    const survey = {documentCount: this.#rows, tags: [...this.#counts.keys()], counts: [...this.#counts.values()]}
    this.#rows = 0
    this.#counts.clear()
    return survey
  }

  /** The `count` commonest tags, equal ones by name. */
  commonest(count: number): string[] {
    if (this.#counts.size === 0)
      throw new AdfaError(
        'bad-document',
        `none of the ${this.#rows} documents has "tags"; anchors or a filter by tags need them; give anchors with --anchors instead`
      )
    const ranked = [...this.#counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    return ranked.slice(0, count).map(([tag]) => tag)
  }
}

/** The paper's rule (Section 5.1): the anchor of a tag is its own name in one of `fields`. */
export function anchorsFromTags(tags: readonly string[], fields: readonly string[]): Anchors {
  return tags.map(tag => ({concept: tag, any: tagAnchorFeatures(tag, fields), not: [], rates: undefined}))
}

/** Whether the row is one of the documents that the filter leaves. */
export function passesFilter(row: Row, filter: TagFilter | undefined, tags: ReadonlySet<string>): boolean {
  if (filter === undefined) return true
  let found = 0
  for (const tag of new Set(row.tags)) if (tags.has(tag)) found++
  return found >= filter.minTags
}

/** Which of the fields asked for no row has. Cost: nothing once every field was seen. */
export class FieldSurvey {
  readonly #unseen: Set<string>

  constructor(fields: RowFields) {
    this.#unseen = new Set(fieldNames(fields))
  }

  /** Values are seen by their features, and so may words be that were given as features. */
  add(row: Row): void {
    for (const name of this.#unseen)
      if (row.text.has(name) || row.features.some(feature => feature.startsWith(`${name}:`))) this.#unseen.delete(name)
  }

  unseen(): string[] {
    return [...this.#unseen]
  }
}
