import {describe, expect, test} from 'vitest'
import {countsToBytes} from '../counts/index.ts'
import {indexAnchors, textDefaults} from '../data/index.ts'
import {anchorsOf} from '../data/test-rows.ts'
import {failureOf, refusalOf} from '../files/test-folder.ts'
import {type AnchorSource, countWith} from './count-with.ts'
import {describeEngine} from './engine.contract.ts'
import type {DocumentGroup} from './groups.ts'
import {groupsEngine, type SqlTable, sqlEngine} from './sql-engine.ts'
import {drawCorpora, type TestCorpus} from './test-corpora.ts'

describe('countWith(groupsEngine(...))', () => {
  describeEngine({name: 'groups', corpora: plainCorpora(150), open: async corpus => groupsEngine(groupsOf(corpus))})

  test('countWith(groupsEngine(...)) adds groups that are finer than the anchors, and stops when told to', async () => {
    const documents = [['a', 'x'], ['a', 'b', 'x'], ['b', 'y'], []]
    const anchors = {kind: 'given', anchors: anchorsOf({first: 'a'})} as const
    const countBy = (names: readonly string[], control = {}) =>
      countWith(groupsEngine(groupNaively(documents, new Set(names))), anchors, {text: [], maxShare: 1}, control)
    const seen: unknown[] = []
    const onProgress = (...step: readonly unknown[]) => seen.push(step)
    const [coarse, fine] = [await countBy(['a']), await countBy(['a', 'b', 'y'], {onProgress})]
    expect(countsToBytes(fine)).toEqual(countsToBytes(coarse))
    expect([fine.patternCount, fine.documentCount, seen.at(-1)]).toEqual([2, 4, ['counting', 4]])
    await refusalOf(() => countBy(['a'], {signal: AbortSignal.abort()}), 'cancelled')
  })

  test('countWith(groupsEngine(...)) refuses votes and tags as anchors, and groups of other anchors', async () => {
    const engine = groupsEngine(groupNaively([['a', 'x'], ['y']], new Set(['a'])))
    const refusal = async (anchors: AnchorSource) => (await failureOf(() => countWith(engine, anchors))).message
    expect(await refusal({kind: 'votes'})).toMatch(/no anchors given.*`anchors`.*not groups/)
    expect(await refusal({kind: 'tags', fields: [], topTags: 1})).toMatch(
      /groups of documents have no tags.*the documents themselves/
    )
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

/** The two GROUP BYs, done the slow and obvious way: by each set of those features of a document that are in `named`. */
function groupNaively(documents: readonly (readonly string[])[], named: ReadonlySet<string>): DocumentGroup[] {
  const masks = documents.map(features => JSON.stringify([...new Set(features)].filter(name => named.has(name)).sort()))
  return [...new Set(masks)].map(mask => {
    const members = documents.filter((_, at) => masks[at] === mask)
    const words = new Map<string, number>()
    for (const word of members.flatMap(features => [...new Set(features)])) words.set(word, (words.get(word) ?? 0) + 1)
    return {mask: JSON.parse(mask), documents: members.length, words}
  })
}

const anchors = {kind: 'given', anchors: anchorsOf({a: 'a'})} as const

/** A table that answers each kind of statement with these rows. */
function tableOf(answers: {
  readonly groups: unknown[][]
  readonly words: unknown[][]
  readonly total: number
}): SqlTable {
  return {
    ...{name: 'duckdb', where: 'notes', from: 'notes', required: [], room: 100},
    describe: 'DESCRIBE notes',
    types: {text: /^VARCHAR$/, category: /^VARCHAR$/, number: /^DOUBLE$/, list: /^VARCHAR\[\]$/},
    async *rows(sql) {
      if (sql === 'DESCRIBE notes') yield [['features', 'VARCHAR[]']]
      else if (sql.startsWith('SELECT COUNT(*) FROM')) yield [[answers.total]]
      else yield sql.includes('adfa_word IN') ? answers.words : answers.groups
    },
    close: async () => {}
  }
}

const groups = [
  ['["a"]', 2n],
  ['[]', 4]
]

test.each([
  ['another number of documents', {groups, words: [['[]', 'x', 1n]], total: 7}],
  ['a word in more documents than its group has', {groups, words: [['["a"]', 'x', 3n]], total: 6}],
  ['a word of a group that was not there', {groups, words: [['["b"]', 'x', 1n]], total: 6}]
])('sqlEngine(...) takes %s for a table that changes, and counts nothing', async (_, answers) => {
  const failure = await failureOf(() => countWith(sqlEngine(tableOf(answers)), anchors, {maxShare: 1}))
  expect([failure.code, failure.message]).toEqual(['mismatch', expect.stringMatching(/^notes: .*added or removed/)])
})
