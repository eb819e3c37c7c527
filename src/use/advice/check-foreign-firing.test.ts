import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkForeignFiring, foreignTests} from './check-foreign-firing.ts'
import {countPlanted, countRows, generated, type Planted, withMembers} from './test-faults.ts'

/** The anchor of concept 0 fires in 40% of the documents of concept 1 too. */
function faulty(seed: number, chance: number): Planted {
  const random = rng(seed)
  const structure = {concepts: 6, words: 60, structure: 'independent', prevalence: [0.1, 0.2]} as const
  return withMembers(generated(seed, 4000, structure), ({y, members}) =>
    y[1] === 1 && !members.includes(0) && random.next() < chance ? [...members, 0] : members
  )
}

/** The same statistic, word by word from the documents. */
function slowTest({documents, model}: Planted, i: number, k: number, words: readonly number[]) {
  const N = documents.length
  const cell = (a: boolean, b: boolean) =>
    documents.filter(({members}) => members.includes(i) === a && members.includes(k) === b)
  const share = (list: Planted['documents'], j: number) =>
    list.filter(({words: w}) => w.includes(j)).length / list.length
  const [both, alone, other] = [cell(true, true), cell(true, false), cell(false, true)]
  const weight = (j: number) => 1 / Math.sqrt(share(documents, j) * (1 - share(documents, j)))
  const sum = (list: Planted['documents']) => words.reduce((total, j) => total + weight(j) * share(list, j), 0)
  const [S11, S10, S01] = [sum(both), sum(alone), sum(other)]
  const variance =
    words.reduce((total, j) => total + weight(j) ** 2 * share(alone, j) * (1 - share(alone, j)), 0) +
    (S10 - S01) ** 2 / 4
  expect(N).toBeGreaterThan(model.concepts.length)
  return {
    errors: (S10 - S11) / Math.sqrt(variance / both.length + variance / alone.length),
    absentShare: (S10 - S11) / (S10 - S01)
  }
}

test('foreignTests(statistics) is the statistic that the documents give, for the pairs that go together', () => {
  const planted = faulty(1, 0.4)
  const tests = foreignTests(anchorStatistics(countPlanted(planted)))
  expect(tests.map(({concept, other}) => [concept, other])).toEqual([
    [0, 1],
    [1, 0]
  ])
  for (const {concept, other, words, errors, absentShare} of tests) {
    const slow = slowTest(planted, concept, other, words)
    expect(errors).toBeCloseTo(slow.errors, 8)
    expect(absentShare).toBeCloseTo(slow.absentShare, 8)
  }
})

test('checkForeignFiring(statistics) accuses the anchor that fires for another concept, and not that other', () => {
  const findings = checkForeignFiring(anchorStatistics(countPlanted(faulty(2, 0.4))))
  expect(findings).toMatchObject([
    {concept: 'concept-01', severity: 'warning', kind: 'fires-for-another', evidence: {other: 'concept-02', also: []}}
  ])
  expect(checkForeignFiring(anchorStatistics(countPlanted(faulty(2, 0))))).toEqual([])
})

test('foreignTests(statistics) leaves pairs out with too few documents or words', () => {
  const rows = (together: number, words: string) =>
    countRows({one: ['a'], two: ['b']}, [
      [together, 'a b'],
      [100, `a ${words}`],
      [100, 'b z'],
      [3000, 'x']
    ])
  const tested = (together: number, words: string) => foreignTests(anchorStatistics(rows(together, words))).length
  expect(tested(30, 'u v w')).toBeGreaterThan(0)
  expect(tested(9, 'u v w')).toBe(0)
  expect(tested(30, 'u v')).toBe(0)
})
