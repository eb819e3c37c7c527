import {exp, log} from '../../base/numeric/index.ts'
import {type Counts, wordTotals} from '../../read/counts/index.ts'
import type {VoteWeights} from '../votes/index.ts'
import type {MemberWeights} from './member-weights.ts'

/** Word weights: log-odds that a model predicts with. Plain data, as stored in the model file. */
export interface WordWeights {
  readonly kind: 'weights'
  /** `weights[i][j]`: added to the log-odds of concept i where word j occurs; absent words add nothing. */
  readonly weights: readonly (readonly number[])[]
  /** Their standard errors, to two digits, 0 for weights too small for lists; undefined for weights from counts alone. */
  readonly errors?: readonly (readonly number[])[]
  /** How the weights depend on the number of words of a document. */
  readonly length: WordLength
  /**
   * One constant per concept, set so that its mean probability over such training documents is the one the rates imply.
   * The anchor did not fire: added to the evidence of words and other concepts.
   */
  readonly silent: readonly number[]
  /** It fired: used in place of the prior and of other concepts, since a fired anchor counts at its precision. */
  readonly fired: readonly number[]
  /** Anchors are not used: added like `silent`. */
  readonly hidden: readonly number[]
  /** The share of the evidence from words that counts where the anchor fired; that of classes of a group counts in full. */
  readonly firedShare: number
  /**
   * Where an anchor fired: its log-odds gain the mean weight of its members that fired and the logarithm of their number. A
   * row per concept; undefined where every anchor has one member, or where members are not known.
   */
  readonly members?: MemberWeights
  /** The votes of each group of which exactly one class holds: they count in place of `members`, and where none fired too. */
  readonly votes?: readonly VoteWeights[]
  /** The probability from which to report a concept for the best expected F1. */
  readonly threshold: number
  readonly certificate: WordWeightCertificate
}

export interface WordWeightCertificate {
  /** 'documents': weights were learned from documents too; 'counts': from counts alone. */
  readonly source: 'documents' | 'counts'
  readonly documents: number
  /** Rounds in which the constants were matched, and the largest remaining difference of a mean probability. */
  readonly rounds: number
  readonly residual: number
  /** The F1 over all decisions that the model expects at `threshold`. */
  readonly expectedF1: number
  /** Labelled documents that corrected the classes of groups; unset without any. */
  readonly labelled?: number
  /** Where there are `members`: the precision that each counts at, a row per concept. By words it is not measured. */
  readonly memberPrecisions?: readonly (readonly number[])[]
  /** And the documents where it fires. */
  readonly memberDocuments?: readonly (readonly number[])[]
}

/** The fault of word weights for these anchors and n words; undefined if there is none. */
export function weightFault(
  wordModel: WordWeights,
  anchors: readonly {readonly any: readonly string[]}[],
  n: number
): string | undefined {
  const {weights, errors, length, silent, fired, hidden, firedShare, members, votes = [], threshold} = wordModel
  const m = anchors.length
  const lists = [silent, fired, hidden]
  if (lists.some(list => list.length !== m)) return `its constants must be ${m} numbers, one per concept`
  if (!isTable(weights, m, n)) return `its weights must be ${m} rows of ${n} numbers`
  if (errors !== undefined && !(isTable(errors, m, n) && errors.flat().every(error => error >= 0 && error < 1e6)))
    return `its errors must be ${m} rows of ${n} numbers from 0 to 1e6`
  const {memberPrecisions, memberDocuments} = wordModel.certificate
  const hasMembers = (rows: MemberWeights = []) =>
    rows.length === m && anchors.every(({any}, i) => rows[i].length === any.length)
  const byMember = [members, memberPrecisions, memberDocuments]
  if (byMember.some(rows => rows !== undefined && !hasMembers(rows)))
    return `its members must be ${m} rows with a number for each member of the anchor`
  for (const {concepts, weights: own, isFunction, silent: none} of votes) {
    const count = concepts.reduce((sum, i) => sum + (anchors[i]?.any.length ?? Number.NaN), 0)
    if (!(isTable(own, count, concepts.length) && isFunction.length === count && none.length === concepts.length))
      return `its votes must have a row per member of their concepts, with ${concepts.length} numbers each`
  }
  const voteLists = votes.flatMap(({weights: own, silent: none}) => [...own, none])
  // They are log odds.
  if (
    ![...lists, ...weights, ...(members ?? []), ...voteLists].every(list =>
      list.every((number: number) => Math.abs(number) < 1e6)
    )
  )
    return 'one of its numbers is beyond 1e6'
  if (!(length.power >= 0 && length.power <= 1 && length.typical >= 1 && length.typical < Number.POSITIVE_INFINITY))
    return `its length needs a power in [0, 1] and a typical number of words of at least 1; got ${length.power} and ${length.typical}`
  if (!(firedShare >= 0 && firedShare <= 1 && threshold >= 0 && threshold <= 1))
    return `firedShare and threshold must lie in [0, 1]; got ${firedShare} and ${threshold}`
  return undefined
}

function isTable(rows: readonly (readonly number[])[], height: number, width: number): boolean {
  return rows.length === height && rows.every(row => row.length === width)
}

/** The 95% quantile of the normal distribution. */
const QUANTILE = 1.6448536269514722

/** The 90% interval of weight `[i][j]`, in log-odds; undefined where its error was not kept. */
export function weightRange(
  {weights, errors}: WordWeights,
  i: number,
  j: number
): readonly [number, number] | undefined {
  const margin = QUANTILE * (errors?.[i][j] ?? 0)
  return margin > 0 ? [weights[i][j] - margin, weights[i][j] + margin] : undefined
}

/** How word weights depend on the length of a document: plain data, part of the word weights. */
export interface WordLength {
  /** 0: not at all; 1: only the mean weight of the words counts. */
  readonly power: number
  /** The number of words at which weights apply unchanged. */
  readonly typical: number
}

/** `typical` is the mean over the documents counted. */
export function learnWordLength(counts: Counts, power: number): WordLength {
  const words = wordTotals(counts).reduce((sum, total) => sum + total, 0)
  return {power, typical: Math.max(1, words / counts.documentCount)}
}

/** The factor of word weights in a document of `count` words, (count / typical)^-power: words of long documents repeat. */
export function lengthFactor({power, typical}: WordLength, count: number): number {
  return exp(-power * log(Math.max(1, count) / typical))
}
