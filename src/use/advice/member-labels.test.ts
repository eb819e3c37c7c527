import fc from 'fast-check'
import {expect, test} from 'vitest'
import {type Rng, rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {type CorpusDocument, type Lexicon, textDefaults} from '../../read/data/index.ts'
import {shareInterval} from './anchor-statistics.ts'
import {checkWeakMembers} from './check-members.ts'
import {diagnose} from './diagnose.ts'
import {fieldFacts, memberLabels} from './member-labels.ts'

/** Concepts with an anchor in the title and in the text; members 2i and 2i + 1. */
function lexiconOf(concepts: number): Lexicon {
  const anchors = Array.from({length: concepts}, (_, i) => {
    return {concept: `c${i}`, any: [`title:c${i}`, `text:c${i}`], not: [], rates: undefined}
  })
  const reading = {...textDefaults, text: ['title', 'text']}
  return {anchors, words: [], phrases: [], reading, filter: undefined, skipped: []}
}

/** One document per entry, each with one concept: its members and its label. */
function documentsOf(
  entries: readonly (readonly [concept: number, members: readonly number[], label: number])[],
  m: number
) {
  return entries.map(([i, members, label], at): CorpusDocument => {
    return {key: `${at}`, words: [], anchors: [i], members, labels: new Int8Array(m).fill(-1).with(i, label)}
  })
}

test('memberLabels(lexicon, documents) equals looking at each document', () => {
  const m = 3
  const member = fc.subarray([0, 1], {minLength: 1})
  const entry = fc.tuple(fc.nat(m - 1), member, fc.constantFrom(-1, 0, 1))
  fc.assert(
    fc.property(fc.array(entry, {maxLength: 40}), drawn => {
      const entries = drawn.map(([i, own, label]) => [i, own.map(k => 2 * i + k), label] as const)
      const found = memberLabels(lexiconOf(m), documentsOf(entries, m))
      const known = entries.filter(([, , label]) => label !== -1)
      expect(found).toHaveLength(known.length === 0 ? 0 : 2 * m)
      found.forEach(({alone, others}, k) => {
        const own = known.filter(([i]) => i === Math.floor(k / 2))
        const only = own.filter(([, members]) => members.length === 1 && members[0] === k)
        const rest = own.filter(entry => !only.includes(entry))
        const hits = (list: typeof known) => list.filter(([, , label]) => label === 1).length
        expect(alone).toEqual({documents: only.length, precision: shareInterval(hits(only), only.length)})
        expect(others).toEqual({documents: rest.length, precision: shareInterval(hits(rest), rest.length)})
      })
    })
  )
})

/** Labelled documents of concepts where the text alone fires, each concept with its own precision around `centre`. */
function textOnly(random: Rng, concepts: number, centre: number, spread = 0.3) {
  return documentsOf(
    Array.from({length: concepts}, (_, i) => i).flatMap(i => {
      const precision = Math.min(1, Math.max(0, centre + spread * (random.next() - 0.5)))
      const size = 1 + Math.floor(20 * random.next())
      return Array.from({length: size}, () => [i, [2 * i + 1], random.next() < precision ? 1 : 0] as const)
    }),
    concepts
  )
}

test('fieldFacts(lexicon, documents) calls a field weak if it clearly is, in enough documents of enough concepts', () => {
  const weak = (concepts: number, centre: number) =>
    fieldFacts(lexiconOf(concepts), textOnly(rng(concepts), concepts, centre)).map(({isWeak}) => isWeak)
  expect(weak(30, 0.16)).toEqual([true])
  expect(weak(30, 0.45)).toEqual([false])
  expect(weak(4, 0.16)).toEqual([false])
  expect(fieldFacts(lexiconOf(3), [])).toEqual([])
})

test('fieldFacts(lexicon, documents) takes anchors with members in several fields, where only one field fires', () => {
  const {anchors, ...rest} = lexiconOf(3)
  const lexicon = {...rest, anchors: anchors.with(2, {...anchors[2], any: ['text:a', 'text:b']})}
  const entries = [
    [0, [0], 1],
    [0, [1], 0],
    [0, [0, 1], 1],
    [1, [3], 1],
    [1, [3], -1],
    [2, [4], 1]
  ] as const
  const facts = fieldFacts(lexicon, documentsOf(entries, 3))
  expect(facts.map(({field, concepts, alone}) => [field, concepts, alone.documents, alone.precision.value])).toEqual([
    ['title', 1, 1, 1],
    ['text', 2, 2, 0.5]
  ])
})

/** n documents where these members fire, of which `present` have the concept. */
function repeated(n: number, members: readonly number[], present: number) {
  return Array.from({length: n}, (_, at) => [Math.floor(members[0] / 2), members, at < present ? 1 : 0] as const)
}

test('checkWeakMembers(lexicon, labels) warns of a member that is imprecise where it fires alone, and of no other', () => {
  const found = (alone: readonly [number, number], both: readonly [number, number]) => {
    const documents = documentsOf([...repeated(alone[0], [1], alone[1]), ...repeated(both[0], [0, 1], both[1])], 1)
    return checkWeakMembers(lexiconOf(1), memberLabels(lexiconOf(1), documents))
  }
  const [finding] = found([40, 4], [20, 18])
  expect(finding).toMatchObject({
    concept: 'c0',
    severity: 'warning',
    kind: 'weak-member',
    evidence: {feature: 'text:c0', precision: 0.1, labelled: 40, othersPrecision: 0.9, othersLabelled: 20}
  })
  // Precise enough; no worse than the others; too few labels; nothing to compare with.
  for (const [alone, both] of [
    [
      [40, 20],
      [20, 18]
    ],
    [
      [40, 4],
      [20, 4]
    ],
    [
      [4, 0],
      [20, 18]
    ],
    [
      [40, 4],
      [0, 0]
    ]
  ] as const)
    expect(found(alone, both)).toEqual([])
})

test('diagnose(counts, {encoded}) has the labels of members and fields as numbers', async () => {
  const lexicon = lexiconOf(1)
  const documents = documentsOf([...repeated(40, [1], 4), ...repeated(20, [0], 18)], 1)
  const counts = countCorpus({lexicon, documents}, {labelShare: 1})
  const {anchors, fields, findings} = await diagnose(counts, {encoded: documents})
  const share = (hits: number, trials: number) => ({documents: trials, precision: shareInterval(hits, trials)})
  expect(anchors[0].members).toEqual([
    {name: 'title:c0', documents: 20, labels: {alone: share(18, 20), others: share(4, 40)}},
    {name: 'text:c0', documents: 40, labels: {alone: share(4, 40), others: share(18, 20)}}
  ])
  expect(fields.map(({field, alone, isWeak}) => [field, alone.documents, isWeak])).toEqual([
    ['title', 20, false],
    ['text', 40, false]
  ])
  expect(findings.map(({kind}) => kind)).toContain('weak-member')
  const without = await diagnose(counts)
  expect(without.fields).toEqual([])
  expect(without.anchors[0].members).toEqual(anchors[0].members.map(({name, documents}) => ({name, documents})))
})
