import {expect, test} from 'vitest'
import type {Model} from '../model/index.ts'
import {predictionLine} from './prediction-line.ts'

const latents = ['10', '__proto__', 'a "b"'].map(name => ({
  name,
  truePositive: 0.5,
  falsePositive: 0.1,
  prevalence: 0.2
}))
const model = {latents} as unknown as Model

test('predictionLine(...) is one line of JSON with every concept in the order of the model', () => {
  const line = predictionLine(model, 'x', [0.25, 1e-7, 1])
  expect(line).toBe('{"id":"x","posterior":{"10":0.25,"__proto__":1e-7,"a \\"b\\"":1}}\n')
  expect(Object.entries(JSON.parse(line).posterior)).toEqual([
    ['10', 0.25],
    ['__proto__', 1e-7],
    ['a "b"', 1]
  ])
})

test('predictionLine(..., top) has the most probable concepts, highest first', () => {
  expect(predictionLine(model, 7, [0.2, 0.9, 0.5], 2)).toBe('{"id":7,"posterior":{"__proto__":0.9,"a \\"b\\"":0.5}}\n')
})
