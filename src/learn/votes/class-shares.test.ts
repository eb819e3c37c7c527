import {expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {encodeCorpus, learnLexicon, parseRow, vocabularyDefaults} from '../../read/data/index.ts'
import {estimateNoise} from '../noise/index.ts'
import {classShares} from './fit-votes.ts'

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
