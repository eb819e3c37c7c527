import {describe, expect, test} from 'vitest'
import type {PolytopeName, SolveStatus} from '../../../src/learn/moments/index.ts'
import type {Presentation} from '../experiment.ts'
import {testMaterial, testPictures} from '../test-material.ts'

import {short, type TimingRun, times} from './findings.ts'
import type {TimingCell, TimingResult} from './measure.ts'
import {timing} from './present.ts'

const {material} = testMaterial(20)
const polytopes: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

interface Made {
  readonly concepts?: readonly number[]
  /** Of a whole fit with all documents; moments take a tenth of it. */
  readonly seconds?: Partial<Record<PolytopeName, number>>
  /** A whole fit with a quarter of the documents, as a share of it. */
  readonly fewer?: number
  readonly slow?: SolveStatus
  readonly marginalUpTo?: number
}

function runsOf({
  concepts = [10, 50],
  seconds = {},
  fewer = 1,
  slow = 'step-limit',
  marginalUpTo = 60
}: Made = {}): TimingRun[] {
  const base = {node: 'v20.1.0', patterns: 77, words: 9, gap: null, status: null, steps: null}
  const all = {simplex: 0.1, local: 0.2, cycle: 0.3, marginal: 2, ...seconds}
  const run = (cell: Partial<TimingCell>, result: Partial<TimingResult>): TimingRun => ({
    cell: {task: 'learning', polytope: 'none', concepts: 50, documents: 8000, seed: 3, ...cell},
    result: {...base, whole: null, moments: null, ...result}
  })
  const learning = (polytope: PolytopeName, count: number, documents: number) => {
    const whole = all[polytope] * (documents < 8000 ? fewer : 1)
    const solved = {gap: 0.004, status: 'optimal', steps: 7} as const
    return run({polytope, concepts: count, documents}, {whole, moments: whole / 10, ...solved})
  }
  const most = concepts[concepts.length - 1]
  const known = (polytope: PolytopeName, count: number) => polytope !== 'marginal' || count <= marginalUpTo
  return [
    run({task: 'counting'}, {whole: 0.02}),
    ...[2000, 4000].flatMap(documents =>
      polytopes.filter(each => known(each, most)).map(each => learning(each, most, documents))
    ),
    ...concepts.flatMap(count => polytopes.filter(each => known(each, count)).map(each => learning(each, count, 8000))),
    ...concepts
      .filter(count => count <= 50)
      .flatMap(count =>
        (['local', 'marginal'] as const).map(polytope =>
          run(
            {task: 'conditional-gradient', polytope, concepts: count},
            {moments: 30, gap: 0.04, status: slow, steps: 400}
          )
        )
      )
  ]
}

const present = (runs: readonly TimingRun[]) => timing.present(runs, material, testPictures)
const textOf = ({html}: Presentation) => html.text.replace(/<svg.*?<\/svg>/gs, '').replaceAll('&#39;', "'")

describe('presentTiming', () => {
  test('presentTiming(...) sets the paper beside our times, with the caution that the computers differ', () => {
    const text = textOf(present(runsOf()))
    expect(text).toContain('30 s with the simplex, 519 s with the local polytope, 6,073 s with the marginal polytope')
    expect(text).toContain('indicative only')
    expect(text).toContain(
      'a whole fit of 50 concepts from the counts of 8,000 documents takes 0.1 s with the simplex, 0.2 s with the local'
    )
    expect(text).toContain('>300 times<')
    expect(text).toContain('>2,600 times<')
    expect(text).toContain('>3,000 times<')
    expect(text).toContain('with Node v20.1.0')
    const faster = textOf(present(runsOf({seconds: {local: 0.4}})))
    expect(faster).toContain('>1,300 times<')
  })

  test('presentTiming(...) compares with the number of concepts nearest to that of the paper, and says so', () => {
    const text = textOf(present(runsOf({concepts: [10, 48]})))
    expect(text).toContain('a whole fit of 48 concepts (the paper has 50)')
    expect(textOf(present(runsOf({concepts: [10, 50, 62]})))).toContain('a whole fit of 50 concepts from')
  })

  test('presentTiming(...) says whether tighter constraints take longer', () => {
    expect(textOf(present(runsOf()))).toContain('Tighter constraints take longer, as in the paper')
    const text = textOf(present(runsOf({seconds: {simplex: 0.5}})))
    expect(text).toContain('do not always take longer, unlike in the paper')
    expect(text).toContain('0.05 s, 0.02 s, 0.2 s')
  })

  test('presentTiming(...) says how time grows with the documents', () => {
    const text = textOf(present(runsOf()))
    expect(text).toContain('8,000 documents instead of 2,000 takes 1.0 times as long with the simplex')
    expect(text).toContain('hardly depends on their number')
    expect(textOf(present(runsOf({fewer: 0.5})))).toContain('grows more slowly than they do')
    expect(textOf(present(runsOf({fewer: 0.2})))).toContain('grows as fast as they do, unlike in the paper')
  })

  test("presentTiming(...) tells ratios to the paper's method apart by whether it reached its gap", () => {
    const stopped = textOf(present(runsOf()))
    expect(stopped).toContain(
      'local polytope of 50 concepts, 30 s to a gap that is still 0.04 after its 400 steps, our solver 0.02 s to a gap of 0.004: at least 1,500 times as fast'
    )
    expect(stopped).toContain('>400 steps<')
    expect(stopped).toContain('>at least 150 times<')
    const reached = textOf(present(runsOf({slow: 'optimal'})))
    expect(reached).toContain('30 s to its gap, our solver 0.02 s to a gap of 0.004: 1,500 times as fast')
    expect(reached).not.toContain('at least')
  })

  test('presentTiming(...) tells the speed of counting and what was not run', () => {
    const text = textOf(present(runsOf({concepts: [50, 80]})))
    expect(text).toContain('0.02 s for 8,000 documents')
    expect(text).toContain('400,000 documents per second')
    expect(text).toContain("Not run: the marginal polytope for 80 concepts; the paper's method for 80 concepts; cond")
    expect(textOf(present(runsOf()))).toContain('Not run: conditional gradient for the simplex')
  })

  test('presentTiming(...) draws seconds on a logarithmic scale, with the three figures of the paper', () => {
    const [{name, svg}] = present(runsOf()).figures
    expect(name).toBe('timing')
    const {y, panels} = JSON.parse(/<desc>(.*)<\/desc>/s.exec(svg)?.[1] ?? '')
    expect(y).toEqual({label: 'seconds', log: true})
    const [moments, whole] = panels.map(({series}: {series: {name: string; points: unknown}[]}) =>
      Object.fromEntries(series.map(({name: label, points}) => [label, points]))
    )
    expect(moments['local polytope']).toEqual([10, 50].map(x => ({x, y: expect.closeTo(0.02, 9)})))
    expect(moments["paper's method, marginal polytope"]).toEqual([10, 50].map(x => ({x, y: 30})))
    expect(whole['local polytope']).toEqual([10, 50].map(x => ({x, y: 0.2})))
    expect(whole['paper, marginal polytope']).toEqual([{x: 50, y: 6073}])
  })

  test('presentTiming(...) gives every raw result as a row', () => {
    const runs = runsOf()
    const [{head, rows}] = present(runs).tables
    expect(rows).toHaveLength(runs.length)
    expect(rows.every(row => row.length === head.length)).toBe(true)
    const slow = rows.find(row => row[0] === 'conditional-gradient')
    expect(slow?.[head.indexOf('moment_seconds')]).toBe(30)
    expect(slow?.[head.indexOf('whole_seconds')]).toBe('')
    expect(slow?.[head.indexOf('status')]).toBe('step-limit')
  })

  test('presentTiming(...) of few concepts needs no second number of them', () => {
    const text = textOf(present(runsOf({concepts: [4], slow: 'optimal'})))
    expect(text).toContain('a whole fit of 4 concepts (the paper has 50)')
    expect(text).not.toContain('NaN')
    expect(text).not.toContain('undefined')
  })
})

test('short(...) and times(...) keep two digits, and commas', () => {
  expect([0.000123, 0.0456, 7.89, 12.3, 519.4, 6073].map(short)).toEqual([
    '0.00012',
    '0.046',
    '7.9',
    '12',
    '519',
    '6,073'
  ])
  expect([0.987, 3.11, 12.34, 123_456].map(times)).toEqual(['0.99 times', '3.1 times', '12 times', '120,000 times'])
})
