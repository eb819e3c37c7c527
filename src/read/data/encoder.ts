import {createFeatureReader} from './feature-reader.ts'
import type {Lexicon} from './lexicon.ts'
import {type Labels, type Row, rowKey} from './row.ts'
import {passesFilter} from './surveys.ts'

/** Turns rows into binary variables, the same way in learning and in predicting. */
export interface Encoder {
  readonly lexicon: Lexicon
  encode(row: Row): Evidence
  /** What the row says of each concept: 1 present, 0 absent, -1 unknown; undefined when it says nothing. */
  truth(row: Row): Int8Array | undefined
  /** Whether the lexicon's document filter leaves this row. */
  accepts(row: Row): boolean
}

/** `given` labels, if there are any, stand instead of the tags and labels in the rows. */
export function createEncoder(lexicon: Lexicon, given?: Labels): Encoder {
  const {anchors, phrases, text, filter} = lexicon
  const reader = createFeatureReader(anchors, phrases, text)
  const wordIds = text.fields.map(() => new Map<string, number>())
  const featureIds = new Map(lexicon.words.map((word, j) => [word, j]))
  lexicon.words.forEach((word, j) => {
    text.fields.forEach((field, at) => {
      if (word.startsWith(`${field}:`)) wordIds[at].set(word.slice(field.length + 1), j)
    })
  })
  wordIds.push(featureIds)
  const conceptIds = new Map(anchors.map(({concept}, i) => [concept, i]))
  const filterTags = new Set(filter?.tags)
  const lastRow = new Float64Array(lexicon.words.length)
  const found = new Uint32Array(lexicon.words.length)
  let rows = 0

  const encode = (row: Row): Evidence => {
    rows++
    const {tokens, members} = reader.read(row)
    let count = 0
    for (let field = 0; field < tokens.length; field++)
      for (const token of tokens[field]) {
        const j = wordIds[field].get(token)
        if (j === undefined || lastRow[j] === rows) continue
        lastRow[j] = rows
        found[count++] = j
      }
    const concepts: number[] = []
    for (const member of members) {
      const concept = reader.memberConcepts[member]
      if (concepts.at(-1) !== concept) concepts.push(concept)
    }
    return {words: ascending(found.subarray(0, count)), anchors: concepts, members}
  }

  const truth = (row: Row): Int8Array | undefined => {
    const {tags, labels} = given === undefined ? row : {labels: given.get(rowKey(row))}
    if (tags === undefined && labels === undefined) return undefined
    const known = new Int8Array(anchors.length).fill(tags === undefined ? -1 : 0)
    for (const tag of tags ?? []) setTruth(known, conceptIds.get(tag), true)
    for (const [concept, value] of labels ?? []) setTruth(known, conceptIds.get(concept), value)
    return known
  }
  return {lexicon, encode, truth, accepts: row => passesFilter(row, filter, filterTags)}
}

/** Sorted as integers, which takes a quarter of the time of a comparison function, then as a plain list. */
function ascending(found: Uint32Array): number[] {
  found.sort()
  const list = new Array<number>(found.length)
  for (let at = 0; at < found.length; at++) list[at] = found[at]
  return list
}

function setTruth(known: Int8Array, concept: number | undefined, value: boolean): void {
  if (concept !== undefined) known[concept] = value ? 1 : 0
}

/** A document as binary variables: what is 1, in ascending order; everything not listed is 0. */
export interface Evidence {
  /** Words of the vocabulary that occur. */
  readonly words: readonly number[]
  /** Concepts of which at least one anchor fired (the union the paper uses). */
  readonly anchors: readonly number[]
  /** Single anchor features that fired, numbered through all concepts in order. */
  readonly members: readonly number[]
}
