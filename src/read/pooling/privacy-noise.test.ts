import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../counts/index.ts'
import type {Corpus} from '../data/index.ts'
import {limitCorpus} from './limit-evidence.ts'
import {checkPrivacyRules, concentration, type PrivacyRules, privacyBudget, privacyNoise} from './privacy-noise.ts'
import {releaseCounts} from './release-counts.ts'
import {anyCorpusOf, anyDocument, smallLexicon} from './test-noise.ts'

const lexicon = smallLexicon(5, 6)
const everything = {anchors: [0, 1, 2, 3, 4], members: [0, 1, 2, 3, 4], words: [0, 1, 2, 3, 4, 5]}
const rules: PrivacyRules = {mechanism: 'laplace', epsilon: 1, delta: 0, mostAnchors: 3, mostWords: 2}

/** The exact numbers that a release would be made from, by the parts of the budget. */
function numbersOf(corpus: Corpus, limits: PrivacyRules, maxOrder: number): Record<string, Float64Array> {
  // One document more in both, since nothing is released of none.
  const one = {key: '', words: [], anchors: [], members: [], labels: undefined}
  const limited = limitCorpus({lexicon, documents: [...corpus.documents, one]}, limits)
  const {low, wordLow, labelled} = releaseCounts(countCorpus(limited, {labelShare: 1}), {maxOrder, minCell: 0})
  return {anchors: low, words: wordLow, labels: labelled}
}

function changedNumbers(before: Float64Array, after: Float64Array): number {
  let changed = 0
  for (let at = 0; at < before.length; at++) {
    expect([0, 1]).toContain(after[at] - before[at])
    changed += after[at] - before[at]
  }
  return changed
}

describe('privacyNoise', () => {
  test.each([1, 2, 3])(
    'privacyBudget(...) of order %i: no document of any corpus changes more numbers, and one changes as many',
    maxOrder => {
      const limits = fc.record({mostAnchors: fc.integer({min: 1, max: 6}), mostWords: fc.integer({min: 1, max: 7})})
      const document = fc.oneof(
        anyDocument(lexicon),
        fc.string().map(key => ({key, ...everything, labels: new Int8Array(5)}))
      )
      fc.assert(
        fc.property(anyCorpusOf(lexicon), document, limits, (corpus, added, limit) => {
          const own = {...rules, ...limit}
          const before = numbersOf(corpus, own, maxOrder)
          const after = numbersOf({lexicon, documents: [...corpus.documents, added]}, own, maxOrder)
          const isFull = added === everything
          for (const {name, changes} of privacyBudget(own, {maxOrder, concepts: 5, words: 6, hasLabels: true})) {
            const changed = changedNumbers(before[name], after[name])
            expect(changed).toBeLessThanOrEqual(changes)
            if (isFull) expect(changed).toBe(changes)
          }
        }),
        {numRuns: 60}
      )
    }
  )

  const documents = Array.from({length: 50}, (_, at) => ({key: `${at}`, ...everything, labels: new Int8Array(5)}))
  const counts = (labelShare: number) => countCorpus(limitCorpus({lexicon, documents}, rules), {labelShare})
  const randomness = (seed: number) => {
    const random = rng(seed)
    return {words: () => Math.floor(random.next() * 2 ** 32), isRehearsal: true}
  }
  const noisy = (own: PrivacyRules, labelShare: number, seed: number) => {
    const made = counts(labelShare)
    return releaseCounts(made, {maxOrder: 2, minCell: 0, noise: privacyNoise(made, 2, own, randomness(seed))})
  }

  test.each(['laplace', 'gaussian'] as const)(
    'privacyNoise(...) puts %s noise of the stated size on every number',
    mechanism => {
      const own = {...rules, mechanism, epsilon: 8, delta: mechanism === 'laplace' ? 0 : 1e-6}
      const exact = releaseCounts(counts(1), {maxOrder: 2, minCell: 0})
      const squares = {anchors: 0, words: 0, labels: 0}
      const repeats = 150
      for (let seed = 0; seed < repeats; seed++) {
        const made = noisy(own, 1, seed)
        const add = (part: keyof typeof squares, a: Float64Array, b: Float64Array) => {
          for (let at = 0; at < a.length; at++) squares[part] += (a[at] - b[at]) ** 2 / a.length / repeats
        }
        add('anchors', made.low, exact.low)
        add('words', made.wordLow, exact.wordLow)
        add('labels', made.labelled, exact.labelled)
      }
      const [{noise}] = noisy(own, 1, 0).sites
      expect(noise).toMatchObject({...own, isRehearsal: true})
      expect(noise?.parts.map(({name}) => name)).toEqual(['anchors', 'words', 'labels'])
      for (const {name, scale} of noise?.parts ?? []) {
        // Variances: of the discrete Laplace 2q / (1 - q)^2; of the discrete Gaussian v. At least 2,400 numbers of kurtosis at
        // most 6.5, so five standard errors are at most a quarter.
        const q = Math.exp(-1 / scale)
        const variance = mechanism === 'laplace' ? (2 * q) / (1 - q) ** 2 : scale
        expect(Math.abs(squares[name] / variance - 1)).toBeLessThan(0.25)
      }
    }
  )

  test('privacyNoise(...) leaves labels alone that nobody counted, and they cost no budget', () => {
    const made = noisy(rules, 0, 1)
    expect(made.labelled.every(cell => cell === 0)).toBe(true)
    expect(made.sites[0].noise?.parts.map(({name}) => name)).toEqual(['anchors', 'words'])
    expect(made.sites[0].documents).toBe(made.low[0])
  })

  test('privacyNoise(...) refuses counts of documents that were not limited', () => {
    const unlimited = countCorpus({lexicon, documents})
    for (const own of [rules, {...rules, mostAnchors: 5}, {...rules, mostWords: 6}])
      expect(() => privacyNoise(unlimited, 2, own, randomness(1))).toThrow(
        /more than . concepts or . words.*count them again/
      )
    expect(() => privacyNoise(unlimited, 2, {...rules, mostAnchors: 5, mostWords: 6}, randomness(1))).not.toThrow()
  })
})

const laplace: PrivacyRules = {mechanism: 'laplace', epsilon: 1, delta: 0, mostAnchors: 4, mostWords: 30}
const sizes = {maxOrder: 2, concepts: 23, words: 500, hasLabels: false}

describe('privacyBudget', () => {
  test('privacyBudget(...) of Laplace noise: changes and scales as by hand', () => {
    // 1 + 4 + 6 = 11 and 30 * (1 + 4) = 150, half of the budget each: 11 / 0.5 and 150 / 0.5.
    expect(privacyBudget(laplace, sizes)).toEqual([
      {name: 'anchors', changes: 11, scale: 22},
      {name: 'words', changes: 150, scale: 300}
    ])
    // With labels a third each: 11 / (0.3 / 3), 150 / 0.1, 23 / 0.1.
    expect(privacyBudget({...laplace, epsilon: 0.3}, {...sizes, hasLabels: true}).map(({scale}) => scale)).toEqual([
      110, 1500, 230
    ])
  })

  test('privacyBudget(...) of Gaussian noise: variances as by hand', () => {
    // delta = 1e-6: L = 13.815511; rho = (sqrt(14.815511) - sqrt(13.815511))^2 = 0.0174689; half of it for each part.
    // 11 / (2 * 0.00873445) = 629.69 and 150 / (2 * 0.00873445) = 8586.69.
    expect(privacyBudget({...laplace, mechanism: 'gaussian', delta: 1e-6}, sizes).map(({scale}) => scale)).toEqual([
      630, 8587
    ])
  })

  test.each([
    [1, 5, 30],
    [2, 11, 150],
    [3, 15, 330]
  ])('privacyBudget(...) of order %i counts %i numbers of anchors and %i of words', (maxOrder, anchors, words) => {
    expect(privacyBudget(laplace, {...sizes, maxOrder}).map(({changes}) => changes)).toEqual([anchors, words])
  })

  test('privacyBudget(...) knows that there are no more concepts and words than there are, and no part without numbers', () => {
    expect(privacyBudget(laplace, {maxOrder: 3, concepts: 2, words: 7, hasLabels: false})).toMatchObject([
      {changes: 4},
      {changes: 28}
    ])
    expect(privacyBudget(laplace, {...sizes, words: 0})).toEqual([{name: 'anchors', changes: 11, scale: 11}])
  })

  test('concentration(epsilon, delta) is the rho with epsilon = rho + 2 sqrt(rho log(1 / delta))', () => {
    for (const epsilon of [1e-6, 0.1, 1, 8])
      for (const delta of [1e-12, 1e-6, 0.01]) {
        const rho = concentration(epsilon, delta)
        expect((rho + 2 * Math.sqrt(rho * Math.log(1 / delta))) / epsilon).toBeCloseTo(1, 12)
      }
  })

  test.each([
    [{epsilon: 0}, /`epsilon` must be a number above 0.*got 0/],
    [{epsilon: Number.NaN}, /epsilon/],
    [{epsilon: 101}, /at most 100/],
    [{delta: 1e-6}, /`delta` must be 0 with laplace/],
    [{mechanism: 'gaussian'}, /`delta` must be above 0/],
    [{mechanism: 'gaussian', delta: 0.1}, /at most 0.01/],
    [{mechanism: 'uniform'}, /'laplace' or 'gaussian'; got "uniform"/],
    [{mostAnchors: 0}, /`mostAnchors` must be a whole number from 1 to 10000/],
    [{mostWords: 1.5}, /`mostWords` must be a whole number/]
  ])('checkPrivacyRules(%j) refuses what promises nothing', (wrong, message) => {
    expect(() => checkPrivacyRules({...laplace, ...(wrong as Partial<PrivacyRules>)})).toThrow(message)
  })
})
