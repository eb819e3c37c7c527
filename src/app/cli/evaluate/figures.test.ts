import {describe, expect, test} from 'vitest'
import type {Figures} from '../../../use/evaluation/index.ts'
import {evaluationOf, withRanges} from '../../../use/evaluation/test-figures.ts'
import {figureTable} from '../commands/evaluate.ts'

describe('figureTable', () => {
  const plain = (value: number) => ({
    lastTag: {accuracy: value, standardError: value / 10, documents: 3000},
    tagLogLikelihood: -value,
    tagging: {
      microF1: value,
      macroF1: value,
      macroAuc: value,
      averagePrecision: value,
      brier: value,
      calibrationError: value,
      atThreshold: {
        threshold: value / 2,
        chosenOn: 'these documents' as const,
        microF1: value * 0.8,
        macroF1: value * 0.6
      },
      reliability: [],
      saturated: 0
    }
  })
  const figures = (value: number): Figures => withRanges(plain(value))

  test('figureTable(...) has the model first, then the baselines, and one column a figure; then the intervals', () => {
    const table = figureTable(evaluationOf(figures(0.5), {prior: figures(0.25), oracle: figures(1)}))
    const lines = table.split('\n')
    expect(lines.slice(0, 4).map(line => line.slice(0, 10).trim())).toEqual(['', 'this model', 'prior', 'oracle'])
    const cells = '0.500 -0.500 0.500 0.500 0.500 0.500 0.400 0.300 0.5000 0.5000'.split(' ')
    expect(lines[1].split(/ {2,}/)).toEqual(['this model', ...cells])
    expect(new Set(lines.slice(0, 4).map(line => line.length)).size).toBe(1)
    expect(lines[5]).toBe('90% intervals:')
    expect(lines[8].split(/ {2,}/).slice(0, 3)).toEqual(['this model', '0.490 to 0.510', '-0.510 to -0.490'])
  })

  test('figureTable(...) says in words which baseline, the oracle apart, is clearly better in what', () => {
    const better = {...figures(0.5), lastTag: {accuracy: 0.6, standardError: 0.1, documents: 3}, tagLogLikelihood: -0.4}
    const all = {prior: figures(0.5), 'anchors-only': better, oracle: better}
    expect(figureTable(evaluationOf(figures(0.5), all))).toContain(
      '\n\nanchors-only does better than this model in last tag and log P(tags)\n\n'
    )
    const none = 'No simpler method is clearly better than this model in any figure.'
    expect(figureTable(evaluationOf(figures(0.5), {prior: figures(0.5)}))).toContain(none)
    const unclear = figureTable(evaluationOf(figures(0.5), all, 0.2))
    expect(unclear).toContain(none)
    expect(unclear).toMatch(/^last tag +anchors-only, oracle +this model, prior$/m)
  })

  test('figureTable(...) tells when probabilities are stuck at 0 or 1, and when they are far too high', () => {
    const {tagging, ...rest} = plain(0.5)
    const bins = [
      {meanProbability: 0.1, shareFound: 0.1, count: 5000},
      {meanProbability: 0.98, shareFound: 0.14, count: 1200}
    ]
    const table = (more: object) => figureTable(evaluationOf(withRanges({...rest, tagging: {...tagging, ...more}}), {}))
    expect(table({saturated: 0.01234})).toContain('1.2% of the probabilities are exactly 0 or 1')
    expect(table({reliability: bins})).toMatch(
      /\n\nThe model is overconfident: of 1,200 predictions at about 98%, only 14% are right\.$/
    )
    expect(table({reliability: bins.slice(0, 1)})).not.toContain('overconfident')
    // Scores of concepts without measured rates have no threshold, and stand in for probabilities.
    const scores = {...tagging.atThreshold, threshold: undefined}
    expect(table({reliability: bins, atThreshold: scores})).not.toContain('overconfident')
    // Two of three predictions: chance.
    expect(table({reliability: [{meanProbability: 0.9, shareFound: 2 / 3, count: 3}]})).not.toContain('overconfident')
  })
})
