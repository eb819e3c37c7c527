import {describe, expect, test} from 'vitest'
import type {Chart} from '../../../src/use/report/index.ts'
import {testMaterial} from '../test-material.ts'
import {type DriftPath, type DriftResult, driftPaths, EM_STEPS} from './measure.ts'
import {presentDrift} from './present.ts'

const {material} = testMaterial(20)
const [first, second] = material.lexicon.anchors.map(({concept}) => concept)

/** Accuracy and bound change by so much from step to step. */
interface Slopes {
  readonly lastTag: number
  readonly bound: number
}

function resultOf({lastTag, bound}: Slopes, split: number): DriftResult {
  return {
    training: 8000,
    heldOut: 3000,
    concepts: 4,
    leftOut: [],
    steps: Array.from({length: EM_STEPS + 1}, (_, step) => ({
      step,
      lastTag: 0.5 + split / 100 + step * lastTag,
      averagePrecision: 0.4,
      bound: -100 + split + step * bound
    })),
    anchorsOnly: {lastTag: 0.3, averagePrecision: 0.2},
    kept: 4.25,
    words: [
      {concept: first, kept: 2, before: ['<old>', 'b'], after: ['b', '<old>']},
      {concept: second, kept: 1, before: ['c', 'd'], after: ['<new>', 'c']}
    ]
  }
}

const asInPaper = {lastTag: -0.01, bound: 0.5}

function runsWith(slopes: Partial<Record<DriftPath, Slopes>>, splits = 3) {
  return Array.from({length: splits}, (_, split) =>
    driftPaths.map(path => ({
      cell: {split, seed: split + 4, path},
      result: resultOf(slopes[path] ?? asInPaper, split)
    }))
  ).flat()
}

function present(runs: ReturnType<typeof runsWith>) {
  const charts: Chart[] = []
  const shown = presentDrift(runs, material, {
    chart(chart) {
      charts.push(chart)
      return '<svg>picture</svg>'
    },
    network: () => ''
  })
  return {...shown, charts, text: shown.html.text}
}

describe('presentDrift', () => {
  test('presentDrift(...) says that predictions get worse while the likelihood rises, where they do', () => {
    expect(present(runsWith({})).text).toContain(
      'EM from ADFA, tree (paper): 9 steps change the last-tag accuracy by -9.0 points (standard error 0.0), less in 3 of 3 splits, and the bound of the likelihood by +4.50 nats per document, more in 3 of 3 splits. The likelihood rises and predictions get worse, as in the paper.'
    )
  })

  test('presentDrift(...) says that predictions get better, where they do', () => {
    const {text} = present(runsWith({robust: {lastTag: 0.01, bound: 0.5}}))
    expect(text).toContain('EM from robust: 9 steps change the last-tag accuracy by +9.0 points')
    expect(text).toContain('The likelihood rises and predictions get better, unlike in the paper.')
  })

  test('presentDrift(...) does not claim a rise of the likelihood that is not there', () => {
    const {text} = present(runsWith({paper: {lastTag: -0.01, bound: -0.5}, robust: {lastTag: 0, bound: 0}}))
    expect(text).toContain('The bound falls and predictions get worse.')
    expect(text).toContain('The bound hardly moves and predictions do not clearly change, unlike in the paper.')
  })

  test('presentDrift(...) draws the mean of each step and every split, accuracy and bound apart', () => {
    const [accuracy, bound] = present(runsWith({})).charts
    if (accuracy.kind !== 'lines' || bound.kind !== 'lines') throw new Error('not lines')
    const [{series}] = accuracy.panels
    expect(series.map(({name}) => name)).toEqual(['EM from ADFA, tree (paper)', 'EM from robust', 'anchors alone'])
    expect(series[0].points[9].y).toBeCloseTo(0.51 - 0.09, 12)
    expect(series[0].marks).toHaveLength(3 * 10)
    expect(series[2].points.map(({x, y}) => [x, y])).toEqual([
      [0, expect.closeTo(0.3, 12)],
      [9, expect.closeTo(0.3, 12)]
    ])
    expect(bound.panels).toHaveLength(2)
    expect(bound.panels[1].series[0].points[9].y).toBeCloseTo(-99 + 4.5, 12)
  })

  test('presentDrift(...) shows the words of the concept that changed most, new ones bold, all escaped', () => {
    const {text} = present(runsWith({}))
    expect(text).toContain(`The words of &quot;${second}&quot;, EM from the paper&#39;s start: 1 of 2 are kept`)
    expect(text).not.toContain(`The words of &quot;${first}&quot;`)
    expect(text).toContain('<td><strong>&lt;new&gt;</strong></td>')
    expect(text).toContain('<th scope="row">anchor</th>')
    expect(text).not.toContain('<new>')
  })

  test('presentDrift(...) has all steps and words as rows', () => {
    const {tables} = present(runsWith({}))
    const [steps, words] = tables
    expect(steps.rows).toHaveLength(3 * 2 * 10)
    expect(steps.rows[0]).toEqual([0, 4, 'paper', 0, 8000, 3000, 0.5, 0.4, -100, ''])
    expect(steps.rows[9].at(-1)).toBe(4.25)
    for (const {head, rows} of tables) for (const row of rows) expect(row).toHaveLength(head.length)
    expect(words.rows[0]).toEqual([0, 4, 'paper', first, 1, '<old>', 'b'])
    expect(words.rows).toHaveLength(3 * 2 * 4)
  })

  test('presentDrift(...) of one split has no errors', () => {
    const {text} = present(runsWith({}, 1))
    expect(text).toContain('by -9.0 points, less in 1 of 1 split, and the bound')
    expect(text).toContain('There is one split')
    expect(text).not.toContain('NaN')
    expect(text).not.toContain('standard error 0')
  })
})
