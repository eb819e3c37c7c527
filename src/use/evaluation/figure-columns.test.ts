import {describe, expect, test} from 'vitest'
import type {Figures} from './evaluation.ts'
import {figureMark, figureText, isBetter, whereBeaten} from './figure-columns.ts'
import {evaluationOf, taggingOf, withRanges} from './test-figures.ts'
import {figureColumns} from './weighted-figures.ts'

/** Figures of nothing in particular, but for the two that differ. */
function figures(accuracy: number, brier: number): Figures {
  const tagging = taggingOf([[0.9, 0.2, 0.6]], [[1, 0, 0]])
  return withRanges({
    lastTag: {accuracy, standardError: 0.01, documents: 3},
    tagLogLikelihood: -1,
    tagging: {...tagging, brier}
  })
}

const column = (name: string) => {
  const found = figureColumns.find(one => one.name === name)
  if (found === undefined) throw new Error(`no column ${name}`)
  return found
}

describe('figureColumns', () => {
  test('figureText(...) has the digits of its column, and a dash for what no document could give', () => {
    expect(figureText(column('last tag'), figures(0.12345, 0))).toBe('0.123')
    expect(figureText(column('Brier'), figures(0, 0.12345))).toBe('0.1235')
    expect(figureText(column('last tag'), figures(Number.NaN, 0))).toBe('-')
  })

  test('isBetter(...) knows which figures are to be low, and does not see what tables do not show', () => {
    expect(isBetter(column('last tag'), figures(0.6, 0), figures(0.5, 0))).toBe(true)
    expect(isBetter(column('Brier'), figures(0, 0.1), figures(0, 0.2))).toBe(true)
    expect(isBetter(column('Brier'), figures(0, 0.2), figures(0, 0.1))).toBe(false)
    expect(isBetter(column('last tag'), figures(0.50001, 0), figures(0.5, 0))).toBe(false)
    expect(isBetter(column('last tag'), figures(Number.NaN, 0), figures(0.5, 0))).toBe(false)
  })

  test('whereBeaten(...) names baselines that win, in which figures, and no ceiling', () => {
    const taught = {oracle: figures(0.9, 0.01), 'supervised-500': figures(0.9, 0.01)}
    const baselines = {prior: figures(0.1, 0.05), 'anchors-only': figures(0.4, 0.2), ...taught}
    expect(whereBeaten(evaluationOf(figures(0.5, 0.1), baselines))).toEqual([
      {name: 'prior', columns: ['Brier'], level: []}
    ])
  })

  test('whereBeaten(...) keeps apart what is ahead without a clear difference', () => {
    const near = {prior: figures(0.505, 0.05)}
    expect(whereBeaten(evaluationOf(figures(0.5, 0.1), near, 0.02))).toEqual([
      {name: 'prior', columns: ['Brier'], level: ['last tag']}
    ])
  })

  test('figureMark(...) marks the best and what does not clearly differ from it', () => {
    const evaluation = evaluationOf(figures(0.5, 0.1), {prior: figures(0.1, 0.1), near: figures(0.49, 0.1)}, 0.02)
    expect(['this model', 'prior', 'near'].map(name => figureMark(column('last tag'), name, evaluation))).toEqual([
      'best',
      undefined,
      'level'
    ])
  })
})
