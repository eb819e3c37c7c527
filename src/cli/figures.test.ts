import {describe, expect, test} from 'vitest'
import type {Figures} from '../index.ts'
import {figureTable} from './figures.ts'

describe('figureTable', () => {
  const figures = (value: number): Figures => ({
    lastTag: {accuracy: value, documents: 3},
    tagLogLikelihood: -value,
    tagging: {
      microF1: value,
      macroF1: value,
      macroAuc: value,
      averagePrecision: value,
      brier: value,
      calibrationError: value
    }
  })

  test('figureTable(...) has the model first, then the baselines, and one column a figure', () => {
    const table = figureTable({
      documents: 3,
      latents: 2,
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
      '0.5000',
      '0.5000'
    ])
    expect(new Set(lines.map(line => line.length)).size).toBe(1)
  })

  test('figureTable(...) shows a figure that could not be had as such, in its column', () => {
    const table = figureTable({documents: 1, latents: 1, ...figures(Number.NaN), baselines: {prior: figures(0.25)}})
    const [head, own] = table.split('\n')
    expect(own).not.toMatch(/NaN/)
    expect(own.length).toBe(head.length)
  })

  test('figureTable(...) says in words which baseline, the oracle apart, does better in what', () => {
    const better = {...figures(0.5), lastTag: {accuracy: 0.6, documents: 3}, tagLogLikelihood: -0.4}
    const rest = {documents: 3, latents: 2, ...figures(0.5)}
    const table = figureTable({...rest, baselines: {prior: figures(0.5), 'anchors-only': better, oracle: better}})
    expect(table.split('\n').slice(5)).toEqual([
      '',
      'anchors-only does better than this model in: last tag, log P(tags)'
    ])
    expect(figureTable({...rest, baselines: {prior: figures(0.5)}}).split('\n')).toHaveLength(3)
  })

  test('figureTable(...) knows that errors are better low', () => {
    const {tagging} = figures(0.5)
    const calm = {...figures(0.5), tagging: {...tagging, brier: 0.4, calibrationError: 0.6}}
    const table = figureTable({documents: 3, latents: 2, ...figures(0.5), baselines: {prior: calm}})
    expect(table).toMatch(/prior does better than this model in: Brier$/)
  })
})
