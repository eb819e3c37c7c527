import fc from 'fast-check'
import {expect, test} from 'vitest'
import {log, logit, rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {encodeCorpus, learnLexicon, parseRow, vocabularyDefaults} from '../../read/data/index.ts'
import {estimateNoise} from '../noise/index.ts'
import {classCost, mostProbableShares} from './class-shares.ts'
import {classShares} from './fit-votes.ts'

const anyFiring = fc.array(fc.double({min: 0.01, max: 0.9, noNaN: true}), {minLength: 2, maxLength: 6})

test('mostProbableShares(...) is no worse than any other point nearby or far away, and prevalences add up to 1', () => {
  fc.assert(
    fc.property(anyFiring, fc.nat(1000), (firing, seed) => {
      const shares = mostProbableShares(firing)
      expect(shares.reduce((sum, {prevalence}) => sum + prevalence, 0)).toBeCloseTo(1, 12)
      const z = [...shares.map(({precision}) => logit(precision)), ...shares.map(({prevalence}) => log(prevalence))]
      const cost = classCost(firing, z)
      const random = rng(seed)
      for (const reach of [1e-3, 0.1, 3])
        for (let draw = 0; draw < 30; draw++) {
          const other = z.map(value => value + reach * (2 * random.next() - 1))
          // The search ends where no variable moves by 1e-7: the cost is quadratic around its minimum.
          expect(classCost(firing, other)).toBeGreaterThan(cost - 1e-9)
        }
    }),
    {numRuns: 30}
  )
})

test('mostProbableShares(...) of equal firing rates is balanced, with the usual precision between its two terms', () => {
  const [one, two] = mostProbableShares([0.3, 0.3])
  expect(one.prevalence).toBeCloseTo(0.5, 6)
  expect(one.precision).toBeCloseTo(two.precision, 6)
  const t = (one.precision * 0.3) / 0.5
  // The derivative by logit R: (z - 1.4) + (logit t - 0.4) (1 - R) / (1 - t) = 0.
  const slope = logit(one.precision) - 1.4 + ((logit(t) - 0.4) * (1 - one.precision)) / (1 - t)
  expect(slope).toBeCloseTo(0, 5)
})

/** Documents with votes of two sources; one votes for HAM nearly everywhere. */
function votes(isLabelled: boolean) {
  const random = rng(5)
  return Array.from({length: 300}, (_, d) => {
    const isSpam = random.next() < 0.5
    const rule = random.next() < (isSpam ? 0.7 : 0.1) ? 'SPAM' : null
    const model = random.next() < (isSpam ? 0.6 : 0.9) ? 'HAM' : null
    const tags = isLabelled ? {tags: [isSpam ? 'SPAM' : 'HAM']} : {}
    return parseRow({id: d, text: `w${d % 7}`, votes: {rule, model}, ...tags}, vocabularyDefaults, 'row')
  })
}

test('classShares(...) and `noise` auto keep every class of a group of votes; labels that doubt one are a warning', () => {
  for (const isLabelled of [false, true]) {
    const rows = votes(isLabelled)
    const anchors = ['HAM', 'SPAM'].map(concept => ({
      concept,
      any: [concept === 'HAM' ? 'votes:model=HAM' : 'votes:rule=SPAM'],
      not: [],
      rates: undefined,
      exclusive: {group: 0, size: 2}
    }))
    const lexicon = learnLexicon(rows, {kind: 'given', anchors}, vocabularyDefaults)
    const counts = countCorpus(encodeCorpus(rows, lexicon), {labelShare: isLabelled ? 1 : 0, seed: 0})
    const shares = classShares(counts)
    const {truePositive, prevalence, certificate} = estimateNoise(counts, 'auto')
    shares.forEach((share, i) => {
      expect(prevalence[i]).toBeCloseTo(share?.prevalence ?? 0, 9)
      expect(truePositive[i]).toBeLessThan(0.99)
    })
    expect(certificate.concepts.map(({weak}) => weak !== undefined)).toEqual([isLabelled, false])
    if (isLabelled) expect(certificate.concepts[0].weak).toMatch(/more than 3 times as common/)
    const apart = {...counts, lexicon: {...lexicon, anchors: anchors.map(({exclusive, ...anchor}) => anchor)}}
    expect(classShares(apart)).toEqual([undefined, undefined])
    if (isLabelled) expect(() => estimateNoise(apart, 'auto')).toThrow(/more than 3 times/)
  }
})
