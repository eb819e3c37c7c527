import {describe, expect, test} from 'vitest'
import type {Chart} from '../../../src/use/report/index.ts'
import {testMaterial} from '../test-material.ts'
import {families, type LastTagCell, type LastTagResult, type MethodId, methods} from './measure.ts'
import {presentLastTag} from './present.ts'

const {material} = testMaterial(20)
const accuracies: Partial<Record<MethodId, number>> = {
  robust: 0.7,
  'paper-tree': 0.6,
  'noise-weighted': 0.2,
  'noise-weighted-rule': 0.5,
  'anchors-only': 0.65,
  'oracle-ml-independent': 0.4,
  'oracle-mom-tree': 0.8,
  'oracle-ml-tree': 0.81
}

/** Results of all families on `splits` splits; every split adds a little to all methods. */
function runsWith(changed: Partial<Record<MethodId, number>>, splits = 3, result: Partial<LastTagResult> = {}) {
  const known = {...accuracies, ...changed}
  return Array.from({length: splits}, (_, split) =>
    families.map(family => {
      const own = methods.filter(method => method.family === family)
      const figures = own.map(({id}) => {
        const lastTag = (known[id] ?? 0.1) + split / 1000
        return [id, {lastTag, averagePrecision: 0.25, logLikelihood: -7.5}] as const
      })
      const cell: LastTagCell = {split, seed: split + 4, family}
      const size = {training: 8000, heldOut: 3000, concepts: 50, leftOut: []}
      return {cell, result: {...size, figures: Object.fromEntries(figures), ...result}}
    })
  ).flat()
}

function present(runs: ReturnType<typeof runsWith>) {
  const charts: Chart[] = []
  const shown = presentLastTag(runs, material, {
    chart(chart) {
      charts.push(chart)
      return '<svg>picture</svg>'
    },
    network: () => ''
  })
  return {...shown, charts, text: shown.html.text.replaceAll('&quot;', '"')}
}

describe('presentLastTag', () => {
  test('presentLastTag(...) compares the tree with the best noise-tolerant classifier, and says whether that holds', () => {
    expect(present(runsWith({})).text).toContain(
      'than the best of the noise-tolerant classifiers, on both of its corpora. Here that holds: "ADFA, tree (paper)" 60.1%, "noise-tolerant, anchor rule" 50.1%, a difference of +10.0 points (standard error 0.0), more in 3 of 3 splits.'
    )
    expect(present(runsWith({'paper-tree-floor': 0.4})).text).toContain(
      'With a leak floor: here that does not hold, "ADFA, tree, leak floor" 40.1%, "noise-tolerant, anchor rule" 50.1%'
    )
    expect(present(runsWith({'noise-unbiased': 0.9})).text).toContain(
      'on both of its corpora. Here that does not hold: "ADFA, tree (paper)" 60.1%, "unbiased loss" 90.1%, a difference of -30.0 points (standard error 0.0), less in 3 of 3 splits.'
    )
  })

  test('presentLastTag(...) compares the tree with the better oracle without edges', () => {
    expect(present(runsWith({})).text).toContain(
      'that learn from all tags. Here that holds: "ADFA, tree (paper)" 60.1%, "Oracle ML, independent" 40.1%'
    )
    expect(present(runsWith({'oracle-mom-independent': 0.9})).text).toContain(
      'that learn from all tags. Here that does not hold: "ADFA, tree (paper)" 60.1%, "Oracle MoM, independent" 90.1%'
    )
  })

  test('presentLastTag(...) compares the tree with the model without edges, with and without a leak floor', () => {
    const {text} = present(
      runsWith({'paper-independent': 0.7, 'paper-tree-floor': 0.8, 'paper-independent-floor': 0.5})
    )
    expect(text).toContain(
      'edges between the concepts help. Here that does not hold: "ADFA, tree (paper)" 60.1%, "ADFA, independent (paper)" 70.1%'
    )
    expect(text).toContain(
      'With a leak floor: here that holds, "ADFA, tree, leak floor" 80.1%, "ADFA, independent, leak floor" 50.1%'
    )
  })

  test('presentLastTag(...) calls two points between the oracles small', () => {
    expect(present(runsWith({})).text).toContain('Here that holds, if big means two points: "Oracle MoM, tree" 80.1%')
    const worse = present(runsWith({'oracle-mom-tree': 0.78, 'oracle-mom-floor': 0.85})).text
    expect(worse).toContain('Here that does not hold, if big means two points: "Oracle MoM, tree" 78.1%')
    expect(worse).toContain('With a leak floor, as in robust: 85.1%.')
    expect(present(runsWith({'oracle-mom-tree': 0.99})).text).toContain('Here that holds, if big means two points')
  })

  test('presentLastTag(...) names the best of those that read no tags, and the next', () => {
    expect(present(runsWith({})).text).toContain('and the next: "robust" 70.1%, "anchors alone" 65.1%')
    expect(present(runsWith({imputation: 0.99})).text).toContain('and the next: "imputation" 99.1%, "robust" 70.1%')
  })

  test('presentLastTag(...) says whether the tighter polytope changes the accuracy', () => {
    const same = present(runsWith({'paper-marginal': 0.6})).text
    expect(same).toContain('does not change the accuracy of the last tag significantly. Here that holds: ')
    const better = present(runsWith({'paper-marginal': 0.65})).text
    expect(better).toContain('significantly. Here that does not hold: "ADFA, tree, marginal polytope" 65.1%')
  })

  test('presentLastTag(...) says that it is not clear where splits disagree', () => {
    const runs = runsWith({}).map(({cell, result}) => {
      const tree = result.figures['paper-tree']
      if (tree === undefined || cell.split > 0) return {cell, result}
      const figures = {...result.figures, 'paper-tree': {...tree, lastTag: (tree.lastTag ?? 0) - 0.4}}
      return {cell, result: {...result, figures}}
    })
    expect(present(runs).text).toContain('on both of its corpora. Here that is not clear: ')
  })

  test('presentLastTag(...) draws every method with its group, interval and single splits', () => {
    const [chart] = present(runsWith({})).charts
    if (chart.kind !== 'bars') throw new Error('not bars')
    const [{bars}] = chart.panels
    expect(bars.map(({name}) => name)).toEqual(methods.map(({name}) => name))
    expect(new Set(bars.map(({group}) => group)).size).toBe(4)
    expect(bars[0]).toMatchObject({name: 'robust', group: 'this project'})
    expect(bars[0].value).toBeCloseTo(0.701, 12)
    expect(bars[0].low).toBeCloseTo(0.701 - 0.002 / Math.sqrt(3), 12)
    expect(bars[0].marks).toEqual([0.7, 0.701, 0.702])
  })

  test('presentLastTag(...) of one split has no errors and no intervals', () => {
    const {text, charts} = present(runsWith({}, 1))
    expect(text).toContain('a difference of +10.0 points, more in 1 of 1 split.')
    expect(text).toContain('There is one split')
    expect(text).not.toContain('NaN')
    expect(charts[0].kind === 'bars' && charts[0].panels[0].bars[0].low).toBeUndefined()
  })

  test('presentLastTag(...) has all raw results as rows, empty where there is no figure', () => {
    const {tables} = present(runsWith({}))
    expect(tables[0].rows).toHaveLength(3 * methods.length)
    expect(tables[0].rows[0]).toEqual([0, 4, 'robust', 'robust', 'this project', 8000, 3000, 50, 0.7, 0.25, -7.5])
    for (const row of tables[0].rows) expect(row).toHaveLength(tables[0].head.length)
    const bare = runsWith({}, 1, {figures: {prior: {lastTag: 0.5, averagePrecision: null, logLikelihood: null}}})
    expect(present(bare).tables[0].rows[0].slice(-3)).toEqual([0.5, '', ''])
  })

  test('presentLastTag(...) names what was left out, safely', () => {
    expect(present(runsWith({})).text).not.toContain('Left out')
    const {text} = present(runsWith({}, 2, {leftOut: ['<b>rare']}))
    expect(text).toContain('have the tag or the anchor: &lt;b&gt;rare.')
  })
})
