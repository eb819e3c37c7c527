import {AdfaError} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {InferenceTables} from './inference-tables.ts'
import type {EvidenceUse} from './options.ts'
import type {ConceptLabels} from './posterior.ts'

/**
 * One document as factors over the unknown concepts: P(x, a | y), up to P(y), is exp(logConstant) times, for each
 * unknown i with y_i = 1, exp(unary[i]), times, for each word p that occurs, 1 - (1 - leak[p]) prod_e (1 - weight[e])^y.
 *
 * Words that do not occur and anchors are unary and exact (`log f_ij` of absent words is the total less the present words).
 * Known tags are folded in: present ones into the leak, absent ones away. A word left with no edge is a constant.
 * Work: O(edges of the words that occur + m). The arrays are reused from document to document and grow when they must.
 */
export interface DocumentFactors {
  /** -1 unknown, 0 or 1 known. */
  readonly known: Int8Array
  readonly unary: Float64Array
  wordCount: number
  /** Edges of word p: `start[p] .. start[p + 1] - 1`. */
  start: Int32Array
  leak: Float64Array
  concept: Int32Array
  weight: Float64Array
  logConstant: number
  /** Words that occur with no cause left and leak 0: left out of `logConstant`. */
  unexplainedWords: number
}

export function emptyFactors(conceptCount: number): DocumentFactors {
  return {
    known: new Int8Array(conceptCount),
    unary: new Float64Array(conceptCount),
    wordCount: 0,
    start: new Int32Array(65),
    leak: new Float64Array(64),
    concept: new Int32Array(1024),
    weight: new Float64Array(1024),
    logConstant: 0,
    unexplainedWords: 0
  }
}

/** Fill `factors` for one document. */
export function readDocument(
  factors: DocumentFactors,
  tables: InferenceTables,
  evidence: Evidence,
  {known, use}: {readonly known: ConceptLabels | undefined; readonly use: Pick<EvidenceUse, 'anchors' | 'words'>}
): void {
  factors.unary.fill(0)
  factors.wordCount = 0
  factors.logConstant = 0
  factors.unexplainedWords = 0
  readKnown(factors.known, known)
  if (use.anchors === 'used') readAnchors(factors, tables, evidence.anchors)
  if (use.words === 'used') readWords(factors, tables, evidence.words)
  for (let i = 0; i < factors.known.length; i++) if (factors.known[i] === 1) factors.logConstant += factors.unary[i]
}

function readAnchors(factors: DocumentFactors, tables: InferenceTables, anchors: readonly number[]): void {
  const {anchorOn, anchorOff, anchorOnBase, anchorOffBase, conceptCount} = tables
  const {unary} = factors
  checkAscending(anchors, conceptCount, 'anchor')
  let constant = 0
  for (let i = 0; i < conceptCount; i++) {
    unary[i] = anchorOff[i]
    constant += anchorOffBase[i]
  }
  for (const i of anchors) {
    unary[i] = anchorOn[i]
    constant += anchorOnBase[i] - anchorOffBase[i]
  }
  factors.logConstant += constant
}

function readWords(factors: DocumentFactors, tables: InferenceTables, words: readonly number[]): void {
  checkAscending(words, tables.wordCount, 'word')
  makeRoom(factors, tables, words)
  const {start, concept, weight, logFailure, logFailureTotal} = tables
  const {known, unary} = factors
  for (let i = 0; i < known.length; i++) unary[i] += logFailureTotal[i]
  let constant = tables.logNoLeakTotal
  let p = 0
  let edge = 0
  for (let at = 0; at < words.length; at++) {
    const j = words[at]
    const first = edge
    let l = tables.leak[j]
    constant -= tables.logNoLeak[j]
    for (let e = start[j]; e < start[j + 1]; e++) {
      const i = concept[e]
      unary[i] -= logFailure[e]
      if (known[i] === 1) l += weight[e] * (1 - l)
      else if (known[i] === -1) {
        factors.concept[edge] = i
        factors.weight[edge] = weight[e]
        edge++
      }
    }
    if (edge > first) {
      factors.start[p] = first
      factors.leak[p] = l
      p++
    } else if (l > 0) constant += log(l)
    else factors.unexplainedWords++
  }
  factors.start[p] = edge
  factors.wordCount = p
  factors.logConstant += constant
}

function makeRoom(factors: DocumentFactors, tables: InferenceTables, words: readonly number[]): void {
  if (words.length > factors.leak.length) {
    factors.start = new Int32Array(2 * words.length + 1)
    factors.leak = new Float64Array(2 * words.length)
  }
  let edges = 0
  for (let at = 0; at < words.length; at++) edges += tables.start[words[at] + 1] - tables.start[words[at]]
  if (edges > factors.concept.length) {
    factors.concept = new Int32Array(2 * edges)
    factors.weight = new Float64Array(2 * edges)
  }
}

/** Refuse numbers of words or anchors that no document read by the model's lexicon has. */
export function checkAscending(list: readonly number[], limit: number, what: string): void {
  let previous = -1
  for (let at = 0; at < list.length; at++) {
    const index = list[at]
    if (!(index > previous && index < limit && Number.isInteger(index)))
      throw new AdfaError(
        'mismatch',
        `${what}s of a document must be ascending numbers below ${limit}; got ${index} after ${previous}; read the document with the model's own lexicon`
      )
    previous = index
  }
}

/** Copy known tags to `target`, -1 everywhere if there are none. */
export function readKnown(target: Int8Array, known: ConceptLabels | undefined): void {
  target.fill(-1)
  if (known === undefined) return
  if (known.length !== target.length)
    throw new AdfaError(
      'mismatch',
      `known tags must have one entry a concept; expected ${target.length}, got ${known.length}`
    )
  for (let i = 0; i < target.length; i++) {
    const tag = known[i]
    if (tag !== -1 && tag !== 0 && tag !== 1)
      throw new AdfaError(
        'mismatch',
        `the known tag of concept ${i} must be -1 (unknown), 0 (absent) or 1 (present); got ${tag}`
      )
    target[i] = tag
  }
}

/** The tags given to the last-tag task, as known tags: 1 for those given, -1 for all others. */
export function readGiven(target: Int8Array, given: readonly number[]): void {
  target.fill(-1)
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < target.length))
      throw new AdfaError('mismatch', `given tag ${i} is none of the ${target.length} concepts`)
    target[i] = 1
  }
}
