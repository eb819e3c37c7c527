import {AdfaError, nearestNames} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {type Anchors, parseAnchorEntry, withExclusive} from './anchors.ts'
import {askedClass, readVote, voteFeature} from './feature-name.ts'
import type {Lexicon, TagFilter} from './lexicon.ts'
import type {Row} from './row.ts'
import {fieldsOf, type RowFields} from './row-fields.ts'
import {ownCopy} from './tokenize.ts'

/** Counts tags in a first pass over the rows, for the paper's anchor rule and document filter. */
export class TagSurvey {
  /** In how many documents each tag occurs. */
  readonly counts = new Map<string, number>()
  documentCount = 0

  add({tags = []}: Pick<Row, 'tags'>): void {
    this.addCounts({documentCount: 1, counts: new Map(tags.map(tag => [tag, 1]))})
  }

  /** Adds what another survey counted. */
  addCounts({documentCount, counts}: Pick<TagSurvey, 'documentCount' | 'counts'>): void {
    this.documentCount += documentCount
    for (const [tag, count] of counts) {
      const known = this.counts.get(tag)
      this.counts.set(known === undefined ? ownCopy(tag) : tag, (known ?? 0) + count)
    }
  }

  /** The `count` most frequent tags, ties by name. */
  commonest(count: number): string[] {
    if (this.counts.size === 0)
      throw new AdfaError(
        'bad-document',
        `none of the ${this.documentCount} documents has "tags", which anchors and filters by tags need; give \`anchors\` instead`
      )
    return commonest(this.counts, count).map(([tag]) => tag)
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

/**
 * An anchor for each class that the features vote for, by name, whose members are these votes: for the classes found or, where
 * they are known, for all `classes`. A class and the one against it, `not c`, exclude each other.
 */
export function voteAnchors(features: Iterable<string>, classes?: Anchors): Anchors {
  const votes = [...new Set(features)]
    .sort(byCodeUnit)
    .map(feature => ({feature, vote: readVote(feature)?.vote ?? 'true'}))
    .filter(({vote}) => vote !== 'true' && vote !== 'false')
  if (votes.length === 0)
    throw new AdfaError(
      'bad-option',
      `${classes === undefined ? 'no anchors given' : 'the classes have no anchors'}, and no document has votes for classes; ` +
        'give `anchors`, `anchorsFromTags` or `like`; where votes are true or false, list their sources in `anchors`: {"alcohol": {"votes": ["nurse"]}}'
    )
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
    const {id, tags, inputNames, votes} = fieldsOf(fields)
    this.#keys = {id, tags}
    // Documents may do without ids and tags, but not if a field is named for them.
    const named = Object.entries(this.#keys).flatMap(([key, field]) => (key === field ? [] : [field]))
    this.#unseen = new Map([...inputNames, ...named].map(name => [name, `${name}:`]))
    for (const source of votes) this.#unseen.set(source, voteFeature(source, ''))
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
  readonly #tags = new Set<string>()

  constructor({anchors}: Pick<Lexicon, 'anchors'>) {
    this.#concepts = new Set(anchors.map(({concept}) => concept))
  }

  add({tags = []}: Pick<Row, 'tags'>): void {
    for (const tag of tags) this.#tags.add(tag)
  }

  /** A tag beside the concept that it spells otherwise, and the nearest tag of a concept that is no tag. */
  notes(): string[] {
    const others = [...this.#tags].filter(tag => !this.#concepts.has(tag))
    const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
    return [...this.#concepts].flatMap(concept => {
      const same = others.find(tag => plain(tag) === plain(concept) && plain(tag) !== '')
      const near = same ?? (this.#tags.has(concept) ? undefined : nearestNames(concept, others, 1).at(0))
      if (near === undefined) return []
      return [
        `the tag "${printableLine(near)}" is not a concept; if it means "${printableLine(concept)}", give both the same spelling`
      ]
    })
  }
}

/** The most frequent wanted tokens with their counts, ties by name. Only tokens that may be among them are sorted. */
export function commonest(
  counts: ReadonlyMap<string, number>,
  most: number,
  isWanted = (_token: string, _count: number) => true
): [token: string, count: number][] {
  const wanted = [...counts].filter(([token, count]) => isWanted(token, count))
  const ranked = Float64Array.from(wanted, ([, count]) => count).sort()
  const least = ranked[Math.max(0, ranked.length - most)]
  return wanted
    .filter(([, count]) => count >= least)
    .sort(([a, x], [b, y]) => y - x || byCodeUnit(a, b))
    .slice(0, most)
}

export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
