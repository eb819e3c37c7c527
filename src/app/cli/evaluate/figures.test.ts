import {describe, expect, test} from 'vitest'
import type {Figures} from '../../../use/evaluation/index.ts'
import {figureTable, reliabilityTable} from './evaluate.ts'

describe('figureTable', () => {
  const figures = (value: number): Figures => ({
    lastTag: {accuracy: value, standardError: value / 10, documents: 3000},
    tagLogLikelihood: -value,
    tagging: {
      microF1: value,
      macroF1: value,
      macroAuc: value,
      averagePrecision: value,
      brier: value,
      calibrationError: value,
      atThreshold: {threshold: value / 2, chosenOn: 'these documents', microF1: value * 0.8, macroF1: value * 0.6},
      reliability: [],
      saturated: 0
    }
  })

  const remarks = [
    'F1: at a threshold of 0.5; *: at the threshold where each method, without any tag, expects the highest F1 (this model: 0.25).',
    'Last tag: standard error 0.050, from 3,000 documents; smaller differences may be due to chance.'
  ]

  test('figureTable(...) has the model first, then the baselines, and one column a figure', () => {
    const table = figureTable({
      documents: 3,
      concepts: 2,
      ...figures(0.5),
      baselines: {prior: figures(0.25), oracle: figures(1)}
    })
    const lines = table.split('\n').slice(0, 4)
    expect(lines.map(line => line.slice(0, 10).trim())).toEqual(['', 'this model', 'prior', 'oracle'])
    expect(lines[1].split(/ {2,}/)).toEqual([
      'this model',
      '0.500',
      '-0.500',
      '0.500',
      '0.500',
      '0.500',
      '0.500',
      '0.400',
      '0.300',
      '0.5000',
      '0.5000'
    ])
    expect(new Set(lines.map(line => line.length)).size).toBe(1)
  })

  test('figureTable(...) shows a figure that could not be had as such, in its column', () => {
    const table = figureTable({documents: 1, concepts: 1, ...figures(Number.NaN), baselines: {prior: figures(0.25)}})
    const [head, own] = table.split('\n')
    expect(own).not.toMatch(/NaN/)
    expect(own.length).toBe(head.length)
  })

  test('figureTable(...) says why log P(tags) is infinite', () => {
    const table = (tagLogLikelihood: number) =>
      figureTable({documents: 3, concepts: 2, ...figures(0.5), tagLogLikelihood, baselines: {}})
    expect(table(Number.NEGATIVE_INFINITY)).toContain('the tags of at least one document contradict the model')
    expect(table(-3)).not.toContain('contradict')
  })

  test('figureTable(...) says in words which baseline, the oracle apart, does better in what', () => {
    const better = {...figures(0.5), lastTag: {accuracy: 0.6, standardError: 0.1, documents: 3}, tagLogLikelihood: -0.4}
    const rest = {documents: 3, concepts: 2, ...figures(0.5)}
    const table = figureTable({...rest, baselines: {prior: figures(0.5), 'anchors-only': better, oracle: better}})
    expect(table.split('\n').slice(5)).toEqual([
      '',
      ...remarks,
      '',
      'anchors-only does better than this model in: last tag, log P(tags)'
    ])
    expect(
      figureTable({...rest, baselines: {prior: figures(0.5)}})
        .split('\n')
        .slice(3)
    ).toEqual(['', ...remarks])
  })

  test('figureTable(...) calls nothing better that looks the same in the table', () => {
    const {tagging} = figures(0.5)
    const same = {...figures(0.5), tagging: {...tagging, averagePrecision: 0.5004, brier: 0.49996}}
    const table = figureTable({documents: 3, concepts: 2, ...figures(0.5), baselines: {prior: same}})
    expect(table).not.toMatch(/does better/)
  })

  test('figureTable(...) tells when probabilities are stuck at 0 or 1, and leaves out an error that could not be had', () => {
    const {tagging, ...rest} = figures(0.5)
    const stuck = {...tagging, saturated: 0.01234}
    const lastTag = {accuracy: 1, standardError: Number.NaN, documents: 1}
    const table = figureTable({documents: 1, concepts: 2, ...rest, lastTag, tagging: stuck, baselines: {}})
    expect(table.split('\n').slice(4)).toEqual([
      '1.2% of the probabilities are exactly 0 or 1: no further evidence could change them.'
    ])
  })

  test('reliabilityTable(...) sets what was said beside what was found, lowest first', () => {
    const {tagging} = figures(0.5)
    const reliability = [
      {meanProbability: 0.0123, shareFound: 0.02, count: 12345},
      {meanProbability: 0.95, shareFound: 1, count: 7}
    ]
    expect(
      reliabilityTable({...tagging, reliability})
    ).toBe(`How often predictions of each probability are true, over all documents and concepts:

mean probability   found  predictions
            1.2%    2.0%        12345
           95.0%  100.0%            7

No probability is exactly 0 or 1.`)
  })

  test('figureTable(...) knows that errors are better low', () => {
    const {tagging} = figures(0.5)
    const calm = {...figures(0.5), tagging: {...tagging, brier: 0.4, calibrationError: 0.6}}
    const table = figureTable({documents: 3, concepts: 2, ...figures(0.5), baselines: {prior: calm}})
    expect(table).toMatch(/prior does better than this model in: Brier$/)
  })
})
