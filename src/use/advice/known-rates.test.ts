import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus} from '../../read/data/index.ts'
import {knownRates} from './known-rates.ts'
import {anchorOf, countFeatures, drawPlanted} from './test-words.ts'

test('knownRates(...) takes the rates of the anchors file, and leaves out concepts of which nothing is known', () => {
  const counts = countFeatures(
    [
      {...anchorOf('fever', ['A']), rates: {kind: 'shares', prevalence: 0.2, precision: 0.9}},
      {...anchorOf('cough', ['C']), rates: {kind: 'rates', truePositive: 0.5, falsePositive: 0.02}},
      anchorOf('fall', ['B'])
    ],
    [
      [10, 'A'],
      [10, 'B'],
      [10, 'C'],
      [70, '']
    ]
  )
  const [fever, cough, ...others] = knownRates(counts)
  expect(others).toEqual([])
  expect(fever).toMatchObject({concept: 'fever', prevalence: {value: 0.2}, precision: {value: 0.9}})
  expect(fever.truePositive).toBeCloseTo((0.9 * 0.1) / 0.2, 12)
  expect(fever.falsePositive).toBeCloseTo((0.1 * 0.1) / 0.8, 12)
  expect([cough.concept, cough.truePositive, cough.falsePositive]).toEqual([
    'cough',
    expect.closeTo(0.5, 12),
    expect.closeTo(0.02, 12)
  ])
})

test('knownRates(...) leaves out rates that the frequency of the anchor makes impossible', () => {
  const counts = countFeatures(
    [{...anchorOf('fever', ['A']), rates: {kind: 'shares', prevalence: 0.1, precision: 0.9}}],
    [
      [50, 'A'],
      [50, '']
    ]
  )
  expect(knownRates(counts)).toEqual([])
})

test('knownRates(...) takes what labelled documents tell where no rates are given', () => {
  const rows = drawPlanted(2, 2000, 0.15, [
    {word: 'A', when: {fever: 0.5}, otherwise: 0.01},
    {word: 'B', when: {fall: 0.4}, otherwise: 0.01}
  ])
  const counts = countCorpus(buildCorpus(rows, [anchorOf('fever', ['A']), anchorOf('fall', ['B'])]), {labelShare: 1})
  const rates = knownRates(counts)
  expect(rates.map(({concept}) => concept)).toEqual(['fever', 'fall'])
  // Some 300 documents have each concept: five standard errors, and a little for pooling.
  expect(Math.abs(rates[0].truePositive - 0.505)).toBeLessThan(5 * Math.sqrt(0.25 / 300) + 0.02)
})
