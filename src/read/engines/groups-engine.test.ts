import {describe, expect, test} from 'vitest'
import {countsToBytes} from '../counts/index.ts'
import {indexAnchors, textDefaults} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {failureOf} from '../files/test-folder.ts'
import {type AnchorSource, countDocuments, countWith} from './count-with.ts'
import {describeEngine} from './engine.contract.ts'
import {groupsEngine} from './groups-engine.ts'
import {drawCorpora, type TestCorpus} from './test-corpora.ts'
import {groupNaively} from './test-groups.ts'
import {sourceOf} from './test-source.ts'

describe('countWith(groupsEngine(...))', () => {
  describeEngine({name: 'groups', corpora: plainCorpora(150), open: async corpus => groupsEngine(groupsOf(corpus))})

  test('countWith(groupsEngine(...)) with a lexicon counts its words and no others', async () => {
    for (const corpus of plainCorpora(40)) {
      const {rows, anchors, options} = corpus
      const few = await countDocuments(sourceOf(rows), anchors, {...options, vocabulary: 4}).catch(() => undefined)
      if (few === undefined) continue
      const like = {kind: 'lexicon', lexicon: few.lexicon} as const
      const found = await countWith(groupsEngine(groupsOf(corpus)), like)
      expect(countsToBytes(found)).toEqual(countsToBytes(await countDocuments(sourceOf(rows), like)))
    }
  })

  test('countWith(groupsEngine(...)) adds groups that are finer than the anchors', async () => {
    const documents = [['a', 'x'], ['a', 'b', 'x'], ['b', 'y'], []]
    const anchors = {kind: 'given', anchors: anchorsOf({first: 'a'})} as const
    const options = {text: [], maxShare: 1}
    const coarse = await countWith(groupsEngine(groupNaively(documents, new Set(['a']))), anchors, options)
    const fine = await countWith(groupsEngine(groupNaively(documents, new Set(['a', 'b', 'y']))), anchors, options)
    expect(countsToBytes(fine)).toEqual(countsToBytes(coarse))
    expect([fine.patternCount, fine.documentCount]).toEqual([2, 4])
  })

  test('countWith(groupsEngine(...)) tells how many documents it counted, and stops when it is told to', async () => {
    const engine = groupsEngine(groupNaively([['a', 'x'], ['x'], ['y']], new Set(['a'])))
    const anchors = {kind: 'given', anchors: anchorsOf({first: 'a'})} as const
    const seen: unknown[] = []
    await countWith(engine, anchors, {}, {onProgress: (stage, count) => seen.push([stage, count])})
    expect(seen.at(-1)).toEqual(['counting', 3])
    const failure = await failureOf(() => countWith(engine, anchors, {}, {signal: AbortSignal.abort()}))
    expect(failure.code).toBe('cancelled')
    await engine.close()
  })

  test('countWith(groupsEngine(...)) refuses votes and tags as anchors, and groups of other anchors', async () => {
    const engine = groupsEngine(groupNaively([['a', 'x'], ['y']], new Set(['a'])))
    const refusal = async (anchors: AnchorSource) => (await failureOf(() => countWith(engine, anchors))).message
    expect(await refusal({kind: 'votes'})).toMatch(/engine groups: no anchors given.*`anchors`.*memory engine/)
    expect(await refusal({kind: 'tags', fields: [], topTags: 1})).toMatch(/read no tags.*memory engine/)
    const {lexicon} = await countWith(engine, {kind: 'given', anchors: anchorsOf({first: 'a'})}, {maxShare: 1})
    const others = {...lexicon, anchors: anchorsOf({second: 'b'})}
    expect(await refusal({kind: 'lexicon', lexicon: others})).toMatch(/no group has a feature that the anchors name/)
  })
})

/** Corpora without tags, and without what is learned from them. */
function plainCorpora(count: number): TestCorpus[] {
  return drawCorpora(count, {text: false, seed: 7})
    .filter(({anchors, options}) => anchors.kind === 'given' && options.minTags === undefined)
    .map(({rows, anchors, options: {labelShare, ...options}}) => ({rows, anchors, options: {...options, text: []}}))
}

/** Grouped by all features that play a role for an anchor. */
function groupsOf({rows, anchors}: TestCorpus) {
  if (anchors.kind !== 'given') throw new Error('the anchors of a test are given')
  const index = indexAnchors(anchors.anchors, [], {...textDefaults, text: []})
  const documents = rows.map(row => row.features)
  return groupNaively(documents, new Set(documents.flat().filter(name => index.featureRole(name) !== undefined)))
}
