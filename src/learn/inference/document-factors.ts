import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, directedNetwork, topologicalOrder} from '../../base/network/index.ts'
import {log, log1p, logit} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Model} from '../model/index.ts'
import type {ConceptLabels, EvidenceUse} from './posterior.ts'

/**
 * The leak of a word that occurs although its own leak is 0 and no concept can switch it on, given the labels. Such a word favours
 * no concept, and documents with it can still be compared.
 */
export const MIN_LEAK = 1e-300

/**
 * A model prepared for inference, once for all documents.
 *
 * Failures f are stored by word, only where they differ from 1: the edges of word j are `start[j] .. start[j + 1] - 1`, and edge
 * e leads to concept `concept[e]` with `weight[e]` = 1 - f and `logFailure[e]` = log f. Sums over absent words are totals over
 * all words minus sums over words that occur, which are few.
 */
export interface InferenceTables {
  readonly conceptCount: number
  readonly wordCount: number
  readonly start: Int32Array
  readonly concept: Int32Array
  readonly weight: Float64Array
  readonly logFailure: Float64Array
  /** The sum over all words of log f_ij, one per concept. */
  readonly logFailureTotal: Float64Array
  readonly leak: Float64Array
  /** log(1 - l_j), one per word, and the sum over all words. */
  readonly logNoLeak: Float64Array
  readonly logNoLeakTotal: number
  /** log P(A_i | Y_i = 1) - log P(A_i | Y_i = 0), for A_i = 1 and for A_i = 0. */
  readonly anchorOn: Float64Array
  readonly anchorOff: Float64Array
  /** log P(A_i = 1 | Y_i = 0) - log P(A_i = 0 | Y_i = 0), one per concept. */
  readonly falseAnchor: Float64Array
  /** The sum over all concepts of log P(A_i = 0 | Y_i = 0). */
  readonly noFalseAnchorTotal: number
  readonly network: BayesNetwork
  /** The concepts in topological order, parents first. */
  readonly order: readonly number[]
  /** The concepts that have concept i among their parents, at `children[i]`. */
  readonly children: readonly (readonly number[])[]
}

export function buildTables(model: Model): InferenceTables {
  const {concepts, loadings} = model
  // A network of pairs is replaced by a forest, the one that its links were learned with.
  const network = directedNetwork(model.network, 1)
  const children: number[][] = concepts.map(() => [])
  network.parents.forEach((list, child) => {
    for (const parent of list) children[parent].push(child)
  })
  const logNoLeak = loadings.leak.map(l => log1p(-l))
  return {
    conceptCount: concepts.length,
    wordCount: loadings.wordCount,
    ...edgesByWord(loadings),
    leak: loadings.leak,
    logNoLeak,
    logNoLeakTotal: logNoLeak.reduce((sum, value) => sum + value, 0),
    anchorOn: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log(t / e)),
    anchorOff: Float64Array.from(concepts, ({truePositive: t, falsePositive: e}) => log((1 - t) / (1 - e))),
    falseAnchor: Float64Array.from(concepts, ({falsePositive: e}) => logit(e)),
    noFalseAnchorTotal: concepts.reduce((sum, {falsePositive: e}) => sum + log1p(-e), 0),
    network,
    order: topologicalOrder(network.parents) ?? [],
    children
  }
}

function edgesByWord({failure, conceptCount: m, wordCount: n}: Model['loadings']) {
  const start = new Int32Array(n + 1)
  for (let cell = 0; cell < m * n; cell++) if (failure[cell] < 1) start[(cell % n) + 1]++
  for (let j = 0; j < n; j++) start[j + 1] += start[j]
  const concept = new Int32Array(start[n])
  const weight = new Float64Array(start[n])
  const logFailure = new Float64Array(start[n])
  const logFailureTotal = new Float64Array(m)
  const next = start.slice()
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const f = failure[i * n + j]
      if (f === 1) continue
      const e = next[j]++
      concept[e] = i
      weight[e] = 1 - f
      logFailure[e] = log(f)
      logFailureTotal[i] += logFailure[e]
    }
  return {start, concept, weight, logFailure, logFailureTotal}
}

/**
 * One document as factors over the unlabelled concepts. P(x, a | y) is the product of exp(logConstant), of exp(unary[i]) for each
 * unlabelled i with y_i = 1, and of 1 - (1 - leak[p]) prod_e (1 - weight[e])^y_concept[e] for each word p that occurs.
 *
 * Absent words and anchors are unary factors. Labelled concepts are folded in: present ones raise the leaks of their words, and
 * absent ones lose their edges. A word left without an edge is part of the constant.
 */
export interface DocumentFactors {
  /** -1 unlabelled, 0 absent, 1 present. */
  readonly labels: Int8Array
  readonly unary: Float64Array
  readonly wordCount: number
  /** The edges of word p are `start[p] .. start[p + 1] - 1`. */
  readonly start: Int32Array
  readonly leak: Float64Array
  readonly concept: Int32Array
  readonly weight: Float64Array
  readonly logConstant: number
}

/** Reads one document: starts from one without words and anchors, and corrects for those that occur. Cost: O(their edges + m). */
export function readDocument(
  tables: InferenceTables,
  evidence: Evidence,
  use: Pick<EvidenceUse, 'anchors' | 'words'>,
  known?: ConceptLabels
): DocumentFactors {
  const labels = new Int8Array(tables.conceptCount)
  readLabels(labels, known)
  const unary = new Float64Array(labels.length)
  let logConstant = 0
  if (use.anchors === 'used') {
    checkAscending(evidence.anchors, labels.length, 'anchor')
    unary.set(tables.anchorOff)
    logConstant += tables.noFalseAnchorTotal
    for (const i of evidence.anchors) {
      unary[i] = tables.anchorOn[i]
      logConstant += tables.falseAnchor[i]
    }
  }
  const words = use.words === 'used' ? evidence.words : []
  checkAscending(words, tables.wordCount, 'word')
  if (use.words === 'used') {
    for (let i = 0; i < labels.length; i++) unary[i] += tables.logFailureTotal[i]
    logConstant += tables.logNoLeakTotal
  }
  const {start: first, concept: causes, weight: weights, logFailure} = tables
  let edgeCount = 0
  for (const j of words) edgeCount += first[j + 1] - first[j]
  const start = new Int32Array(words.length + 1)
  const leak = new Float64Array(words.length)
  const concept = new Int32Array(edgeCount)
  const weight = new Float64Array(edgeCount)
  let wordCount = 0
  let edge = 0
  for (const j of words) {
    let l = tables.leak[j]
    logConstant -= tables.logNoLeak[j]
    for (let e = first[j]; e < first[j + 1]; e++) {
      const i = causes[e]
      unary[i] -= logFailure[e]
      if (labels[i] === 1) l += weights[e] * (1 - l)
      else if (labels[i] === -1) {
        concept[edge] = i
        weight[edge] = weights[e]
        edge++
      }
    }
    if (edge > start[wordCount]) {
      leak[wordCount] = l
      wordCount++
      start[wordCount] = edge
    } else logConstant += log(Math.max(l, MIN_LEAK))
  }
  for (let i = 0; i < labels.length; i++) if (labels[i] === 1) logConstant += unary[i]
  return {labels, unary, wordCount, start, leak, concept, weight, logConstant}
}

/** Returns the weights 1 - f of concept i, word p of the document at `i * wordCount + p`; 0 where there is no edge. */
export function denseWeights({labels, wordCount, start, concept, weight}: DocumentFactors): Float64Array {
  const dense = new Float64Array(labels.length * wordCount)
  for (let p = 0; p < wordCount; p++)
    for (let e = start[p]; e < start[p + 1]; e++) dense[concept[e] * wordCount + p] = weight[e]
  return dense
}

/** Refuses numbers of words, anchors or members that no document read by the model's lexicon has. */
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

/** Copies labels to `target`; without labels, all concepts are unknown (-1). */
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

/** Sets the labels of the last-tag task, which predicts one tag from the others: 1 for the given tags, -1 for all others. */
export function readGiven(target: Int8Array, given: readonly number[]): void {
  target.fill(-1)
  for (const i of given) {
    if (!(Number.isInteger(i) && i >= 0 && i < target.length))
      throw new AdfaError('mismatch', `given tag ${i} is none of the ${target.length} concepts`)
    target[i] = 1
  }
}
