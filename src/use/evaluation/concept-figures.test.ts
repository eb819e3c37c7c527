import fc from 'fast-check'
import {expect, test} from 'vitest'
import {conceptFigures} from './concept-figures.ts'
import {decisionFigures} from './tagging-figures.ts'

const judged = fc.array(fc.record({p: fc.double({min: 0, max: 1, noNaN: true}), y: fc.integer({min: 0, max: 1})}), {
  minLength: 1
})

test('F1 is that of all decisions of one concept; wrong documents are counted one by one', () => {
  fc.assert(
    fc.property(judged, fc.double({min: 0, max: 1, noNaN: true}), (rows, threshold) => {
      const [scores, labels] = [rows.map(({p}) => p), rows.map(({y}) => y)]
      const numbers = rows.map((_, at) => 10 + at)
      const found = conceptFigures(scores, labels, numbers, threshold)
      const isWrong = (at: number) => scores[at] >= threshold !== (labels[at] === 1)
      const wrong = [...rows.keys()].filter(isWrong).map(at => 10 + at)
      expect([...found.alarms, ...found.misses].map(({document}) => document).sort((a, b) => a - b)).toEqual(wrong)
      expect(found.alarms.every(({document}) => labels[document - 10] === 0)).toBe(true)
      expect(found.tags).toBe(labels.filter(label => label === 1).length)
      if (found.tags > 0) expect(found.f1).toBeCloseTo(decisionFigures([scores], [labels], threshold).microF1, 12)
      else expect(found.f1).toBe(undefined)
    })
  )
})

test('the surest mistakes come first; what nothing gives is undefined', () => {
  const found = conceptFigures([0.9, 0.2, 0.95, 0.1, 0.7], [0, 1, 0, 1, 1], [0, 1, 2, 3, 4], 0.5)
  expect(found.alarms.map(({document}) => document)).toEqual([2, 0])
  expect(found.misses.map(({document}) => document)).toEqual([3, 1])
  expect([found.precision, found.recall, found.f1]).toEqual([1 / 3, 1 / 3, 1 / 3])
  expect(conceptFigures([0.1], [0], [0], 0.5)).toMatchObject({precision: undefined, recall: undefined, f1: undefined})
})
