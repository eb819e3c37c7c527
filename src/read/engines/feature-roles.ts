import type {FeatureReader, FeatureRole} from '../data/index.ts'

/**
 * Numbers the roles of ready-made features, from 0; features with the same role share a number, so that a database groups
 * documents no finer than needed. Which anchors fire when several roles meet is decided here, as for documents.
 */
export class FeatureRoles {
  readonly reader: FeatureReader
  readonly #roles: FeatureRole[] = []
  readonly #numbers = new Map<string, number>()

  constructor(reader: FeatureReader) {
    this.reader = reader
  }

  /** How many different roles there are so far. */
  get count(): number {
    return this.#roles.length
  }

  /** The role of a feature and its number, if it has one. */
  find(name: string): {readonly number: number; readonly isTaken: boolean} | undefined {
    const role = this.reader.featureRole(name)
    if (role === undefined) return undefined
    const key = `${role.members};${role.vetoes}`
    const number = this.#numbers.get(key) ?? this.#roles.push(role) - 1
    this.#numbers.set(key, number)
    return {number, isTaken: role.isTaken}
  }

  /** The anchor features that fire in documents with the roles of these numbers. */
  membersOf(numbers: readonly number[]): number[] {
    return this.reader.firedMembers(numbers.map(number => this.#roles[number]))
  }
}

/** Documents in which the same anchor features fire. */
export interface FiringPattern {
  readonly members: readonly number[]
  readonly documents: number
}

/** In how many documents each anchor feature, and each concept's anchor, fires. */
export function anchorHits(
  patterns: Iterable<FiringPattern>,
  memberConcepts: readonly number[],
  conceptCount: number
): {memberHits: number[]; conceptHits: number[]} {
  const memberHits = memberConcepts.map(() => 0)
  const conceptHits = Array.from({length: conceptCount}, () => 0)
  for (const {members, documents} of patterns) {
    for (const member of members) memberHits[member] += documents
    for (const concept of new Set(members.map(member => memberConcepts[member]))) conceptHits[concept] += documents
  }
  return {memberHits, conceptHits}
}
