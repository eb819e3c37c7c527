import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {judgeNoise, type NoiseMethod} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {emergencyModel} from '../synthetic/index.ts'
import {type Diagnosis, diagnose} from './diagnose.ts'
import type {FindingKind} from './finding.ts'
import {countPlanted, countRows, drawn, exactRates, generated, trueRates, withMembers} from './test-faults.ts'

const seeds = Array.from({length: 10}, (_, at) => at + 1)
const size = {concepts: 24, words: 150, prevalence: [0.06, 0.2]} as const

/** Concepts, by number, with a finding of one of these kinds. */
function found({anchors, findings}: Diagnosis, kinds: readonly FindingKind[], isFault = false): number[] {
  return anchors.flatMap(({concept}, i) =>
    findings.some(
      ({severity, ...finding}) =>
        finding.concept === concept && kinds.includes(finding.kind) && (severity === 'fault' || !isFault)
    )
      ? [i]
      : []
  )
}

/** Concepts of which the documents or labels say something bad; rates are judged apart. */
function accused({findings}: Diagnosis): Set<string> {
  const byRates: readonly FindingKind[] = ['doubtful-rates', 'rate-below-word', 'residual']
  return new Set(
    findings.filter(({severity, kind}) => severity !== 'note' && !byRates.includes(kind)).map(({concept}) => concept)
  )
}

/** The diagnosis with the verdict of a fit. */
async function diagnoseAs(noise: NoiseMethod, counts: Counts): Promise<Diagnosis> {
  const {rates, refused} = judgeNoise(counts, noise)
  return diagnose(counts, {rates, refused})
}

describe('diagnose(counts), sound anchors', () => {
  test('diagnose(counts) accuses at most 5% of the sound anchors of random models, with labels and rates or without', async () => {
    let anchors = 0
    let faults = 0
    for (const seed of seeds) {
      const planted = generated(seed, 1500, {...size, memberCount: seed % 3 === 0 ? 2 : 1})
      anchors += 2 * size.concepts
      faults += accused(await diagnose(countPlanted(planted))).size
      // Anchors with a precision below 45% are doubtful.
      const sound = new Set(
        trueRates(planted.model).flatMap(({concept, precision}) => (precision.value < 0.5 ? [] : [concept]))
      )
      const judged = await diagnose(countPlanted(planted, 1), {rates: trueRates(planted.model)})
      faults += [...accused(judged)].filter(concept => sound.has(concept)).length
    }
    expect(anchors).toBe(480)
    expect(faults).toBeLessThanOrEqual(0.05 * anchors)
  })

  test('diagnose(counts) has nothing against the anchors of the emergency department', async () => {
    const counts = countPlanted(drawn(emergencyModel(), 4000, rng(3)), 1)
    expect((await diagnose(counts)).findings).toEqual([])
  })
})

describe('diagnose(counts), planted faults', () => {
  test('diagnose(counts) finds anchors that hardly fire', async () => {
    for (const seed of seeds.slice(0, 3)) {
      const random = rng(seed)
      const planted = withMembers(generated(seed, 2000, size), ({members}) =>
        members.filter(member => member !== 5 || random.next() < 0.02)
      )
      expect(found(await diagnose(countPlanted(planted)), ['dead', 'rare'])).toEqual([5])
    }
  })

  test('diagnose(counts) finds anchors that fire for another concept too', async () => {
    const pairs = [
      [0, 5],
      [3, 9],
      [7, 1],
      [12, 15]
    ]
    let hits = 0
    let others = 0
    const few = seeds.slice(0, 5)
    for (const seed of few) {
      const random = rng(seed)
      const planted = withMembers(generated(seed, 4000, {...size, words: 300}), ({y, members}) => [
        ...new Set([...members, ...pairs.flatMap(([i, k]) => (y[k] === 1 && random.next() < 0.4 ? [i] : []))])
      ])
      const judged = found(await diagnose(countPlanted(planted)), ['fires-for-another'])
      hits += judged.filter(i => pairs.some(([planted]) => planted === i)).length
      others += judged.filter(i => pairs.every(([planted]) => planted !== i)).length
    }
    // Those that are missed have concepts that go together anyway, so that few of their documents are wrong.
    expect(hits).toBeGreaterThanOrEqual(0.8 * 4 * few.length)
    expect(others).toBeLessThanOrEqual(0.05 * 20 * few.length)
  })

  test('diagnose(counts) finds features that were swapped between anchors of two', async () => {
    const swap = new Map([
      [1, 11],
      [11, 1]
    ])
    for (const seed of seeds.slice(0, 4)) {
      const planted = withMembers(generated(seed, 2500, {...size, memberCount: 2}), ({members}) =>
        members.map(member => swap.get(member) ?? member)
      )
      expect(found(await diagnose(countPlanted(planted)), ['foreign-member'])).toEqual([0, 5])
    }
  })

  test('diagnose(counts) finds whole anchors that were swapped, by labels of a tenth of the documents', async () => {
    const swap = new Map([
      [0, 5],
      [5, 0],
      [10, 15],
      [15, 10]
    ])
    let hits = 0
    const few = seeds.slice(0, 5)
    for (const seed of few) {
      const planted = withMembers(generated(seed, 3000, size), ({members}) =>
        members.map(member => swap.get(member) ?? member)
      )
      const judged = found(await diagnoseAs('auto', countPlanted(planted, 0.1)), ['wrong-labels'])
      hits += judged.filter(i => swap.has(i)).length
      expect(judged.every(i => swap.has(i))).toBe(true)
      // A fit refuses those where labels leave no doubt; the others belong to concepts that occur together.
      const refused = found(await diagnoseAs('auto', countPlanted(planted, 1)), ['wrong-labels'], true)
      expect(refused.length).toBeGreaterThanOrEqual(2)
      expect(refused.every(i => swap.has(i))).toBe(true)
    }
    expect(hits).toBeGreaterThanOrEqual(0.9 * 4 * few.length)
  })
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
      {concept: 'concept-01', severity: 'fault', message: 'no label has it', remedy: 'label more'},
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
