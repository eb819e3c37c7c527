import {log} from '../../base/numeric/index.ts'
import type {InferenceOptions, InferenceTables} from '../../learn/inference/index.ts'
import {createMessagePassing, type DocumentFactors, emptyFactors, exactPosterior} from '../../learn/inference/index.ts'

/** One mark per concept: 1 takes part, 0 does not. */
export type Players = Uint8Array

export interface OddsQuestion {
  /** The whole document, with its labels. */
  readonly factors: DocumentFactors
  /** The concept to explain; it has no label. */
  readonly concept: number
  /** Replaces a concept that does not take part: P(Y_k = 1) before the document is read. */
  readonly usual: Float64Array
  readonly method: 'exact' | 'message-passing'
}

/**
 * log P(Y_i = 1 | document) - log P(Y_i = 0 | document) when only some of the other concepts take part.
 *
 * A concept k that does not take part stays in P(Y), without evidence from the document: its anchor and absent words do
 * not count, and in words that occur it is replaced by its usual share, 1 - P(Y_k = 1)(1 - f_kj) instead of f_kj^y_k.
 * With no other concept, every word is a factor of concept i alone and the log-odds are a plain sum.
 *
 * Words without leak that only concept i can cause are left out: they would make every answer infinite.
 * Exact: the difference of two log-evidences, so that no probability near 1 is ever subtracted from 1.
 */
export function createOdds(
  tables: InferenceTables,
  options: InferenceOptions,
  {factors, concept, usual, method}: OddsQuestion
): (taking: Players) => number {
  const part = emptyFactors(tables.conceptCount, factors.leak.length, factors.concept.length)
  part.labels.set(factors.labels)
  const passMessages = method === 'exact' ? undefined : createMessagePassing(tables, options)
  return taking => {
    restrict(part, factors, {concept, usual, taking})
    if (passMessages !== undefined) return logOddsByMessages(passMessages, part, concept)
    return logEvidence(tables, part, concept, 1) - logEvidence(tables, part, concept, 0)
  }
}

/** Fills `part` with what remains of `whole` after averaging out the concepts that do not take part. */
function restrict(
  part: DocumentFactors,
  whole: DocumentFactors,
  {concept, usual, taking}: {readonly concept: number; readonly usual: Float64Array; readonly taking: Players}
): void {
  const takesPart = (k: number) => k === concept || taking[k] === 1
  for (let k = 0; k < part.unary.length; k++) part.unary[k] = takesPart(k) ? whole.unary[k] : 0
  let words = 0
  let edge = 0
  for (let p = 0; p < whole.wordCount; p++) {
    const first = edge
    let l = whole.leak[p]
    for (let e = whole.start[p]; e < whole.start[p + 1]; e++) {
      const k = whole.concept[e]
      if (takesPart(k)) {
        part.concept[edge] = k
        part.weight[edge++] = whole.weight[e]
      } else l += usual[k] * whole.weight[e] * (1 - l)
    }
    const isForcing = l === 0 && edge === first + 1 && part.concept[first] === concept
    if (isForcing) edge = first
    if (edge === first) continue
    part.start[words] = first
    part.leak[words++] = l
  }
  part.start[words] = edge
  part.wordCount = words
}

/** log P(document, Y_i = y), up to a constant that is the same for both y. */
function logEvidence(tables: InferenceTables, part: DocumentFactors, i: number, y: 0 | 1): number {
  const given = emptyFactors(tables.conceptCount, part.wordCount, part.concept.length)
  given.labels.set(part.labels)
  given.labels[i] = y
  given.unary.set(part.unary)
  given.logConstant = y === 1 ? part.unary[i] : 0
  let edge = 0
  for (let p = 0; p < part.wordCount; p++) {
    const first = edge
    let l = part.leak[p]
    for (let e = part.start[p]; e < part.start[p + 1]; e++)
      if (part.concept[e] !== i) {
        given.concept[edge] = part.concept[e]
        given.weight[edge++] = part.weight[e]
      } else if (y === 1) l += part.weight[e] * (1 - l)
    if (edge === first) given.logConstant += log(l)
    else {
      given.start[given.wordCount] = first
      given.leak[given.wordCount++] = l
    }
  }
  given.start[given.wordCount] = edge
  return exactPosterior(tables, given).logEvidence ?? Number.NaN
}

/** Beyond this, 1 - p has too few digits left. */
const NEARLY_CERTAIN = 1 - 1e-9
/** Subtracted from the log-odds of a concept that is nearly certain, as often as needed. */
const SHIFT = 5

/**
 * The log-odds that messages settle at. Those of a nearly certain concept are found with its own evidence reduced by a
 * fixed amount, too small to change its messages to the others.
 */
function logOddsByMessages(
  passMessages: ReturnType<typeof createMessagePassing>,
  part: DocumentFactors,
  i: number
): number {
  const own = part.unary[i]
  for (let shift = 0; ; shift += SHIFT) {
    part.unary[i] = own - shift
    const p = passMessages(part).probabilities[i]
    if (p <= NEARLY_CERTAIN || shift > 1000) {
      part.unary[i] = own
      return shift + log(p) - log(1 - p)
    }
  }
}
