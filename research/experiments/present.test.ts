import {describe, expect, test} from 'vitest'
import {loadGraphviz} from '../../src/app/report/index.ts'
import {driftPaths, EM_STEPS, emDrift} from './em-drift.ts'
import {type Cell, type Experiment, Results, type Run, type Verdict} from './experiment.ts'
import {heldoutLikelihood} from './heldout-likelihood.ts'
import {lastTag, methods} from './last-tag.ts'
import {filesOf, SUMMARY_FILE, type Summary} from './present.tsx'
import {testMaterial} from './test-material.ts'
import {timing} from './timing.ts'
import {trees} from './trees.ts'

const {material} = testMaterial(20)
const graphviz = await loadGraphviz()
const splits = [0, 1, 2]

function judged<C extends Cell>(experiment: Experiment<C>, runs: readonly Run[]): (Verdict | undefined)[] {
  return experiment.claims.map(claim => claim.judge(new Results(runs))?.verdict)
}

/** Shares of the last tag found; every split adds a little to all methods. */
function lastTagRuns(changed: Readonly<Record<string, number>>, leftOut: readonly string[] = []): Run[] {
  const known: Readonly<Record<string, number>> = {robust: 0.7, 'paper-tree': 0.6, ...changed}
  const sizes = {training: 8000, heldOut: 3000, concepts: 50}
  return splits.map(split => ({
    cell: {split, seed: split, family: 'models'},
    tables: {
      methods: methods.map(({id}) => ({
        ...{method: id, ...sizes, lastTag: (known[id] ?? 0.1) + split / 1000},
        ...{averagePrecision: 0.25, logLikelihood: null}
      })),
      'left-out': leftOut.map(concept => ({concept}))
    }
  }))
}

describe('claims', () => {
  test('lastTag.claims compare with the best of the others, and say whether the paper is right', () => {
    const holds = judged(lastTag, lastTagRuns({'noise-weighted-rule': 0.5, 'oracle-ml-independent': 0.4}))
    expect(holds).toEqual(['holds', 'holds', 'holds', 'not', 'not', 'unclear', 'holds', 'not', 'holds'])
    const not = judged(
      lastTag,
      lastTagRuns({'noise-unbiased': 0.9, 'oracle-mom-independent': 0.9, 'paper-independent': 0.7})
    )
    expect(not.slice(0, 3)).toEqual(['not', 'not', 'not'])
    expect(not.at(-1)).toBe('not')
    const moments = (mom: number, floor: number) =>
      judged(lastTag, lastTagRuns({'oracle-ml-tree': 0.8, 'oracle-mom-tree': mom, 'oracle-mom-floor': floor}))[6]
    expect([moments(0.79, 0), moments(0.7, 0.79), moments(0.7, 0.7)]).toEqual(['holds', 'partly', 'not'])
  })

  test('heldoutLikelihood.claims compare the gain on real documents with that on generated ones', () => {
    const runs = (real: number, generated: (split: number) => number): Run[] =>
      splits.flatMap(split =>
        (['real', 'generated'] as const).flatMap(data =>
          [500, 1000].map(size => {
            const gain = data === 'real' ? real + split / 100 : generated(split)
            const score = (method: string, logLikelihood: number) => ({method, logLikelihood, gap: 0})
            return {
              cell: {data, shrinkage: '0.01', split, seed: split, size},
              tables: {methods: [score('simplex', -5), score('marginal', -5 + (size === 1000 ? gain : -9))]}
            }
          })
        )
      )
    const chance = (split: number) => (split - 1) / 10
    expect(judged(heldoutLikelihood, runs(0.3, chance))).toEqual(['holds', undefined, 'holds', undefined])
    expect(
      judged(
        heldoutLikelihood,
        runs(-0.3, () => 0.1)
      )
    ).toEqual(['not', undefined, 'partly', undefined])
    expect(
      judged(
        heldoutLikelihood,
        runs(0.1, () => 0.5)
      )
    ).toEqual(['holds', undefined, 'not', undefined])
  })

  test('emDrift.claims hold where predictions get worse while the likelihood rises', () => {
    const runs = (lastTag: number, bound: number): Run[] =>
      splits.flatMap(split =>
        driftPaths.map(path => ({
          cell: {split, seed: split, path},
          tables: {
            steps: [0, EM_STEPS].map(step => ({step, lastTag: 0.5 + step * lastTag, bound: split + step * bound}))
          }
        }))
      )
    expect(judged(emDrift, runs(-0.01, 0.5))).toEqual(['holds', 'holds'])
    expect(judged(emDrift, runs(0.01, 0.5))).toEqual(['not', 'not'])
    expect(judged(emDrift, runs(-0.01, -0.5))).toEqual(['not', 'not'])
    expect(judged(emDrift, runs(0, 0.5))).toEqual(['unclear', 'unclear'])
  })

  test('timing.claims compare polytopes, and few documents with many', () => {
    const runs = (simplex: number, fewer: number): Run[] =>
      Object.entries({simplex, local: 0.2, marginal: 2}).flatMap(([polytope, seconds]) =>
        [2000, 8000].map(documents => ({
          cell: {task: 'learning', polytope, concepts: 50, documents},
          tables: {times: [{whole: documents < 8000 ? fewer * seconds : seconds, moments: seconds}]}
        }))
      )
    expect(judged(timing, runs(0.1, 1))).toEqual(['holds', 'holds'])
    expect(judged(timing, runs(0.5, 0.5))).toEqual(['not', 'partly'])
    expect(judged(timing, runs(0.1, 0.2))).toEqual(['holds', 'not'])
  })

  test('trees.claims tell explaining away from what the tags say', () => {
    const pair = (givenBoth: number, tagsAll: number) => ({
      ...{givenChild: 0.3, givenBoth, tagsChild: 200, tagsChildOther: 60, tagsChildKnown: 50, tagsAll}
    })
    const claimed = (rows: ReturnType<typeof pair>[]) =>
      judged(trees, [{cell: {network: 'two-parents', source: 'anchors'}, tables: {'explaining-away': rows}}])[1]
    expect(claimed([])).toBeUndefined()
    expect(claimed([pair(0.1, 5), pair(0.1, 5), pair(0.5, 5)])).toBe('holds')
    expect(claimed([pair(0.1, 40)])).toBe('partly')
    expect(claimed([pair(0.1, 5), pair(0.5, 5)])).toBe('not')
  })
})

describe('filesOf', () => {
  const files = filesOf(lastTag as Experiment<Cell>, new Results(lastTagRuns({}, ['<b>rare'])), material, graphviz)
  const section = files.get('section.html') ?? ''

  test('filesOf(...) has figures, measured tables, the summary and the section of the report', () => {
    expect([...files.keys()]).toEqual(['last-tag.svg', 'methods.csv', 'left-out.csv', SUMMARY_FILE, 'section.html'])
    const [head, first] = files.get('methods.csv')?.split('\n') ?? []
    expect(head.split(',').slice(0, 4)).toEqual(['split', 'seed', 'family', 'method'])
    expect(first.split(',')).toEqual(
      [...'0,0,models,robust,8000,3000,50,0.7,0.25,'.split(',')].map(x => expect.stringContaining(x))
    )
    const {claims, tables} = JSON.parse(files.get(SUMMARY_FILE) ?? '') as Summary
    expect(claims).toHaveLength(lastTag.claims.length)
    expect(tables[0].rows[0].slice(0, 4)).toEqual(['robust', 'this project', '0.701 (1)', '0.250 (0)'])
  })

  test('filesOf(...) draws every method with its interval and single splits', () => {
    const [figure] = lastTag.figures(new Results(lastTagRuns({})), material)
    if (!('chart' in figure) || figure.chart.kind !== 'bars') throw new Error('not a chart of bars')
    const [{bars}] = figure.chart.panels
    expect(bars.map(({name}) => name)).toEqual(methods.map(({name}) => name))
    expect(bars[0]).toMatchObject({value: expect.closeTo(0.701, 12), marks: [0.7, 0.701, 0.702]})
    expect(bars[0].low).toBeCloseTo(0.701 - 0.002 / Math.sqrt(3), 12)
  })

  test('filesOf(...) names what was left out, safely, and shows no figure that is not there', () => {
    expect(section).toContain('have the tag or the anchor: &lt;b>rare.')
    expect(section).toContain('<b>Here that holds</b>')
    for (const wrong of ['NaN', 'undefined', '<b>rare']) expect(section).not.toContain(wrong)
  })
})
