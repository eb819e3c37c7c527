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

const rule = (threshold: number) => ({rule: evenRule(3, threshold)})

test.each<[what: string, id: string | number | undefined, number[], PredictionLineOptions, line: string]>([
  [
    'every concept in the order of the model',
    'x',
    [0.25, 1e-7, 1],
    {},
    '{"id":"x","posterior":{"10":0.25,"__proto__":1e-7,"a \\"b\\"":1}}'
  ],
  [
    'the most probable, highest first',
    7,
    [0.2, 0.9, 0.5],
    {top: 2},
    '{"id":7,"posterior":{"__proto__":0.9,"a \\"b\\"":0.5}}'
  ],
  [
    'the tags, most probable first',
    'x',
    [0.25, 0.2, 1],
    rule(0.25),
    '{"id":"x","tags":["a \\"b\\"","10"],"posterior":{"10":0.25,"__proto__":0.2,"a \\"b\\"":1}}'
  ],
  ['no tags', 'x', [0, 0.1, 0.2], {...rule(0.5), onlyTags: true}, '{"id":"x","tags":[]}'],
  [
    'a short posterior and all tags; equals stand as in the model',
    1,
    [0.6, 0.7, 0.6],
    {top: 1, ...rule(0.5)},
    '{"id":1,"tags":["__proto__","10","a \\"b\\""],"posterior":{"__proto__":0.7}}'
  ],
  ['an empty place for an unknown id', undefined, [0, 0, 1], {top: 1}, '{"id":,"posterior":{"a \\"b\\"":1}}']
])('predictionWriter(...) writes %s', (_, id, probabilities, options, line) => {
  expect(predictionWriter(model, options)(id, probabilities)).toBe(`${line}\n`)
  expect(line.slice(0, idPlace)).toBe('{"id":')
})
