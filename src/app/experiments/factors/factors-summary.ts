import type {Run} from '../experiment.ts'
import {type Spread, spreadOf} from '../spread.ts'
import type {FactorMethod, FactorsCell, FactorsResult, RankedWord, Ranking} from './factors-measure.ts'
import {printedWords} from './factors-printed.ts'

/** A list of words for every concept. */
export interface WordList {
  readonly method: FactorMethod
  readonly ranking: Ranking
}

export const shownLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'robust', ranking: 'weights'},
  {method: 'oracle', ranking: 'failure'}
]

/** Lists that are compared with what the true tags give under the same ranking; log-odds with what tells most. */
export const comparedLists: readonly WordList[] = [
  {method: 'paper', ranking: 'failure'},
  {method: 'robust', ranking: 'failure'},
  {method: 'paper', ranking: 'information'},
  {method: 'robust', ranking: 'information'},
  {method: 'robust', ranking: 'weights'}
]

export class FactorsSummary {
  readonly #results: ReadonlyMap<FactorMethod, FactorsResult>

  constructor(runs: readonly Run<FactorsCell, FactorsResult>[]) {
    this.#results = new Map(runs.map(({cell, result}) => [cell.method, result]))
  }

  result(method: FactorMethod): FactorsResult {
    const result = this.#results.get(method)
    if (result === undefined) throw new Error(`internal error: no words of ${method}`)
    return result
  }

  words({method, ranking}: WordList): readonly (readonly RankedWord[])[] {
    const words = this.result(method).words[ranking]
    if (words === undefined) throw new Error(`internal error: no words of ${method} by ${ranking}`)
    return words
  }

  /** Words of a concept that are among those of the true tags, on average over the concepts. */
  sharedWithOracle(list: WordList): Spread {
    const ranking = list.ranking === 'weights' ? 'information' : list.ranking
    const oracle = this.words({method: 'oracle', ranking})
    return spreadOf(this.words(list).map((words, i) => sharedCount(words.map(numberOf), oracle[i].map(numberOf))))
  }

  /** Words of a concept that the paper prints for one of the same name, on average; undefined where no name is the same. */
  sharedWithPaper(list: WordList, concepts: readonly string[], token: (word: number) => string): Spread | undefined {
    const counts = this.words(list).flatMap((words, i) => {
      const printed = printedWords(concepts[i])
      return printed === undefined
        ? []
        : [
            sharedCount(
              words.map(([word]) => token(word)),
              printed
            )
          ]
    })
    return counts.length === 0 ? undefined : spreadOf(counts)
  }
}

function numberOf([word]: RankedWord): number {
  return word
}

function sharedCount<T>(some: readonly T[], others: readonly T[]): number {
  const known = new Set(others)
  return new Set(some.filter(word => known.has(word))).size
}
