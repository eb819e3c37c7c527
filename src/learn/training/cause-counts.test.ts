import {expect, it} from 'vitest'
import {countCauses, emptyCauses, largestChange, startWorth, updateLoadings, worthPenalty} from './cause-counts.ts'
import {emptyDocument, emTables, readEvidence} from './em-document.ts'
import {enumerateStates, type WeightedStates} from './sample-states.ts'
import {disturbed, drawCorpus, smallModel} from './test-corpora.ts'

type Model = ReturnType<typeof smallModel>

/** Documents whose q is fixed, and E_q[log P(x | y)] of any loadings, written down plainly. */
function fixedProblem(worthOf: number) {
  const start = disturbed(smallModel(1, 3, 4), 2)
  const {documents} = drawCorpus(smallModel(1, 3, 4), 60, 3)
  const tables = emTables(start)
  const document = emptyDocument(3)
  const fixed = documents.map((evidence): {words: readonly number[]; q: WeightedStates} => {
    readEvidence(document, tables, evidence)
    return {words: evidence.words, q: enumerateStates(document, tables)}
  })
  const worth = startWorth(start, documents.length, worthOf)
  const objective = ({failure, leak, wordCount: n}: Model['loadings']) => {
    let sum = 0
    for (const {words, q} of fixed)
      q.states.forEach((y, at) => {
        for (let j = 0; j < n; j++) {
          let off = 1 - leak[j]
          y.forEach((present, i) => {
            if (present === 1) off *= failure[i * n + j]
          })
          sum += q.weights[at] * Math.log(words.includes(j) ? 1 - off : off)
        }
      })
    return sum - worthPenalty(worth, {conceptCount: 3, wordCount: n, failure, leak})
  }
  const step = (loadings: Model['loadings']) => {
    const now = emTables({...start, loadings})
    const counts = emptyCauses(now)
    for (const {words, q} of fixed) countCauses(counts, now, words, q)
    return updateLoadings(counts, now, worth)
  }
  return {start: start.loadings, objective, step}
}

it.each([0, 1])(
  'updateLoadings(...) repeated for a fixed q ends at its maximum and never falls, start weight %d',
  weight => {
    const {start, objective, step} = fixedProblem(weight)
    let loadings = start
    let value = objective(start)
    for (let round = 0; round < 300; round++) {
      loadings = step(loadings)
      const next = objective(loadings)
      expect(next).toBeGreaterThanOrEqual(value - 1e-9)
      value = next
    }
    // Numerical maximisation: no single failure or leak can be moved to gain anything.
    for (const name of ['failure', 'leak'] as const)
      loadings[name].forEach((middle, cell) => {
        if (name === 'failure' && start.failure[cell] === 1) return
        for (const move of [-0.02, -0.005, 0.005, 0.02]) {
          const moved = loadings[name].slice()
          moved[cell] = Math.min(Math.max(middle + move, 1e-3), 1 - 1e-9)
          expect(objective({...loadings, [name]: moved})).toBeLessThan(value + 1e-5)
        }
      })
    expect(largestChange(start, loadings)).toBeGreaterThan(0.1)
  }
)

it('updateLoadings(...) gives the shares of a document read by hand', () => {
  // One concept, one word, leak 0.2, failure 0.5; three documents, all with the concept, two of them with the word.
  const base = smallModel(1, 1, 1)
  const model = {
    ...base,
    loadings: {conceptCount: 1, wordCount: 1, failure: Float64Array.of(0.5), leak: Float64Array.of(0.2)}
  }
  const tables = emTables(model)
  const counts = emptyCauses(tables)
  const q = {states: [Uint8Array.of(1)], weights: Float64Array.of(1), bound: 0}
  for (const words of [[0], [0], []]) countCauses(counts, tables, words, q)
  const {failure, leak} = updateLoadings(counts, tables, startWorth(model, 3, 0))
  // P(word | y) = 1 - 0.8 * 0.5 = 0.6: the leak did it with 0.2 / 0.6, else the concept.
  expect(leak[0]).toBeCloseTo((2 * (1 / 3)) / 3, 12)
  expect(failure[0]).toBeCloseTo(1 - (2 * (2 / 3)) / (3 - 2 / 3), 12)
})

it('updateLoadings(...) leaves a failure as it was when no document has the concept', () => {
  const model = smallModel(4, 2, 3)
  const tables = emTables(model)
  const counts = emptyCauses(tables)
  const q = {states: [Uint8Array.of(0, 0)], weights: Float64Array.of(1), bound: 0}
  countCauses(counts, tables, [1], q)
  expect(updateLoadings(counts, tables, startWorth(model, 1, 0)).failure).toEqual(model.loadings.failure)
})
