import type {ResultTable, Run} from '../experiment.ts'
import type {Material} from '../material.ts'
import {type FactorsCell, type FactorsResult, rankings} from './factors-measure.ts'

/** All results as rows, words with their fields. */
export function factorsTables(runs: readonly Run<FactorsCell, FactorsResult>[], material: Material): ResultTable[] {
  return [wordsTable(runs, material), clipsTable(runs)]
}

function wordsTable(runs: readonly Run<FactorsCell, FactorsResult>[], {lexicon}: Material): ResultTable {
  const rows = runs.flatMap(({cell: {method, seed}, result}) =>
    rankings.flatMap(ranking =>
      (result.words[ranking] ?? []).flatMap((list, i) =>
        list.map(([word, value, failure, oracle], at) => {
          const {concept, any} = lexicon.anchors[i]
          return [concept, method, ranking, seed, at + 1, lexicon.words[word], value, failure, oracle, any.join('|')]
        })
      )
    )
  )
  const head = ['concept', 'method', 'ranking', 'seed', 'rank', 'word', 'value', 'failure', 'oracleFailure', 'anchors']
  return {name: 'words', head, rows}
}

function clipsTable(runs: readonly Run<FactorsCell, FactorsResult>[]): ResultTable {
  const names = [
    'failures',
    'failuresAboveOne',
    'failuresBelowFloor',
    'failuresUndefined',
    'words',
    'leaksAtFloor'
  ] as const
  const rows = runs.map(({cell: {method, seed}, result: {documents, speaking, clips}}) => [
    ...[method, seed, documents, speaking],
    ...names.map(name => clips[name])
  ])
  return {name: 'clips', head: ['method', 'seed', 'documents', 'speaking', ...names], rows}
}
