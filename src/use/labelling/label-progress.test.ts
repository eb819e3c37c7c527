import {describe, expect, it} from 'vitest'
import {pooledRates} from '../../learn/noise/index.ts'
import {labelledSample, labelProgress} from './label-progress.ts'

const concepts = ['common', 'middling', 'rare']
/** Cells without the concept and the anchor, with the anchor alone, with the concept alone, with both. */
const sample = {
  documentCount: 10_000,
  anchoredCounts: [2000, 500, 10],
  labelled: [59, 1, 23, 17, 90, 0, 5, 5, 100, 0, 0, 0]
}
const limits = {documents: 100, goal: 200, narrow: 3}

describe('labelProgress', () => {
  it('labelProgress(...) sums up the intervals of the concepts that can be used', () => {
    const {precision} = labelProgress(concepts, sample, limits)
    const [common, middling] = pooledRates(sample).map(({prevalence}) => prevalence.high / prevalence.low)
    expect(precision?.worst).toEqual({concept: 'middling', factor: middling})
    expect(precision?.median).toBeCloseTo((common + middling) / 2, 12)
    expect(precision?.unusable).toEqual(['rare'])
  })

  it('labelProgress(...) is enough when the widest interval is narrower than the factor asked for', () => {
    const widest = labelProgress(concepts, sample, limits).precision?.worst.factor ?? 0
    expect(labelProgress(concepts, sample, {...limits, narrow: widest * 1.01}).enough).toBe('intervals')
    expect(labelProgress(concepts, sample, {...limits, narrow: widest * 0.99}).enough).toBeUndefined()
    expect(labelProgress(concepts, sample, {...limits, goal: 100, narrow: widest * 0.99}).enough).toBe('documents')
    expect(labelProgress(concepts, sample, {...limits, documents: 99, narrow: widest * 1.01}).enough).toBeUndefined()
    expect(labelProgress(concepts, sample, {documents: 50, goal: 50, narrow: widest * 1.01}).enough).toBe('intervals')
  })

  it('labelProgress(...) is not enough because no concept can be used', () => {
    const hopeless = {...sample, anchoredCounts: [10, 10, 10], labelled: [60, 0, 40, 0, 90, 0, 10, 0, 100, 0, 0, 0]}
    const {precision, enough} = labelProgress(concepts, hopeless, {...limits, narrow: 1000})
    expect(precision?.unusable).toEqual(concepts)
    expect(enough).toBeUndefined()
  })

  it('labelProgress(...) knows nothing before a labelled document has a concept', () => {
    const none = {...sample, labelled: [99, 1, 0, 0, 99, 1, 0, 0, 99, 1, 0, 0]}
    expect(labelProgress(concepts, none, limits)).toEqual({
      documents: 100,
      least: 100,
      goal: 200,
      precision: undefined,
      enough: undefined
    })
  })
})

describe('labelledSample', () => {
  it('labelledSample(...) counts labels by truth and by whether the anchor fires, and skipped documents not at all', () => {
    const row = (id: number, labels: object, drawn: 'random' | 'anchored') => ({
      id,
      labels: new Map<string, boolean>(Object.entries(labels)),
      drawn,
      skipped: undefined,
      others: new Map()
    })
    const rows = [
      row(1, {a: true, b: false}, 'random'),
      row(2, {a: true, b: true}, 'random'),
      row(3, {a: false, b: false}, 'random'),
      row(4, {a: true}, 'anchored'),
      row(5, {a: false}, 'anchored'),
      {...row(6, {}, 'random'), skipped: {concept: undefined}}
    ]
    const fired = new Map([
      ['1', [0]],
      ['2', [1]],
      ['3', [0, 1]],
      ['4', [0, 1]],
      ['5', [0]],
      ['6', [0]]
    ])
    const totals = {documentCount: 50, anchoredCounts: [9, 8]}
    expect(labelledSample(['a', 'b'], rows, key => fired.get(key) ?? [], totals)).toEqual({
      ...totals,
      // a is labelled in all but the skipped one and fires in 1, 3, 4 and 5; b in the random ones, and fires in 2 and 3.
      labelled: Float64Array.of(0, 2, 1, 2, 1, 1, 0, 1)
    })
  })
})
