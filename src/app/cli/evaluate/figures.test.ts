import {describe, expect, test} from 'vitest'
import type {Figures} from '../../../use/evaluation/index.ts'
import {evaluationOf, withRanges} from '../../../use/evaluation/test-figures.ts'
import {figureTable, reliabilityTable} from './evaluate.ts'

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

  test('figureTable(...) shows a figure that could not be had as such, in its column', () => {
    const table = figureTable(evaluationOf(figures(Number.NaN), {prior: figures(0.25)}))
    const [head, own] = table.split('\n')
    expect(own).not.toMatch(/NaN/)
    expect(own.length).toBe(head.length)
  })

  test('figureTable(...) says why log P(tags) is infinite', () => {
    const table = (tagLogLikelihood: number) => figureTable(evaluationOf({...figures(0.5), tagLogLikelihood}, {}))
    expect(table(Number.NEGATIVE_INFINITY)).toContain(
      'the tags of at least one document are impossible under the model'
    )
    expect(table(-3)).not.toContain('impossible')
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

  test('figureTable(...) calls nothing better that looks the same in the table', () => {
    const {tagging} = figures(0.5)
    const same = {...figures(0.5), tagging: {...tagging, averagePrecision: 0.5004, brier: 0.49996}}
    expect(figureTable(evaluationOf(figures(0.5), {prior: same}))).not.toMatch(/does better/)
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
    const table = figureTable(evaluationOf(figures(0.5), {prior: calm}))
    expect(table).toMatch(/prior does better than this model in Brier$/m)
  })
})
