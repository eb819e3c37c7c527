import {log} from '../../base/numeric/index.ts'
import type {InferenceOptions, InferenceTables} from '../../learn/inference/index.ts'
import {createMessagePassing, type DocumentFactors, exactPosterior} from '../../learn/inference/index.ts'

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
  const passMessages = method === 'exact' ? undefined : createMessagePassing(tables, options)
  return taking => {
    const takesPart = (k: number) => k === concept || taking[k] === 1
    const unary = factors.unary.map((value, k) => (takesPart(k) ? value : 0))
    const start = {...factors, unary, logConstant: 0}
    const part = foldWords(start, concept, k => (takesPart(k) ? undefined : usual[k]))
    if (passMessages !== undefined) return logOddsByMessages(passMessages, part, concept)
    return logEvidence(tables, part, concept, 1) - logEvidence(tables, part, concept, 0)
  }
}

/** log P(document, Y_i = y), up to a constant that is the same for both y. */
function logEvidence(tables: InferenceTables, part: DocumentFactors, i: number, y: 0 | 1): number {
  const given = {...part, labels: part.labels.with(i, y), logConstant: y === 1 ? part.unary[i] : 0}
  const folded = foldWords(given, i, k => (k === i ? y : undefined))
  return exactPosterior(tables, folded).logEvidence ?? Number.NaN
}

/**
 * Folds concepts with a probability into the leaks of the words; the others keep their edges. Words left without an edge enter
 * `logConstant`, and words that force concept i are dropped.
 */
function foldWords(
  from: DocumentFactors,
  i: number,
  probabilityOf: (k: number) => number | undefined
): DocumentFactors {
  const [start, leak] = [new Int32Array(from.wordCount + 1), new Float64Array(from.wordCount)]
  const [concept, weight] = [new Int32Array(from.concept.length), new Float64Array(from.concept.length)]
  let {logConstant} = from
  let wordCount = 0
  let edge = 0
  for (let p = 0; p < from.wordCount; p++) {
    const first = edge
    let l = from.leak[p]
    for (let e = from.start[p]; e < from.start[p + 1]; e++) {
      const k = from.concept[e]
      const probability = probabilityOf(k)
      if (probability === undefined) {
        concept[edge] = k
        weight[edge++] = from.weight[e]
      } else l += probability * from.weight[e] * (1 - l)
    }
    if (edge === first) logConstant += log(l)
    else if (l === 0 && edge === first + 1 && concept[first] === i) edge = first
    else {
      leak[wordCount++] = l
      start[wordCount] = edge
    }
  }
  return {...from, wordCount, start, leak, concept, weight, logConstant}
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
  for (let shift = 0; ; shift += SHIFT) {
    const unary = part.unary.with(i, part.unary[i] - shift)
    const p = passMessages({...part, unary}).probabilities[i]
    if (p <= NEARLY_CERTAIN || shift > 1000) return shift + log(p) - log(1 - p)
  }
}
