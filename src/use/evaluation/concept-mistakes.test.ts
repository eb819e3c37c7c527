import fc from 'fast-check'
import {expect, test} from 'vitest'
import {conceptMistakes} from './concept-mistakes.ts'

const judged = fc.array(fc.record({p: fc.double({min: 0, max: 1, noNaN: true}), y: fc.integer({min: 0, max: 1})}), {
  minLength: 1
})

function mistakes(probabilities: number[], labels: number[], documents: number[], threshold: number) {
  const tagged = probabilities.map(p => (p >= threshold ? 1 : 0))
  return conceptMistakes({probabilities, labels, documents, tagged})
}

test('wrong documents are found one by one', () => {
  fc.assert(
    fc.property(judged, fc.double({min: 0, max: 1, noNaN: true}), (rows, threshold) => {
      const [scores, labels] = [rows.map(({p}) => p), rows.map(({y}) => y)]
      const numbers = rows.map((_, at) => 10 + at)
      const found = mistakes(scores, labels, numbers, threshold)
      const isWrong = (at: number) => scores[at] >= threshold !== (labels[at] === 1)
      const wrong = [...rows.keys()].filter(isWrong).map(at => 10 + at)
      expect([...found.alarms, ...found.misses].map(({document}) => document).sort((a, b) => a - b)).toEqual(wrong)
      expect(found.alarms.every(({document}) => labels[document - 10] === 0)).toBe(true)
      expect(found.tags).toBe(labels.filter(label => label === 1).length)
    })
  )
})

test('the surest mistakes come first', () => {
  const found = mistakes([0.9, 0.2, 0.95, 0.1, 0.7], [0, 1, 0, 1, 1], [0, 1, 2, 3, 4], 0.5)
  expect(found.alarms.map(({document}) => document)).toEqual([2, 0])
  expect(found.misses.map(({document}) => document)).toEqual([3, 1])
  expect(mistakes([0.1], [0], [0], 0.5)).toEqual({tags: 0, alarms: [], misses: []})
})
