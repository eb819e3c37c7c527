import {log} from '../../base/numeric/index.ts'
import type {InferenceTables} from '../../learn/inference/index.ts'

/** What one word says of a concept. */
export interface WordShare {
  readonly word: number
  readonly logOdds: number
}

/**
 * Words that occur and that concept i can cause: log P(x_j = 1 | Y_i = 1) - log P(x_j = 1 | Y_i = 0), every other concept
 * at its usual share. The strongest first. Infinite when nothing else can cause the word.
 */
export function presentWords(
  tables: InferenceTables,
  words: readonly number[],
  i: number,
  usual: Float64Array
): WordShare[] {
  const {start, concept, weight} = tables
  const shares: WordShare[] = []
  for (const j of words) {
    let own = 0
    let l = tables.leak[j]
    for (let e = start[j]; e < start[j + 1]; e++)
      if (concept[e] === i) own = weight[e]
      else l += usual[concept[e]] * weight[e] * (1 - l)
    if (own > 0) shares.push({word: j, logOdds: log(l + own * (1 - l)) - log(l)})
  }
  return shares.sort((a, b) => b.logOdds - a.logOdds || a.word - b.word)
}

/** A word that is missing and says less than this against a concept is not named. */
const WORTH_NAMING = 0.02

/** Words that do not occur: log f_ij, exactly and whatever else is believed; at most `limit` by name, the strongest first. */
export function absentWords(
  {start, concept, logFailure, wordCount}: InferenceTables,
  words: readonly number[],
  i: number,
  limit: number
): {named: WordShare[]; rest: {count: number; logOdds: number}} {
  const occurs = new Set(words)
  const shares: WordShare[] = []
  for (let j = 0; j < wordCount; j++)
    if (!occurs.has(j))
      for (let e = start[j]; e < start[j + 1]; e++) if (concept[e] === i) shares.push({word: j, logOdds: logFailure[e]})
  shares.sort((a, b) => a.logOdds - b.logOdds || a.word - b.word)
  const named = shares.slice(0, limit).filter(({logOdds}) => logOdds <= -WORTH_NAMING)
  const rest = shares.slice(named.length)
  return {named, rest: {count: rest.length, logOdds: rest.reduce((sum, {logOdds}) => sum + logOdds, 0)}}
}

/** Words that occur and that both concepts can cause, strongest first, three at most. */
export function sharedWords(tables: InferenceTables, words: readonly number[], i: number, k: number): number[] {
  const {start, concept, weight} = tables
  const weightOf = (j: number, cause: number) => {
    const e = concept.subarray(start[j], start[j + 1]).indexOf(cause)
    return e === -1 ? 0 : weight[start[j] + e]
  }
  return words
    .map(j => ({j, both: weightOf(j, i) * weightOf(j, k)}))
    .filter(({both}) => both > 0)
    .sort((a, b) => b.both - a.both || a.j - b.j)
    .slice(0, 3)
    .map(({j}) => j)
}
