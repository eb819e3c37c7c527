import {describe, expect, test} from 'vitest'
import type {DecisionEstimates, Evaluation, Figures, LabelEvaluation} from '../../use/evaluation/index.ts'
import {evaluationOf, withRanges} from '../../use/evaluation/test-figures.ts'
import {blocksText, conceptTable, evaluationBlocks, evaluationParts, labelBlocks, leftOutNotes} from './index.ts'

const figureTable = (evaluation: Evaluation) => blocksText(evaluationBlocks(evaluation))

describe('evaluationBlocks', () => {
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

  test('evaluationBlocks(...) has the model first, then the baselines, and one column a figure; then the intervals', () => {
    const table = figureTable(evaluationOf(figures(0.5), {prior: figures(0.25), oracle: figures(1)}))
    const lines = table.split('\n').slice(2)
    expect(table).toMatch(/^3 documents, 2 concepts\n\n/)
    expect(lines.slice(0, 4).map(line => line.slice(0, 10).trim())).toEqual(['', 'this model', 'prior', 'oracle'])
    const cells = '0.500 -0.500 0.500 0.500 0.500 0.500 0.400 0.300 0.5000 0.5000'.split(' ')
    expect(lines[1].split(/ {2,}/)).toEqual(['this model', ...cells])
    expect(new Set(lines.slice(0, 4).map(line => line.length)).size).toBe(1)
    expect(lines[5]).toBe('90% intervals:')
    expect(lines[8].split(/ {2,}/).slice(0, 3)).toEqual(['this model', '0.490 to 0.510', '-0.510 to -0.490'])
  })

  test('evaluationBlocks(...) says in words which baseline, the oracle apart, is clearly better in what', () => {
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

  test('evaluationBlocks(...) tells when probabilities are stuck at 0 or 1, and when they are far too high', () => {
    const {tagging, ...rest} = plain(0.5)
    const bins = [
      {meanProbability: 0.1, shareFound: 0.1, count: 5000},
      {meanProbability: 0.98, shareFound: 0.14, count: 1200}
    ]
    const table = (more: object) => figureTable(evaluationOf(withRanges({...rest, tagging: {...tagging, ...more}}), {}))
    expect(table({saturated: 0.01234})).toContain('1.2% of the probabilities are exactly 0 or 1')
    expect(table({reliability: bins})).toMatch(
      /\n\nThe model is overconfident: of 1,200 predictions at about 98%, only 14% are right\.\n\n/
    )
    expect(table({reliability: bins.slice(0, 1)})).not.toContain('overconfident')
    // Scores of concepts without measured rates have no threshold, and stand in for probabilities.
    const scores = {...tagging.atThreshold, threshold: undefined}
    expect(table({reliability: bins, atThreshold: scores})).not.toContain('overconfident')
    // Two of three predictions: chance.
    expect(table({reliability: [{meanProbability: 0.9, shareFound: 2 / 3, count: 3}]})).not.toContain('overconfident')
  })

  test('evaluationParts(...) marks the best figures and those without a clear difference, with their intervals', () => {
    const evaluation = evaluationOf(figures(0.5), {prior: figures(0.49), late: figures(0.1)}, 0.02)
    const [table] = evaluationParts(evaluation).figures
    const cells = table.kind === 'table' ? table.rows.map(row => row[1]) : []
    const shown = (text: string, look: string | undefined, range: string) => [
      {text, look},
      {text: range, look: 'range'}
    ]
    expect(cells).toEqual([
      shown('0.500', 'best', '0.490 to 0.510'),
      shown('0.490', 'level', '0.480 to 0.500'),
      shown('0.100', undefined, '0.090 to 0.110')
    ])
    expect(evaluationParts(evaluation).rivals).toEqual(['late'])
  })
})

const near = (value: number) => ({value, low: value - 0.05, high: value + 0.05})
const estimates = (value: number): DecisionEstimates => ({f1: near(value), precision: near(value), recall: near(value)})
const unknown = {f1: near(Number.NaN), precision: near(Number.NaN), recall: near(Number.NaN)}

test('conceptTable(...) has the worst concept first, one without documents last, and leads to mistakes', () => {
  const rows = [
    {concept: 'rare', tags: 0, ...unknown},
    {concept: 'good', tags: 1234, alarms: 0, misses: 7, ...estimates(0.8)},
    {concept: 'bad', tags: 9, alarms: 1, misses: 2, ...estimates(0.4)}
  ]
  const {columns, rows: shown} = conceptTable(rows, undefined, (concept, mistakes) => ({concept, mistakes}))
  expect(columns.map(({name}) => name)).toEqual(['', 'tags', 'F1*', 'precision*', 'recall*', 'false alarms', 'missed'])
  expect(shown.map(([name]) => name)).toEqual(['bad', 'good', 'rare'])
  expect(shown[1].slice(-2)).toEqual([
    '0',
    {text: '7', to: {concept: 'good', mistakes: 'miss'}, tip: '7 missed of good'}
  ])
  expect(blocksText([conceptTable(rows)])).toMatch(/^good +1,234 +0\.80 \(0\.75 to 0\.85\) /m)
})

describe('labelBlocks', () => {
  const evaluation: LabelEvaluation = {
    ...{documents: 900, labelled: 200, shortAnswers: 3, level: 0.9, usedForRates: 0, evaluated: 'all'},
    rule: {fired: [0.4], silent: [0.4], likely: [0.4]},
    ...{micro: estimates(0.6), macro: estimates(0.5), macroConcepts: 1},
    concepts: [{concept: 'fall', hits: 5, misses: 2, alarms: 4, labelled: 200, ...estimates(0.6)}],
    baselines: {'noisy-or': {...estimates(0.7), differences: estimates(0.1)}},
    best: {
      f1: {methods: ['noisy-or'], level: []},
      precision: {methods: ['noisy-or'], level: []},
      recall: {methods: ['noisy-or'], level: ['this model']}
    }
  }
  const model = {
    certificate: {noise: {labelledCount: 50}},
    lexicon: {anchors: [{concept: 'fall', any: ['fell'], not: [], rates: undefined}]}
  }
  const text = (more: Partial<LabelEvaluation>) => blocksText(labelBlocks({...evaluation, ...more}, model))

  test('labelBlocks(...) has all decisions, the mean of concepts, the baselines and each concept', () => {
    const all = text({})
    expect(all).toMatch(/^200 labelled documents and 3 short answers, of 900 documents; 1 concept, reported at .* 40%/)
    expect(all).toMatch(/^all decisions +0\.60 \(0\.55 to 0\.65\)/m)
    expect(all).toMatch(/^mean of 1 frequent concept +0\.50 /m)
    expect(all).toMatch(/^noisy-or, all decisions +0\.70 /m)
    expect(all).toMatch(/^fall .* 5 +4 +2$/m)
    expect(all).toContain('noisy-or does better than this model in F1, precision and recall')
    expect(text({macroConcepts: 0})).not.toContain('mean of')
  })

  test.each([
    [{usedForRates: undefined}, 'from 50 labelled documents, and it does not record which'],
    [{usedForRates: 0}, 'learned without these labels'],
    [{usedForRates: 30, evaluated: 'others'}, 'learned from 30 other documents'],
    [{usedForRates: 30}, 'from 30 of these 203 labels, so the figures are optimistic']
  ] as const)('%j: it says whether the labels taught the model', (more, words) => {
    expect(text(more)).toContain(words)
  })
})

test('leftOutNotes(...) says what is left out, learned from, absent and nearly spelt as a concept', () => {
  const none = {skipped: 0, filtered: 0, learnedShare: 0, absent: [], stray: []}
  expect(leftOutNotes(none)).toEqual([])
  const [left, learned, absent, stray] = leftOutNotes({
    ...{skipped: 1200, filtered: 3, learnedShare: 0.5, absent: ['fall'], stray: ['the tag "Fall"']}
  })
  expect(left).toBe("left out: 1,200 without tags, 3 not passing the model's document filter")
  expect([learned, absent, stray]).toEqual([
    expect.stringContaining('50%'),
    expect.stringContaining('no document has the tag of'),
    'the tag "Fall"'
  ])
})
