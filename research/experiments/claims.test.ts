import {expect, test} from 'vitest'
import {driftPaths, EM_STEPS, emDrift} from './em-drift.ts'
import {type Cell, type Experiment, Results, type Run, type Verdict} from './experiment.ts'
import {heldoutLikelihood} from './heldout-likelihood.ts'
import {lastTag, methods} from './last-tag.ts'
import {timing} from './timing.ts'
import {trees} from './trees.ts'

const splits = [0, 1, 2]

function judged<C extends Cell>(experiment: Experiment<C>, runs: readonly Run[]): (Verdict | undefined)[] {
  return experiment.claims.map(claim => claim.judge(new Results(runs))?.verdict)
}

test('lastTag.claims compare with the best of the others, and say whether the paper is right', () => {
  /** Shares of the last tag found; every split adds a little to all methods. */
  const runs = (changed: Readonly<Record<string, number>>): Run[] => {
    const known: Readonly<Record<string, number>> = {robust: 0.7, 'paper-tree': 0.6, ...changed}
    return splits.map(split => ({
      cell: {split, seed: split, family: 'models'},
      tables: {methods: methods.map(({id}) => ({method: id, lastTag: (known[id] ?? 0.1) + split / 1000}))}
    }))
  }
  const holds = judged(lastTag, runs({'noise-weighted-rule': 0.5, 'oracle-ml-independent': 0.4}))
  expect(holds).toEqual(['holds', 'holds', 'holds', 'not', 'not', 'unclear', 'holds', 'not', 'holds'])
  const not = judged(lastTag, runs({'noise-unbiased': 0.9, 'oracle-mom-independent': 0.9, 'paper-independent': 0.7}))
  expect([...not.slice(0, 3), not.at(-1)]).toEqual(['not', 'not', 'not', 'not'])
  const moments = (mom: number, floor: number) =>
    judged(lastTag, runs({'oracle-ml-tree': 0.8, 'oracle-mom-tree': mom, 'oracle-mom-floor': floor}))[6]
  expect([moments(0.79, 0), moments(0.7, 0.79), moments(0.7, 0.7)]).toEqual(['holds', 'partly', 'not'])
})

test('heldoutLikelihood.claims compare the gain on real documents with that on generated ones', () => {
  const runs = (real: number, generated: (split: number) => number): Run[] =>
    splits.flatMap(split =>
      (['real', 'generated'] as const).map(data => {
        const gain = data === 'real' ? real + split / 100 : generated(split)
        const scores = {simplex: -5, marginal: -5 + gain}
        return {
          cell: {data, shrinkage: '0.01', split, seed: split, size: 1000},
          tables: {methods: Object.entries(scores).map(([method, logLikelihood]) => ({method, logLikelihood}))}
        }
      })
    )
  const verdicts = (...of: Parameters<typeof runs>) => judged(heldoutLikelihood, runs(...of))
  expect(verdicts(0.3, split => (split - 1) / 10)).toEqual(['holds', undefined, 'holds', undefined])
  expect(verdicts(-0.3, () => 0.1)).toEqual(['not', undefined, 'partly', undefined])
  expect(verdicts(0.1, () => 0.5)).toEqual(['holds', undefined, 'not', undefined])
})

test.each([
  [-0.01, 0.5, 'holds'],
  [0.01, 0.5, 'not'],
  [-0.01, -0.5, 'not'],
  [0, 0.5, 'unclear']
])('emDrift.claims of %f in the last tag and %f in the bound: %s', (lastTag, bound, verdict) => {
  const steps = (split: number) =>
    [0, EM_STEPS].map(step => ({step, lastTag: step * lastTag, bound: split + step * bound}))
  const runs = splits.flatMap(split =>
    driftPaths.map((path): Run => ({cell: {split, seed: split, path}, tables: {steps: steps(split)}}))
  )
  expect(judged(emDrift, runs)).toEqual([verdict, verdict])
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
