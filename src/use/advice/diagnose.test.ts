import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {judgeNoise} from '../../learn/noise/index.ts'
import {emergencyModel} from '../synthetic/index.ts'
import {diagnose} from './diagnose.ts'
import {countPlanted, countRows, drawn, exactRates, generated, trueRates, withMembers} from './test-faults.ts'

const size = {concepts: 24, words: 150, prevalence: [0.06, 0.2]} as const

test('diagnose(counts) has nothing against the anchors of the emergency department', async () => {
  const counts = countPlanted(drawn(emergencyModel(), 4000, rng(3)), 1)
  expect((await diagnose(counts)).findings).toEqual([])
})

test('diagnose(counts) finds whole anchors that were swapped, by labels, and faults are what a fit refuses', async () => {
  const swap = new Map([
    [0, 5],
    [5, 0],
    [10, 15],
    [15, 10]
  ])
  const planted = withMembers(generated(1, 3000, size), ({members}) =>
    members.map(member => swap.get(member) ?? member)
  )
  const counts = countPlanted(planted, 1)
  const {rates, refused} = judgeNoise(counts, 'auto')
  const {findings} = await diagnose(counts, {rates, refused})
  const wrong = findings.filter(({kind}) => kind === 'wrong-labels')
  const swapped = [...swap.keys()].map(i => planted.model.concepts[i].name)
  // Two concepts that occur together may hide a swap.
  expect(wrong.length).toBeGreaterThanOrEqual(3)
  expect(swapped).toEqual(expect.arrayContaining(wrong.map(({concept}) => concept)))
  const faults = wrong.filter(({severity}) => severity === 'fault').map(({concept}) => concept)
  expect(new Set(faults)).toEqual(new Set(refused.map(({concept}) => concept)))
})

describe('diagnose(counts), facts', () => {
  test('diagnose(counts, {rates}) holds rates that were not measured against no anchor', async () => {
    const planted = generated(1, 1500, {concepts: 4, words: 30, memberCount: 2})
    // Rates that the documents contradict in every respect.
    const wrong = trueRates(planted.model).map(rates => ({...rates, truePositive: 1e-3, falsePositive: 1e-4}))
    const counts = countPlanted(planted, 0)
    expect((await diagnose(counts, {rates: wrong})).findings.some(({kind}) => kind === 'impossible-rates')).toBe(true)
    const constant = wrong.map(rates => ({...rates, basis: 'constant', sources: []}) as const)
    const {findings, anchors} = await diagnose(counts, {rates: constant})
    expect(findings).toEqual((await diagnose(counts)).findings)
    expect(anchors.every(({rates}) => rates === undefined)).toBe(true)
  })

  test('diagnose(counts) gives documents, features, overlaps, rates and the worst pair of each anchor', async () => {
    const planted = generated(1, 1500, {concepts: 4, words: 30, memberCount: 2})
    const rates = trueRates(planted.model)
    const {anchors, documentCount, labelledCount} = await diagnose(countPlanted(planted, 1), {rates})
    expect([documentCount, labelledCount]).toEqual([1500, 1500])
    anchors.forEach((facts, i) => {
      const fires = (k: number) => planted.documents.filter(({members}) => members.some(w => w >> 1 === k))
      expect(facts.documents).toBe(fires(i).length)
      expect(facts.share).toBe(fires(i).length / 1500)
      expect(facts.members.map(({documents}) => documents)).toEqual(
        [2 * i, 2 * i + 1].map(w => planted.documents.filter(({members}) => members.includes(w)).length)
      )
      for (const {concept, documents} of facts.overlaps) {
        const k = rates.findIndex(rate => rate.concept === concept)
        expect(documents).toBe(fires(i).filter(({members}) => members.some(w => w >> 1 === k)).length)
      }
      expect(facts.rates).toEqual(rates[i])
      expect(facts.worstPair?.divergence).toBeGreaterThanOrEqual(0)
      expect(facts.worstPair?.concept).not.toBe(facts.concept)
    })
  })

  test('diagnose(counts) puts the worst findings first', async () => {
    const planted = withMembers(generated(2, 1500, {...size, memberCount: 2}), ({members}) =>
      members.filter(member => member !== 0 && member !== 4 && member !== 5)
    )
    const {findings} = await diagnose(countPlanted(planted))
    expect(findings.map(({severity, kind}) => [severity, kind])).toEqual([
      ['warning', 'dead'],
      ['note', 'dead-member']
    ])
  })

  test('diagnose(counts, {refused}) says why there are no rates, unless the anchor is accused of the same', async () => {
    const planted = withMembers(generated(3, 1000, {concepts: 3, words: 30}), ({members}) =>
      members.filter(member => member !== 2)
    )
    const refused = planted.model.concepts.map(({name}) => ({concept: name, reason: 'no label has it; label more'}))
    const {findings} = await diagnose(countPlanted(planted), {refused})
    expect(findings.filter(({kind}) => kind === 'refused-rates')).toMatchObject([
      {concept: 'concept-01', severity: 'fault', evidence: {reason: 'no label has it; label more'}},
      {concept: 'concept-02'}
    ])
  })

  test('diagnose(counts) gives finite numbers, of concepts that there are, for any documents', async () => {
    const anchors = {one: ['a', 'b'], two: ['c'], three: ['d', 'e', 'a']}
    const row = fc.tuple(fc.integer({min: 1, max: 40}), fc.subarray(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z']))
    const rate = fc.double({min: 0.001, max: 0.999, noNaN: true})
    await fc.assert(
      fc.asyncProperty(fc.array(row, {minLength: 1, maxLength: 12}), rate, rate, async (rows, t, e) => {
        // One working anchor at least.
        const counts = countRows(anchors, [
          [1, 'b'],
          [1, 'd'],
          [1, 'x'],
          ...rows.map(([n, names]) => [n, names.join(' ')] as const)
        ])
        const rates = counts.lexicon.anchors.map(({concept}) =>
          exactRates(concept, {prevalence: t, precision: e, truePositive: t, falsePositive: e})
        )
        const {anchors: facts, findings} = await diagnose(counts, {rates})
        expect(facts.map(({concept}) => concept)).toEqual(counts.lexicon.anchors.map(({concept}) => concept))
        for (const {concept, evidence} of findings) {
          expect(Object.keys(anchors)).toContain(concept)
          for (const value of Object.values(evidence))
            if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite)
        }
      }),
      {numRuns: 100}
    )
  })

  test('diagnose(counts, {rates}) refuses rates of a concept that was not counted', async () => {
    const planted = generated(1, 100, {concepts: 2, words: 20})
    const [first] = trueRates(planted.model)
    await expect(() => diagnose(countPlanted(planted), {rates: [{...first, concept: 'gout'}]})).rejects.toThrow(
      'diagnose: rates for "gout", which is not a concept of these counts'
    )
  })
})
