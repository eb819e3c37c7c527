import {AdfaError, nearestNames} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Anchors, parseAnchorEntry, withExclusive} from './anchors.ts'
import {askedClass, readVote, voteFeature} from './feature-name.ts'
import type {Lexicon, TagFilter} from './lexicon.ts'
import type {Row} from './row.ts'
import {inputNames, keyFields, type RowFields} from './row-fields.ts'
import {byCodeUnit, TokenFrequencies} from './word-survey.ts'

export interface TagFrequencies {
  readonly documentCount: number
  readonly tags: readonly string[]
  readonly counts: ArrayLike<number>
}

/** Counts tags in a first pass over the rows, for the paper's anchor rule and document filter. */
export class TagSurvey {
  readonly #frequencies = new TokenFrequencies()
  #rows = 0

  add({tags = []}: Pick<Row, 'tags'>): void {
    const different = [...new Set(tags)]
    this.addSurvey({documentCount: 1, tags: different, counts: different.map(() => 1)})
  }

  addSurvey({documentCount, tags, counts}: TagFrequencies): void {
    this.#rows += documentCount
    this.#frequencies.add({tokens: tags, counts})
  }

  survey(): TagFrequencies {
    const {tokens, counts} = this.#frequencies.list()
    return {documentCount: this.#rows, tags: tokens, counts}
  }

  /** The `count` most frequent tags, ties by name. */
  commonest(count: number): string[] {
    if (this.survey().tags.length === 0)
      throw new AdfaError(
        'bad-document',
        `none of the ${this.#rows} documents has "tags", which anchors and filters by tags need; give \`anchors\` instead`
      )
    return this.#frequencies.commonest(count).map(([tag]) => tag)
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

/** Collects the votes in a first pass over the rows: their classes are the concepts where no anchors are given. */
export class VoteSurvey {
  readonly #features = new Set<string>()

  add({features}: Row): void {
    for (const feature of features) if (readVote(feature) !== undefined) this.#features.add(feature)
  }

  /**
   * An anchor for each class, by name, whose members are the votes for it: of the classes found or, where they are known, of
   * all `classes`. A class and the one against it, `not c`, exclude each other.
   */
  anchors(classes?: Anchors): Anchors {
    const votes = [...this.#features]
      .sort(byCodeUnit)
      .map(feature => ({feature, vote: readVote(feature)?.vote ?? ''}))
      .filter(({vote}) => vote !== 'true' && vote !== 'false')
    if (votes.length === 0) throw noVotes(this.#features.size > 0, classes !== undefined)
    const found = [...new Set(votes.map(({vote}) => vote))].sort(byCodeUnit)
    const bare = classes ?? found.map(concept => parseAnchorEntry(concept, {any: []}))
    const anchors = bare.map(anchor => {
      const own = votes.filter(({vote}) => vote === anchor.concept)
      return {...anchor, any: own.map(({feature}) => feature)}
    })
    const names = new Set(found)
    const pairs = found.map(concept => [askedClass(concept, names), concept]).filter(([asked, own]) => asked !== own)
    return classes === undefined && pairs.length > 0 ? withExclusive(anchors, pairs) : anchors
  }
}

function noVotes(areBoolean: boolean, hasClasses: boolean): AdfaError {
  const given = hasClasses ? 'the classes have no anchors' : 'no anchors given'
  return new AdfaError(
    'bad-option',
    areBoolean
      ? `${given}, and all votes are true or false; list the sources of each concept in \`anchors\`: {"alcohol": {"votes": ["nurse"]}}`
      : `${given}, and no document has votes; give \`anchors\`, \`anchorsFromTags\` or \`like\`, or documents with votes`
  )
}

export function documentFilter(filter: TagFilter | undefined): (row: Pick<Row, 'tags'>) => boolean {
  if (filter === undefined) return () => true
  const wanted = new Set(filter.tags)
  return ({tags = []}) => new Set(tags.filter(tag => wanted.has(tag))).size >= filter.minTags
}

/** Finds requested fields that no row has. Cost: nothing once every field was seen. */
export class FieldSurvey {
  /** By name: how a feature begins that carries it. */
  readonly #unseen: Map<string, string>
  readonly #keys: {readonly id: string; readonly tags: string}

  constructor(fields: RowFields) {
    this.#keys = keyFields(fields)
    // Documents may do without ids and tags, but not if a field is named for them.
    const named = Object.entries(this.#keys).flatMap(([key, field]) => (key === field ? [] : [field]))
    this.#unseen = new Map([...inputNames(fields), ...named].map(name => [name, `${name}:`]))
    for (const source of fields.votes ?? []) this.#unseen.set(source, voteFeature(source, ''))
  }

  /** A field also counts as seen when a feature carries its name. */
  add({id, tags, text, features}: Row): void {
    if (this.#unseen.size === 0) return
    if (id !== undefined) this.#unseen.delete(this.#keys.id)
    if (tags !== undefined) this.#unseen.delete(this.#keys.tags)
    for (const [name, value] of text) if (value.trim() !== '') this.#unseen.delete(name)
    for (const [name, prefix] of this.#unseen)
      if (features.some(feature => feature.startsWith(prefix))) this.#unseen.delete(name)
  }

  unseen(): string[] {
    return [...this.#unseen.keys()]
  }
}

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
