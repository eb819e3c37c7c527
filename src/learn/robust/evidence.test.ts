import fc from 'fast-check'
import {expect, test} from 'vitest'
import {logit, rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {anchorFacts, EvidenceReader, learnEvidence, memberWeights} from './evidence.ts'
import {learnWordWeights} from './learn-word-weights.ts'
import {drawDocuments, mean} from './test-documents.ts'
import type {WordSample} from './word-sample.ts'

const sizes = [3, 1, 2]
const m = sizes.length
const concepts = sizes.flatMap((size, i) => Array.from({length: size}, () => i))
const {lexicon: drawn} = drawDocuments(4, 10).corpus
/** Anchors of one field and of several. */
const features = [['title:a', 'title:b', 'title:c'], ['title:d'], ['title:e', 'text:e']]
const lexicon = {
  anchors: features.map((any, i) => ({...drawn.anchors[i], any})),
  reading: {...drawn.reading, text: ['title', 'text']}
}
const shares = [0.5, 0.5, 1]
const facts = [
  {precision: 0.8, missed: 0.1},
  {precision: 0.6, missed: 0.05},
  {precision: 0.99, missed: 0.2}
]
const none: ReadonlySet<number> = new Set()

/** Members that fire by chance, and scores that differ between them. */
function sampleOf(seed: number, documents: number) {
  const random = rng(seed)
  const fired = Array.from({length: documents}, () => concepts.flatMap((_, k) => (random.next() < 0.2 ? [k] : [])))
  const flags = fired.flatMap(list => sizes.map((_, i) => (list.some(k => concepts[k] === i) ? 1 : 0)))
  const scores = flags.map((on, at) => 6 * random.next() - 3 + on + 4 * (fired[Math.floor(at / m)].includes(2) ? 1 : 0))
  return {
    documents,
    scores: Float64Array.from(scores),
    fired: Uint8Array.from(flags),
    members: fired
  } satisfies WordSample
}

/** The recipe, member by member, over lists of documents. */
function slowWeights({documents, scores, members: fired}: ReturnType<typeof sampleOf>): number[][] {
  const all = Array.from({length: documents}, (_, d) => d)
  const clip = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  return sizes.map((size, i) => {
    if (size === 1) return [0]
    const own = concepts.flatMap((concept, k) => (concept === i ? [k] : []))
    const s = (list: number[]) => list.map(d => clip(scores[d * m + i], -8, 8))
    const any = all.filter(d => own.some(k => fired[d].includes(k)))
    const none = all.filter(d => !any.includes(d))
    const r = clip(facts[i].precision, 0.03, 0.97)
    const g = (r - facts[i].missed) / Math.max(mean(s(any)) - mean(s(none)), 0.3)
    const variance = mean(s(any).map(value => (value - mean(s(any))) ** 2))
    const logits = own.map(k => {
      const with_k = all.filter(d => fired[d].includes(k))
      const v = (g ** 2 * variance) / with_k.length
      return logit(clip(r + (g * (mean(s(with_k)) - mean(s(any))) * 0.04) / (0.04 + v), 0.05, 0.97))
    })
    const gain = (d: number) => {
      const found = own.flatMap((k, at) => (fired[d].includes(k) ? [logits[at]] : []))
      return mean(found) + Math.log(1 + shares[i] * (found.length - 1))
    }
    return logits.map(value => value - mean(any.map(gain)))
  })
}

test('memberWeights(...) are the precisions that words tell, less what the usual members add', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({min: 60, max: 200}), (seed, documents) => {
      const sample = sampleOf(seed, documents)
      const {weights: found = [], precisions} = memberWeights(sample, lexicon, facts, none) ?? {}
      // Sums of at most 200 numbers below 64, in another order.
      slowWeights(sample).forEach((row, i) => {
        for (const [k, weight] of row.entries()) expect(found[i][k]).toBeCloseTo(weight, 9)
      })
      const flat = precisions?.flat() ?? []
      expect(flat).toHaveLength(concepts.length)
      // The rows are log-odds of the precisions, shifted; of one member, the precision of the anchor.
      found[0].forEach((weight, k) => {
        expect(logit(flat[k]) - logit(flat[0])).toBeCloseTo(weight - found[0][0], 9)
      })
      // Documents of member 2 have scores that are higher by 4.
      expect(found[0][2]).toBeGreaterThan(Math.max(found[0][0], found[0][1]))
    }),
    {numRuns: 50}
  )
})

test('memberWeights(...) keeps the mean evidence where an anchor fired at 0, and is undefined without members', () => {
  const sample = sampleOf(3, 80)
  const {weights: members} = memberWeights(sample, lexicon, facts, none) ?? {}
  const reader = new EvidenceReader(lexicon, {firedShare: 0.3, members: members ?? []})
  const sums = new Float64Array(m)
  for (const list of sample.members) for (const [i, value] of reader.fromMembers(list).entries()) sums[i] += value
  // Sums of 80 numbers below 4.
  for (const sum of sums) expect(sum).toBeCloseTo(0, 10)
  expect(memberWeights({...sample, members: undefined}, lexicon, facts, none)).toBeUndefined()
})

test('learnEvidence(...) counts the words of classes in full, and leaves their constants to Bayes rule', () => {
  const sample = sampleOf(7, 200)
  const rates = {truePositive: [0.5, 0.7, 0.3], falsePositive: [0.01, 0.05, 0.02], prevalence: [0.1, 0.3, 0.2]}
  const exclusive = {group: 0, size: 2, atMostOne: true as const}
  const anchors = lexicon.anchors.map((anchor, i) => (i < 2 ? {...anchor, exclusive} : anchor))
  const task = {lexicon: {...lexicon, anchors}, rates, groups: [], votes: [], isFromDocuments: true}
  const {evidence} = learnEvidence(sample, task)
  expect([...evidence.fixed]).toEqual([0, 1])
  for (let d = 0; d < 200; d++) {
    // The second anchor has one member, which adds nothing.
    expect(evidence.fired[d * m + 1]).toBe(sample.scores[d * m + 1])
    expect(evidence.silent[d * m + 2]).toBe(sample.scores[d * m + 2])
  }
  anchorFacts(rates).forEach(({silent, precision, missed, prevalence: p}, i) => {
    expect(evidence.constants.silent[i]).toBe(silent)
    expect(evidence.constants.fired[i]).toBeCloseTo(logit(precision), 12)
    // Bayes' rule with the anchor silent.
    expect(logit(missed)).toBeCloseTo(logit(p) + silent, 12)
  })
})

test('fromMembers(...) adds the votes of classes: functions by the root of their number, annotators one by one, silence', () => {
  const votes = {
    concepts: [0, 2],
    // Members 0 to 2 are of concept 0, member 3 of concept 1, members 4 and 5 of concept 2.
    weights: [
      [1, 0],
      [2, 0],
      [0.5, -0.7],
      [0, 3],
      [-0.2, 0.9]
    ],
    isFunction: [true, true, false, true, false],
    silent: [-0.4, -0.1]
  }
  const reader = new EvidenceReader(lexicon, {firedShare: 0.3, members: [[9, 9, 9], [0.25], [9, 9]], votes: [votes]})
  expect([...reader.fromMembers([0, 1, 2, 3])]).toEqual([1 / Math.sqrt(2) + 2 / Math.sqrt(2) + 0.5, 0.25, -0.7 - 0.1])
  expect([...reader.fromMembers([5])]).toEqual([-0.4 - 0.2, 0, 0.9])
  expect([...reader.fromMembers([])]).toEqual([-0.4, 0, -0.1])
})

test('learnWordWeights(...) weighs members from documents and from counts, and leaves anchors of one member alone', () => {
  const {corpus, model, rates, counts} = drawDocuments(4, 900)
  const [first] = corpus.lexicon.anchors
  const anchors = corpus.lexicon.anchors.with(0, {...first, any: [first.any[0], 'a second one']})
  const shifted = corpus.documents.map((document, d) => ({
    ...document,
    members: document.members.flatMap(k => (k > 0 ? [k + 1] : d % 3 === 0 ? [0] : d % 3 === 1 ? [1] : [0, 1]))
  }))
  const wide = {lexicon: {...corpus.lexicon, anchors}, documents: shifted}
  for (const documents of [true, false]) {
    const plain = learnWordWeights(counts, rates, model.network, documents ? corpus : undefined)
    expect(plain.members).toBeUndefined()
    const found = learnWordWeights(countCorpus(wide), rates, model.network, documents ? wide : undefined)
    expect(found.members?.map(row => row.length)).toEqual([2, ...plain.fired.slice(1).map(() => 1)])
    expect(found.members?.slice(1).flat()).toEqual(plain.fired.slice(1).map(() => 0))
    const {memberDocuments, memberPrecisions} = found.certificate
    expect(memberDocuments?.flat()).toEqual(
      [0, ...plain.fired.keys()].map((_, k) => shifted.filter(({members}) => members.includes(k)).length)
    )
    expect(memberPrecisions?.flat().every(precision => precision > 0 && precision < 1)).toBe(true)
    if (documents) expect(found.fired.slice(1)).toEqual(plain.fired.slice(1))
    expect(new EvidenceReader(wide.lexicon, found).fromMembers([0, 1])[0]).toBeGreaterThan(0)
  }
})
