import type {Role} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {isMember} from './field-reader.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Row} from './row.ts'

/** Sees a token of a text field, or of `features`, which is field `fields.length`. */
type VisitToken = (token: string, field: number) => void

/** The role of a ready-made feature. */
export interface FeatureRole extends Role {
  /** Whether a regular expression of an anchor matches it, so that it does not count as a word. */
  readonly isTaken: boolean
}

export type FeatureReader = ReturnType<typeof createFeatureReader>

/** Reads rows as features by name, by fixed anchors, phrases and text options. */
export function createFeatureReader(anchors: Anchors, phrases: readonly string[], text: TextOptions) {
  const {fields} = text
  const reader = new NumberedReader(anchors, phrases, text)
  const {roles, patterns, patternsOf, firedMembers, memberConcepts} = reader.rules
  return {
    /** The concept of each member. */
    memberConcepts,
    /** The members that fire in a document with features of these roles. */
    firedMembers,
    /** The names of all ready-made features with a role, except those that only a regular expression finds. */
    roleNames: [...roles[fields.length].keys()],
    /** Whether regular expressions match features, so that any name may have a role. */
    hasPatterns: patterns.length > 0,
    /** Visit every token; returns the members that fired, ascending, numbered through all concepts in order. */
    read(row: Row, visit: VisitToken): readonly number[] {
      reader.read(row)
      const {sequence, table, members} = reader
      for (let at = 0; at < sequence.length; at++) {
        const token = sequence.values[at]
        visit(table.name(token), table.field(token))
      }
      return members
    },
    /** Whether this token of this field is an anchor. */
    isAnchor: (field: number, token: string) => (roles[field].get(token)?.members.length ?? 0) > 0,
    /** The role of a ready-made feature; undefined for a plain word. */
    featureRole(name: string): FeatureRole | undefined {
      const found = patternsOf(name)
      const isTaken = found.some(isMember)
      const named = isTaken ? undefined : roles[fields.length].get(name)
      if (named !== undefined) found.push(named)
      if (found.length === 0) return undefined
      return {members: found.flatMap(role => role.members), vetoes: found.flatMap(role => role.vetoes), isTaken}
    }
  }
}
