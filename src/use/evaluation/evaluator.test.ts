import {describe, expect, test} from 'vitest'
import {evenRule} from '../prediction/index.ts'
import {Evaluator} from './evaluator.ts'
import {constantPredictor, nothing} from './test-predictors.ts'

const truthOf = (...values: number[]) => Int8Array.from(values)

describe('Evaluator', () => {
  test('finish() gives every predictor its own figures on the same documents', () => {
    const evaluator = new Evaluator(['a', 'b'], {
      good: constantPredictor([0.9, 0.1], [2, 1], -0.25),
      bad: constantPredictor([0.2, 0.8], [1, 2], -4)
    })
    evaluator.add(nothing, truthOf(1, 0))
    evaluator.add(nothing, truthOf(1, 0))
    const {documents, concepts, baselines, ...good} = evaluator.finish()
    const {bad} = baselines
    expect([documents, concepts]).toEqual([2, 2])
    expect(good.tagLogLikelihood).toBe(-0.25)
    expect(bad.tagLogLikelihood).toBe(-4)
    expect([good.lastTag.accuracy, bad.lastTag.accuracy]).toEqual([1, 0])
    expect([good.tagging.microF1, bad.tagging.microF1]).toEqual([1, 0])
    expect(good.tagging.brier).toBeCloseTo(0.01, 12)
    expect(bad.tagging.brier).toBeCloseTo(0.64, 12)
  })

  test('add(...) leaves concepts of unknown truth out of the tagging figures', () => {
    const evaluator = new Evaluator(['a', 'b'], {only: constantPredictor([0.7, 0.4], [0, 0])})
    evaluator.add(nothing, truthOf(1, -1))
    evaluator.add(nothing, truthOf(-1, 0))
    evaluator.add(nothing, truthOf(0, 1))
    const {tagging} = evaluator.finish()
    expect(tagging.brier).toBeCloseTo((0.3 ** 2 + 0.4 ** 2 + 0.7 ** 2 + 0.6 ** 2) / 4, 12)
    expect(tagging.microF1).toBeCloseTo(2 / (2 + 1 + 1), 12)
  })

  test('add(...) takes the last tag and the likelihood only of documents whose truth is wholly known', () => {
    const asked: number[][] = []
    const predictor = constantPredictor([0.5, 0.5], [0, 1])
    const evaluator = new Evaluator(['a', 'b'], {
      only: {
        ...predictor,
        logTags: y => {
          asked.push(Array.from(y))
          return -2
        }
      }
    })
    evaluator.add(nothing, truthOf(1, -1))
    evaluator.add(nothing, truthOf(0, 1))
    evaluator.add(nothing, truthOf(0, 0))
    const {documents, tagLogLikelihood, lastTag} = evaluator.finish()
    expect(documents).toBe(3)
    expect(asked).toEqual([
      [0, 1],
      [0, 0]
    ])
    expect(tagLogLikelihood).toBe(-2)
    // The last document has no tag to hide.
    expect(lastTag).toEqual({accuracy: 1, standardError: Number.NaN, documents: 1})
  })

  test('add(...) hides every tag in turn, tells the others, and lets each document count the same', () => {
    const asked: (readonly number[])[] = []
    const evaluator = new Evaluator(['a', 'b', 'c'], {
      only: {
        ...constantPredictor([0.5, 0.5, 0.5], []),
        lastTag: (_, given) => {
          asked.push(given)
          return [3, 2, 1]
        }
      }
    })
    evaluator.add(nothing, truthOf(1, 0, 1))
    evaluator.add(nothing, truthOf(0, 1, 0))
    evaluator.add(nothing, truthOf(1, 1, 0))
    expect(asked).toEqual([[2], [0], [], [1], [0]])
    // First document: given 2 the best left is 0, a hit; given 0 it is 1, a miss. Second: 0, a miss. Third: two hits.
    const {accuracy, standardError} = evaluator.finish().lastTag
    expect(accuracy).toBeCloseTo((1 / 2 + 0 + 1) / 3, 12)
    // Documents, not tags, are drawn: the spread of 1/2, 0 and 1 is 1/2.
    expect(standardError).toBeCloseTo(Math.sqrt(0.25 / 3), 12)
  })

  test('finish() decides by the rule of each predictor, if it has one', () => {
    const predictor = constantPredictor([0.4, 0.1], [1, 2])
    const evaluator = new Evaluator(['a', 'b'], {own: {...predictor, tags: evenRule(2, 0.05)}, none: predictor})
    evaluator.add(nothing, truthOf(1, 0))
    const {baselines, ...own} = evaluator.finish()
    expect(own.tagging.atThreshold).toMatchObject({threshold: 0.05, chosenOn: 'training documents', microF1: 2 / 3})
    expect(baselines.none.tagging.atThreshold).toMatchObject({chosenOn: 'these documents', microF1: 1})
  })

  test('finish() refuses to judge by documents that have none of the concepts', () => {
    const evaluator = new Evaluator(['a', 'b'], {only: constantPredictor([0.5, 0.5], [0, 0])})
    for (let document = 0; document < 3; document++) evaluator.add(nothing, truthOf(0, 0))
    expect(() => evaluator.finish()).toThrow(
      /none of the 3 documents has a tag or label that is one of the concepts a, b; check/
    )
  })

  test('finish() has intervals by concept where five documents have it and resampling moves the figure', () => {
    const evaluator = new Evaluator(['a', 'b', 'c'], {only: constantPredictor([0.9, 0.9, 0.9], [3, 2, 1])})
    for (let document = 0; document < 12; document++)
      evaluator.add(nothing, truthOf(document < 6 ? 1 : 0, document < 4 ? 1 : 0, 1))
    const [a, b, c] = evaluator.finish().perConcept
    expect(a.precision.low).toBeLessThan(0.5)
    expect(a.recall).toEqual({value: 1, low: Number.NaN, high: Number.NaN})
    expect(b.precision).toEqual({value: 1 / 3, low: Number.NaN, high: Number.NaN})
    expect(c.f1).toEqual({value: 1, low: Number.NaN, high: Number.NaN})
  })

  test('finish() refuses to judge when no document said anything of the truth', () => {
    const evaluator = new Evaluator(['a'], {only: constantPredictor([0.5], [0])})
    expect(() => evaluator.finish()).toThrow(/no document has tags or labels; evaluate on documents that do/)
  })

  test('new Evaluator(...) keeps predictors apart whatever they are called', () => {
    const evaluator = new Evaluator(['a'], {
      first: constantPredictor([0.5], [0]),
      constructor: constantPredictor([0.9], [0]),
      toString: constantPredictor([0.1], [0])
    })
    evaluator.add(nothing, truthOf(1))
    const figures = new Map(Object.entries(evaluator.finish().baselines))
    expect(figures.get('constructor')?.tagging.brier).toBeCloseTo(0.01, 12)
    expect(figures.get('toString')?.tagging.brier).toBeCloseTo(0.81, 12)
  })
})
