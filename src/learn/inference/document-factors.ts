import {AdfaError} from '../../base/checks/index.ts'
import {log} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {InferenceTables} from './inference-tables.ts'
import type {EvidenceUse} from './options.ts'
import type {ConceptLabels} from './posterior.ts'

/**
 * One document as factors over the unlabelled concepts: P(x, a | y), up to P(y), is exp(logConstant) times, for each
 * unlabelled i with y_i = 1, exp(unary[i]), times, for each word p that occurs, 1 - (1 - leak[p]) prod_e (1 - weight[e])^y.
 *
 * Absent words and anchors are unary and exact (`log f_ij` of absent words is the total minus the present words).
 * Labels are folded in: present concepts into the leak, absent ones dropped. A word left with no edge is a constant.
 * Cost: O(edges of the words that occur + m). The arrays are reused from document to document and grow as needed.
 */
export interface DocumentFactors {
  /** -1 unlabelled, 0 absent, 1 present. */
  readonly labels: Int8Array
  readonly unary: Float64Array
  wordCount: number
  /** Edges of word p: `start[p] .. start[p + 1] - 1`. */
  start: Int32Array
  leak: Float64Array
  concept: Int32Array
  weight: Float64Array
  logConstant: number
  /** Words that occur with no cause left and leak 0; excluded from `logConstant`. */
  unexplainedWords: number
}

/** Factors with room for so many words and edges. */
export function emptyFactors(conceptCount: number, words = 64, edges = 1024): DocumentFactors {
  return {
    labels: new Int8Array(conceptCount),
    unary: new Float64Array(conceptCount),
    wordCount: 0,
    start: new Int32Array(words + 1),
    leak: new Float64Array(words),
    concept: new Int32Array(edges),
    weight: new Float64Array(edges),
    logConstant: 0,
    unexplainedWords: 0
  }
}

/** Fills `factors` for one document. */
export function readDocument(
  factors: DocumentFactors,
  tables: InferenceTables,
  evidence: Evidence,
  {labels, use}: {readonly labels: ConceptLabels | undefined; readonly use: Pick<EvidenceUse, 'anchors' | 'words'>}
): void {
  factors.unary.fill(0)
  factors.wordCount = 0
  factors.logConstant = 0
  factors.unexplainedWords = 0
  readLabels(factors.labels, labels)
  if (use.anchors === 'used') readAnchors(factors, tables, evidence.anchors)
  if (use.words === 'used') readWords(factors, tables, evidence.words)
  for (let i = 0; i < factors.labels.length; i++) if (factors.labels[i] === 1) factors.logConstant += factors.unary[i]
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
  const {labels, unary} = factors
  for (let i = 0; i < labels.length; i++) unary[i] += logFailureTotal[i]
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
      if (labels[i] === 1) l += weight[e] * (1 - l)
      else if (labels[i] === -1) {
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

/** Refuses word or anchor numbers that no document read by the model's lexicon has. */
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

/** Copies labels to `target`; -1 everywhere without any. */
export function readLabels(target: Int8Array, labels: ConceptLabels | undefined): void {
  target.fill(-1)
  if (labels === undefined) return
  if (labels.length !== target.length)
    throw new AdfaError(
      'mismatch',
      `labels must have one entry per concept; expected ${target.length}, got ${labels.length}`
    )
  for (let i = 0; i < target.length; i++) {
    const label = labels[i]
    if (label !== -1 && label !== 0 && label !== 1)
      throw new AdfaError(
        'mismatch',
        `the label of concept ${i} must be -1 (unknown), 0 (absent) or 1 (present); got ${label}`
      )
    target[i] = label
  }
}

/** The given tags of the last-tag task as labels: 1 for those given, -1 for all others. */
export function readGiven(target: Int8Array, given: readonly number[]): void {
  target.fill(-1)
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < target.length))
      throw new AdfaError('mismatch', `given tag ${i} is none of the ${target.length} concepts`)
    target[i] = 1
  }
}
