import type {PolytopeName} from '../../../learn/polytopes/index.ts'
import {htmlTable, type Markup} from '../../../use/report/index.ts'
import type {ResultTable} from '../experiment.ts'
import {PAPER_CONCEPTS, paperSeconds, polytopeNames, type TimingRun, type TimingSummary} from './timing-summary.ts'
import {short, times, whole} from './timing-text.ts'

const names = [...polytopeNames]

/** The paper's three figures beside ours. */
export function paperTable({beside, learning}: TimingSummary): Markup {
  const rows = names.map(([polytope, name]) => {
    const [paper, ours] = [paperSeconds.get(polytope), learning(polytope, beside)]
    const ratio = paper && ours?.whole ? times(paper / ours.whole) : '-'
    return [name, paper === undefined ? '-' : whole(paper), cell(ours?.whole), cell(ours?.moments), ratio]
  })
  return htmlTable({
    caption: `Seconds for ${beside} concepts here and ${PAPER_CONCEPTS} in the paper; the computers differ, so the ratio is indicative only`,
    head: ['constraints', 'paper', 'whole fit here', 'moments alone here', 'paper / whole fit here'],
    align: ['left', ...right(4)],
    rows
  })
}

export function conceptTable({concepts, documents, learning}: TimingSummary): Markup {
  const rows = concepts.map(count => [
    count,
    ...names.flatMap(([polytope]) => {
      const found = learning(polytope, count)
      return [cell(found?.moments), cell(found?.whole)]
    })
  ])
  return htmlTable({
    caption: `Seconds by number of concepts, from the counts of ${whole(documents)} documents`,
    head: ['concepts', ...names.flatMap(([, name]) => [`${name}: moments`, `${name}: whole fit`])],
    align: right(9),
    rows
  })
}

/** Our solver beside the paper's. */
export function slowTable({concepts, learning, slow}: TimingSummary): Markup {
  const rows = concepts.flatMap(count =>
    (['local', 'marginal'] as const satisfies readonly PolytopeName[]).flatMap(polytope => {
      const [theirs, ours] = [slow(polytope, count), learning(polytope, count)]
      if (!theirs?.moments || !ours?.moments) return []
      const ratio = `${theirs.status === 'optimal' ? '' : 'at least '}${times(theirs.moments / ours.moments)}`
      const ended = theirs.status === 'optimal' ? 'gap reached' : `${theirs.steps} steps`
      return [
        [
          count,
          polytopeNames.get(polytope),
          cell(theirs.moments),
          cell(theirs.gap),
          ended,
          cell(ours.moments),
          cell(ours.gap),
          ratio
        ]
      ]
    })
  )
  return htmlTable({
    caption:
      "Moment recovery by the paper's method, conditional gradient to its tolerance of 0.005, and by ours: seconds on the same computer, from the same counts",
    head: ['concepts', 'constraints', "paper's method", 'its gap', 'ended by', 'our solver', 'our gap', 'ratio'],
    align: ['right', 'left', ...right(6)],
    rows
  })
}

export function growthTable({concepts, sizes, learning}: TimingSummary): Markup {
  const all = concepts[concepts.length - 1]
  const rows = sizes.map(documents => [
    whole(documents),
    cell(learning('simplex', all, documents)?.patterns),
    ...names.map(([polytope]) => cell(learning(polytope, all, documents)?.whole))
  ])
  return htmlTable({
    caption: `Seconds of a whole fit of ${all} concepts by number of documents, from counts`,
    head: ['documents', 'sets of anchors that fire together', ...names.map(([, name]) => name)],
    align: right(6),
    rows
  })
}

export function rawTable(runs: readonly TimingRun[]): ResultTable {
  const head = ['task', 'polytope', 'concepts', 'documents', 'seed', 'patterns', 'words', 'whole_seconds']
  const rows = runs.map(({cell: {task, polytope, concepts, documents, seed}, result}) => {
    const {patterns, words, whole: all, moments, gap, status, steps, node} = result
    const found = [all, moments, gap, status, steps].map(value => value ?? '')
    return [task, polytope, concepts, documents, seed, patterns, words, ...found, node]
  })
  return {name: 'timing', head: [...head, 'moment_seconds', 'gap', 'status', 'steps', 'node'], rows}
}

function cell(value: number | null | undefined): string {
  return typeof value === 'number' ? short(value) : '-'
}

function right(count: number): 'right'[] {
  return Array.from({length: count}, () => 'right')
}
