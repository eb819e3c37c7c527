import type {ResultTable, Run} from '../experiment.ts'
import {pairKey} from './trees-compare.ts'
import type {TreesCell, TreesResult} from './trees-measure.ts'

type TreesRun = Run<TreesCell, TreesResult>

/** All results as rows; every table begins with what was learned, and from what. */
export function treesTables(runs: readonly TreesRun[], names: readonly string[]): ResultTable[] {
  return [networksTable(runs), edgesTable(runs, names), chancesTable(runs, names), explainingTable(runs, names)]
}

const CELL = ['network', 'learnedFrom', 'seed'] as const

function cellOf({cell: {network, source, seed}}: TreesRun): (string | number)[] {
  return [network, source, seed]
}

function networksTable(runs: readonly TreesRun[]): ResultTable {
  const head = [
    ...CELL,
    ...['documents', 'edges', 'searchMethod', 'searchStatus', 'score', 'scoreGap', 'searchSteps', 'bic'],
    ...['momentStatus', 'momentObjective', 'momentGap', 'momentSteps']
  ]
  const rows = runs.map(run => {
    const {documents, edges, search, moments} = run.result
    return [
      ...cellOf(run),
      ...[
        documents,
        edges.length,
        search.method,
        search.status,
        search.score,
        search.gap ?? '',
        search.steps ?? '',
        search.bic
      ],
      ...[moments.status, moments.objective, moments.gap, moments.steps]
    ]
  })
  return {name: 'networks', head, rows}
}

function edgesTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [
    ...CELL,
    ...['parent', 'child', 'sign', 'mutualInformation', 'strength', 'childWithout', 'childWith'],
    ...['tagsNeither', 'tagsChildOnly', 'tagsParentOnly', 'tagsBoth', 'alsoFromTags']
  ]
  const fromTags = new Map(
    runs
      .filter(({cell}) => cell.source === 'tags')
      .map(({cell, result}) => [cell.network, new Set(result.edges.map(pairKey))])
  )
  const rows = runs.flatMap(run =>
    run.result.edges.map(edge => [
      ...cellOf(run),
      ...[names[edge.parent], names[edge.child], edge.sign, edge.mutualInformation, edge.strength],
      ...[edge.childWithout, edge.childWith, ...edge.tagged],
      fromTags.get(run.cell.network)?.has(pairKey(edge)) ? 'yes' : 'no'
    ])
  )
  return {name: 'edges', head, rows}
}

/** P(concept | parents): the states of the parents as digits, in their order. */
function chancesTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [...CELL, 'concept', 'parents', 'parentStates', 'probability']
  const rows = runs.flatMap(run =>
    run.result.cpt.flatMap((chances, i) => {
      const parents = run.result.parents[i]
      const states = (row: number) => (parents.length === 0 ? '' : row.toString(2).padStart(parents.length, '0'))
      const list = parents.map(k => names[k]).join('|')
      return chances.map((chance, row) => [...cellOf(run), names[i], list, states(row), chance])
    })
  )
  return {name: 'probabilities', head, rows}
}

function explainingTable(runs: readonly TreesRun[], names: readonly string[]): ResultTable {
  const head = [
    ...CELL,
    ...['child', 'knownParent', 'otherParent', 'other', 'otherGivenChild', 'otherGivenChildAndKnown'],
    ...['tagsChild', 'tagsChildOther', 'tagsChildKnown', 'tagsAll']
  ]
  const rows = runs.flatMap(run =>
    run.result.explaining.map(({child, known, other, chance, givenChild, givenBoth, tagged}) => [
      ...cellOf(run),
      ...[names[child], names[known], names[other], chance, givenChild, givenBoth, ...tagged]
    ])
  )
  return {name: 'explaining-away', head, rows}
}
