import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Evaluator} from './evaluator.ts'
import {groupFigures} from './group-figures.ts'
import {constantPredictor, nothing} from './test-predictors.ts'

const group = (atMostOne: boolean) => ({concepts: [0, 2, 3], classes: ['a', 'b', 'c'], atMostOne})

/** The slow twin: everything from the list of true and found classes, by definition. */
function byDefinition(pairs: readonly (readonly [truth: number, found: number])[]) {
  const f1 = [0, 1, 2].map(at => {
    const both = pairs.filter(([truth, found]) => truth === at && found === at).length
    const precision = both / pairs.filter(([, found]) => found === at).length
    const recall = both / pairs.filter(([truth]) => truth === at).length
    if (Number.isNaN(precision) && Number.isNaN(recall)) return Number.NaN
    return both === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  })
  const defined = f1.filter(value => !Number.isNaN(value))
  return {
    accuracy: pairs.filter(([truth, found]) => truth === found).length / pairs.length,
    macroF1: defined.reduce((sum, value) => sum + value, 0) / defined.length,
    f1
  }
}

test('groupFigures(...) are accuracy and F1 by definition, on random documents', () => {
  const anyDocument = fc.record({
    truth: fc.integer({min: -1, max: 2}),
    found: fc.integer({min: 0, max: 2}),
    isSure: fc.boolean()
  })
  fc.assert(
    fc.property(fc.array(anyDocument, {minLength: 1}), fc.boolean(), (drawn, atMostOne) => {
      const places = [0, 2, 3]
      const documents = drawn.map(({truth, found, isSure}) => ({
        labels: Int8Array.from([0, 1, 2, 3], i => (i === 1 ? -1 : Number(places[truth] === i))),
        posterior: [0, 1, 2, 3].map(i => (places[found] === i ? (isSure ? 0.6 : 0.4) : 0.3))
      }))
      const pairs = drawn
        .filter(({truth}) => truth >= 0 || atMostOne)
        .map(({truth, found, isSure}) => [truth, atMostOne && !isSure ? -1 : found] as const)
      const figures = groupFigures(group(atMostOne), documents)
      const expected = byDefinition(pairs)
      expect([figures.documents, figures.leftOut]).toEqual([pairs.length, drawn.length - pairs.length])
      if (pairs.length === 0) return
      expect(figures.accuracy).toBe(expected.accuracy)
      // Both are sums of at most three fractions of small numbers: rounding is below 1e-12.
      for (const [found, plain] of [
        [figures.macroF1, expected.macroF1],
        ...Object.values(figures.f1).map((value, at) => [value, expected.f1[at]] as const)
      ])
        expect(found).toEqual(Number.isNaN(plain) ? Number.NaN : expect.closeTo(plain, 12))
    })
  )
})

test('groupFigures(...) take the first of equals, and none where at most one holds and all are improbable', () => {
  const found = (atMostOne: boolean, posterior: readonly number[]) =>
    [0, 2, 3].filter(i => {
      const labels = Int8Array.from([0, 1, 2, 3], k => Number(k === i))
      return groupFigures(group(atMostOne), [{posterior, labels}]).accuracy === 1
    })
  expect(found(false, [0.2, 0.9, 0.2, 0.1])).toEqual([0])
  expect(found(true, [0.2, 0.9, 0.4, 0.1])).toEqual([])
  expect(found(true, [0.2, 0.9, 0.5, 0.1])).toEqual([2])
})

test('groupFigures(...) leave out documents with several classes, or unknown ones, and count them', () => {
  const posterior = [1, 0, 0, 0]
  const labels = [Int8Array.of(1, 0, 1, 0), Int8Array.of(0, 0, -1, 0), Int8Array.of(1, 0, -1, -1)]
  for (const atMostOne of [false, true])
    expect(
      groupFigures(
        group(atMostOne),
        labels.map(own => ({posterior, labels: own}))
      )
    ).toMatchObject({documents: 1, leftOut: 2, accuracy: 1})
})

test('Evaluator gives figures of groups only where there are groups', () => {
  const predictors = {only: constantPredictor([0.6, 0.3], [0, 0])}
  const grouped = new Evaluator(['a', 'b'], predictors, 1, [
    {concepts: [0, 1], classes: ['ham', 'spam'], atMostOne: false}
  ])
  const plain = new Evaluator(['a', 'b'], predictors)
  for (const evaluator of [grouped, plain])
    for (const labels of [Int8Array.of(1, 0), Int8Array.of(0, 1)]) evaluator.add(nothing, labels)
  expect(grouped.finish().groups).toEqual([
    {classes: ['ham', 'spam'], documents: 2, leftOut: 0, accuracy: 0.5, macroF1: 1 / 3, f1: {ham: 2 / 3, spam: 0}}
  ])
  expect(plain.finish()).not.toHaveProperty('groups')
})
