import {describe, expect, test} from 'vitest'
import type {Finding} from '../../use/advice/index.ts'
import {describeFinding, findingLine, findingText, plainText, uncoveredText} from './index.ts'

const firing = {of: 100, least: 30, features: ['r'], hasVeto: true, documents: 29, share: 0.29}
const reason = "anchor 'x' does not occur in any of the 30 documents; check its spelling"
const weak = {precision: 0.1, labelled: 40, interval: [0.04, 0.2], othersPrecision: 0.9, othersLabelled: 20} as const
const labels = {labelled: 200, withConcept: 100, withAnchor: 40, withBoth: 20, precisionAtMost: 0.6}
const residual = {other: 'b', together: 0, expectedTogether: 1, divergence: 9, chance: 0.001}
const disagree = {pair: ['p', 'q'] as const, used: 9, pairSpread: 0.4, impossiblePairs: 0}

/** The kind, the evidence, and a part of the sentence. */
const sentences: readonly (readonly [Pick<Finding, 'kind' | 'evidence'>, string])[] = [
  [
    {kind: 'rare', evidence: firing},
    "its anchor 'r' fires in 29 documents of 100; with fewer than 30 little can be learned"
  ],
  [
    {kind: 'dead', evidence: {reason, kept: 'no'}},
    'does not occur in any of the 30 documents; the concept is left out'
  ],
  [
    {kind: 'shared', evidence: {features: ['v'], others: ['b', 'c'], kept: 'in part'}},
    `'v' is a member of the anchor of "b", "c" too; the rest of its anchor is kept`
  ],
  [{kind: 'always', evidence: {documents: 60, share: 0.6}}, 'fires in 60% of the documents'],
  [{kind: 'dead-member', evidence: {features: ['v', 'w']}}, "'v', 'w' never occur; the rest"],
  [
    {kind: 'together', evidence: {other: 'b', together: 40, documents: 50, otherDocuments: 90, isSame: false}},
    'hardly fires without that of "b": 80% of its 50 documents have both'
  ],
  [
    {kind: 'nested', evidence: {features: ['v'], phrases: ['v w'], other: 'b'}},
    `its anchor 'v' is part of 'v w' of "b"`
  ],
  [
    {kind: 'forms', evidence: {features: ['vs'], documents: [20], isSampled: true}},
    "other forms of its anchor occur: 'vs' in about 20 documents"
  ],
  [
    {kind: 'negated', evidence: {documents: 48, negated: 24, examples: ['No fever']}},
    "in 24 of the 48 documents where its anchor fires (50%) its words are negated: 'No fever'"
  ],
  [
    {
      kind: 'fires-for-another',
      evidence: {other: 'b', together: 9, absentShare: 1.2, standardErrors: 4, words: ['w'], also: ['c']}
    },
    `of the 9 documents where both anchors fire, about 100% lack the words typical of "a" ('w'); the same with "c"`
  ],
  [
    {
      kind: 'foreign-member',
      evidence: {
        feature: 'v',
        otherFeature: 'w',
        other: 'b',
        ownFeature: 'x',
        foreignLikeness: 1.1,
        ownLikeness: 0.1,
        standardErrors: 9
      }
    },
    `the words around 'v' are those around 'w' of "b" (100% alike) rather than those around 'x' of its own anchor (10%)`
  ],
  [
    {kind: 'members-disagree', evidence: {...disagree, rejected: ['w'], isSpread: true}},
    "'w' depends on one of 'p' and 'q' in a way that the concept does not explain; different pairs"
  ],
  [
    {kind: 'members-disagree', evidence: {...disagree, rejected: [], isSpread: true}},
    'one concept alone: different pairs of its members give different rates'
  ],
  [
    {kind: 'weak-member', evidence: {...weak, feature: 'v', othersInterval: [0.7, 0.97]}},
    "where 'v' alone fires, the concept is present in 10% of 40 labelled documents (4.0% to 20%); where another member fires, in 90% of 20"
  ],
  [
    {kind: 'wrong-labels', evidence: {...labels, isUnrelated: true}},
    'fires in 20% of the documents that have the concept and in 20% of those that do not'
  ],
  [
    {kind: 'wrong-labels', evidence: {...labels, isUnrelated: false}},
    'only 50% of the documents where its anchor fires have the concept; 45% or more is usual'
  ],
  [{kind: 'refused-rates', evidence: {reason: 'no label; too few; label more'}}, 'no label; too few'],
  [
    {kind: 'impossible-rates', evidence: {truePositive: 0.9, falsePositive: 0.3, share: 0.2}},
    'in 90% of the documents that have the concept and in 30% of those that do not, yet it fires in 20% of all'
  ],
  [
    {
      kind: 'rate-below-word',
      evidence: {words: ['w', 'x'], share: 0.75, documents: 200, truePositive: 0.4, truePositiveAtMost: 0.4}
    },
    "75% of the 200 documents with 'w', but by its rates in at most 40% of any documents (likewise with 'x')"
  ],
  [
    {kind: 'residual', evidence: {...residual, isTogether: false, observed: 900, expected: 700}},
    'either its anchor or that of "b" fires alone in 900 documents; their rates imply at most about 700'
  ]
]

describe('findingText(...)', () => {
  test.each(sentences)('%j', (part, text) => {
    const [message, remedy] = findingText({concept: 'a', severity: 'warning', ...part} as Finding)
    expect(plainText(message)).toContain(text)
    expect(plainText(remedy)).not.toBe('')
  })
})

const rare: Finding = {concept: 'a', severity: 'warning', kind: 'rare', evidence: firing}

test('findingLine(...) has the severity or the concept, and the place of what the remedy needs', () => {
  const line = (options: Parameters<typeof findingLine>[2]) =>
    plainText(findingLine(rare, {suggestions: 'adfa suggest'}, options))
  expect(line({isTagged: true})).toMatch(
    /^warning its anchor .* learned\. What to do: .* or add words \(adfa suggest\)\.$/
  )
  expect(line({isNamed: true})).toMatch(/^a: its anchor /)
})

test('describeFinding(...) adds the sentences and the tool to the facts', () => {
  expect(describeFinding(rare)).toEqual({
    ...rare,
    message: expect.stringMatching(/^its anchor 'r' fires/),
    remedy: expect.stringMatching(/^check its spelling and field and its "not"/),
    tool: 'suggestions'
  })
})

test('uncoveredText(...) names the group by its word', () => {
  const text = plainText(uncoveredText({words: ['rails', 'ruby'], documents: 1200, ofDocuments: 1500}))
  expect(text).toMatch(
    /^No anchor fires in 1,200 of the 1,500 documents looked at with 'rails'; typical of them: 'ruby'\./
  )
})
