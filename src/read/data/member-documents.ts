import type {AnchorIndex, Role} from './anchor-index.ts'
import {union} from './token-store.ts'

/** The documents of what anchors are made of, each list ascending. */
interface FeatureDocuments {
  /** Those with a token of a field. */
  readonly ofToken: (field: number, token: string) => Uint32Array
  /** Those that each regular expression matches. */
  readonly ofPatterns: readonly Uint32Array[]
}

/** For each member the documents in which it fires, ascending, without those where its concept is vetoed. */
export function memberDocuments(
  {roles, patterns, memberConcepts}: AnchorIndex,
  documentCount: number,
  {ofToken, ofPatterns}: FeatureDocuments
): Uint32Array[] {
  const byMember = memberConcepts.map((): Uint32Array[] => [])
  const vetoes = new Map<number, Uint32Array[]>()
  const add = ({members, vetoes: vetoed}: Role, documents: Uint32Array) => {
    for (const member of members) byMember[member].push(documents)
    for (const concept of vetoed) vetoes.set(concept, [...(vetoes.get(concept) ?? []), documents])
  }
  roles.forEach((byToken, field) => {
    for (const [token, role] of byToken) add(role, ofToken(field, token))
  })
  patterns.forEach((role, at) => {
    add(role, ofPatterns[at])
  })
  const isVetoed = new Uint8Array(documentCount)
  return byMember.map((lists, member) => {
    const veto = vetoes.get(memberConcepts[member])
    const fired = union(lists)
    if (veto === undefined) return fired
    isVetoed.fill(0)
    for (const documents of veto) for (const d of documents) isVetoed[d] = 1
    return fired.filter(d => isVetoed[d] === 0)
  })
}

/** Numbers per document: those of document d are `values[starts[d] .. starts[d+1])`, ascending. */
export interface DocumentLists {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/**
 * From ascending documents per number to ascending numbers per document, for the documents of `numbers`, which are all that
 * occur. Cost: one step per entry, in the order of documents.
 */
export function listsByDocument(lists: readonly Uint32Array[], numbers: Uint32Array): DocumentLists {
  const sizes = new Uint32Array((numbers.at(-1) ?? -1) + 1)
  for (const documents of lists) for (let at = 0; at < documents.length; at++) sizes[documents[at]]++
  const starts = new Uint32Array(numbers.length + 1)
  const next = sizes
  for (let at = 0; at < numbers.length; at++) {
    starts[at + 1] = starts[at] + sizes[numbers[at]]
    next[numbers[at]] = starts[at]
  }
  const values = new Uint32Array(starts[numbers.length])
  lists.forEach((documents, number) => {
    for (let at = 0; at < documents.length; at++) values[next[documents[at]]++] = number
  })
  return {starts, values}
}
