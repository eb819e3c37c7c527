import {parentState} from '../../base/network/index.ts'
import {log, log1p} from '../../base/numeric/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {buildTables, type InferenceTables} from '../inference/index.ts'
import type {Model} from '../model/index.ts'

/**
 * A model prepared for one step of EM.
 *
 * Failures are stored by word (word j, concept i at `j * m + i`), so that a document touches one short row per word that
 * occurs. Totals over all words make absent words cheap: the total minus the words that occur.
 */
export interface EmTables extends Omit<InferenceTables, 'start' | 'concept' | 'weight' | 'order'> {
  readonly failure: Float64Array
  readonly logFailure: Float64Array
  /** log P(Y_i = 1 | parents) and log P(Y_i = 0 | parents), in the layout of the network's tables. */
  readonly logPresent: readonly Float64Array[]
  readonly logAbsent: readonly Float64Array[]
}

/** Reads a model into {@link EmTables}. Cost: O(m n). */
export function emTables(model: Model): EmTables {
  const {concepts, loadings} = model
  const tables = buildTables(model)
  const {cpt} = tables.network
  const m = concepts.length
  const n = loadings.wordCount
  const failure = new Float64Array(m * n)
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) failure[j * m + i] = loadings.failure[i * n + j]
  return {
    ...tables,
    failure,
    logFailure: failure.map(f => (f === 1 ? 0 : log(f))),
    logPresent: cpt.map(table => table.map(p => log(p))),
    logAbsent: cpt.map(table => table.map(p => log1p(-p)))
  }
}

/**
 * One document under one step's tables: log P(x, a | y) = constant + sum over present i of unary[i]
 * + sum over the words that occur of log(1 - (1 - l_j) prod_i f_ij^{y_i}). Reused from document to document.
 */
export interface EmDocument {
  words: readonly number[]
  readonly unary: Float64Array
  constant: number
}

export function emptyDocument(conceptCount: number): EmDocument {
  return {words: [], unary: new Float64Array(conceptCount), constant: 0}
}

/** Fills `document` from evidence. Cost: O(words that occur * m). */
export function readEvidence(document: EmDocument, tables: EmTables, {words, anchors}: Evidence): void {
  const {conceptCount: m, logFailure, logFailureTotal, logNoLeak, anchorOn, anchorOff} = tables
  const {anchorOnBase, anchorOffBase} = tables
  const {unary} = document
  let constant = tables.logNoLeakTotal
  for (let i = 0; i < m; i++) {
    unary[i] = logFailureTotal[i] + anchorOff[i]
    constant += anchorOffBase[i]
  }
  for (const i of anchors) {
    unary[i] += anchorOn[i] - anchorOff[i]
    constant += anchorOnBase[i] - anchorOffBase[i]
  }
  for (const j of words) {
    constant -= logNoLeak[j]
    const row = j * m
    for (let i = 0; i < m; i++) unary[i] -= logFailure[row + i]
  }
  document.words = words
  document.constant = constant
}

/** P(x_j = 0 | y), where `present` lists the concepts of y. */
export function absence(tables: EmTables, j: number, present: readonly number[]): number {
  const row = j * tables.conceptCount
  let off = 1 - tables.leak[j]
  for (const i of present) off *= tables.failure[row + i]
  return off
}

/** The concepts of a state, ascending. */
export function presentIn(y: Uint8Array): number[] {
  const present: number[] = []
  for (let i = 0; i < y.length; i++) if (y[i] === 1) present.push(i)
  return present
}

/** log P(x, a, y) of the document; -Infinity where a word that occurs has no cause. */
export function logJointAt(document: EmDocument, tables: EmTables, y: Uint8Array): number {
  const {network, logPresent, logAbsent} = tables
  let sum = document.constant
  for (let i = 0; i < y.length; i++) {
    const state = parentState(network.parents[i], y)
    sum += y[i] === 1 ? document.unary[i] + logPresent[i][state] : logAbsent[i][state]
  }
  const present = presentIn(y)
  let product = 1
  for (const j of document.words) {
    product *= 1 - absence(tables, j, present)
    if (product < 1e-200) {
      sum += log(product)
      product = 1
    }
  }
  return sum + log(product)
}
