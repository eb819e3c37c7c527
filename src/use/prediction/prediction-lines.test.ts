import {expect, test} from 'vitest'
import type {Model} from '../../learn/model/index.ts'
import {idPlace, type PredictionLineOptions, predictionWriter} from './prediction-lines.ts'
import {evenRule} from './tags-from.ts'

const concepts = ['10', '__proto__', 'a "b"'].map(name => ({
  name,
  truePositive: 0.5,
  falsePositive: 0.1,
  prevalence: 0.2
}))
const model = {concepts, lexicon: {anchors: []}} as unknown as Model

test('predictionWriter(model) is one line of JSON with every concept in the order of the model', () => {
  const line = predictionLine(model, 'x', [0.25, 1e-7, 1])
  expect(line).toBe('{"id":"x","posterior":{"10":0.25,"__proto__":1e-7,"a \\"b\\"":1}}\n')
  expect(Object.entries(JSON.parse(line).posterior)).toEqual([
    ['10', 0.25],
    ['__proto__', 1e-7],
    ['a "b"', 1]
  ])
})

test('predictionWriter(model, {top}) has the most probable concepts, highest first', () => {
  expect(predictionLine(model, 7, [0.2, 0.9, 0.5], {top: 2})).toBe(
    '{"id":7,"posterior":{"__proto__":0.9,"a \\"b\\"":0.5}}\n'
  )
})

test('predictionWriter(model, {rule}) adds the tags, most probable first', () => {
  const line = predictionLine(model, 'x', [0.25, 0.2, 1], {rule: evenRule(3, 0.25)})
  expect(line).toBe('{"id":"x","tags":["a \\"b\\"","10"],"posterior":{"10":0.25,"__proto__":0.2,"a \\"b\\"":1}}\n')
  expect(JSON.parse(line).tags).toEqual(['a "b"', '10'])
  expect(JSON.parse(predictionLine(model, 'x', [0, 0.1, 0.2], {rule: evenRule(3, 0.5)})).tags).toEqual([])
})

test('predictionWriter(model, {top, rule}) shortens the posterior, never the tags; equals stand as in the model', () => {
  const line = predictionLine(model, 1, [0.6, 0.7, 0.6], {top: 1, rule: evenRule(3, 0.5)})
  expect(line).toBe('{"id":1,"tags":["__proto__","10","a \\"b\\""],"posterior":{"__proto__":0.7}}\n')
})

test('predictionWriter(model) leaves the place of an unknown id empty', () => {
  const line = predictionLine(model, undefined, [0.25, 0.5, 1])
  expect(line).toBe('{"id":,"posterior":{"10":0.25,"__proto__":0.5,"a \\"b\\"":1}}\n')
  expect(line.slice(0, idPlace)).toBe('{"id":')
})

function predictionLine(
  of: Model,
  id: string | number | undefined,
  probabilities: readonly number[],
  options?: PredictionLineOptions
): string {
  return predictionWriter(of, options)(id, probabilities)
}
