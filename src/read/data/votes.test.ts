import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {exclusiveGroups} from './anchors.ts'
import {buildCorpus, Encoder} from './encoder.ts'
import {readVote, voteFeature} from './feature-name.ts'
import {anchorRule, learnLexicon, vocabularyDefaults} from './learn-lexicon.ts'
import {textDefaults} from './lexicon.ts'
import {voteAnchors} from './surveys.ts'
import {anchorsOf, lexiconOf, messageOf, rowOf} from './test-rows.ts'

const featuresOf = (votes: unknown, others: object = {}) => rowOf({votes, ...others}).features

describe('votes of a row', () => {
  test('are features, of each source with its class; null and empty text abstain', () => {
    const votes = {nurse: 'alcohol', llm: true, code: false, 'a b': ' not alcohol ', none: null, empty: ''}
    expect(featuresOf(votes)).toEqual([
      'votes:nurse=alcohol',
      'votes:llm=true',
      'votes:code=false',
      'votes:a b=not alcohol'
    ])
  })

  test('in columns are those of `votes`', () => {
    const fields = {...textDefaults, votes: ['nurse', 'llm']}
    const row = rowOf({text: 'x', nurse: 'alcohol', llm: null, votes: {code: 'fall'}}, fields)
    expect(row.features).toEqual(['votes:code=fall', 'votes:nurse=alcohol'])
  })

  test('a field "votes" that is no object, or is read as something else, keeps its meaning', () => {
    expect(rowOf({text: 'x', votes: 12}).features).toEqual([])
    expect(rowOf({text: 'x', votes: 'many'}, {text: ['votes']}).text.get('votes')).toBe('many')
    expect(rowOf({votes: 12}, {text: [], number: ['votes:10']}).features).toEqual(['votes:10-20'])
  })

  test('that are not a class are refused', () => {
    expect(messageOf(() => featuresOf({nurse: 1}))).toBe(
      'row: the vote of "nurse" is not a class; expected the name of a class as text, true, false or, to abstain, null (in a table an empty cell); got 1'
    )
    // -1 is an abstention in label matrices of other programs.
    for (const vote of [['a'], -1, '-1', ' -1 '])
      expect(messageOf(() => featuresOf({nurse: vote}))).toContain('the vote of "nurse" is not a class')
  })

  test('readVote(voteFeature(...)) gives the source and the class back, whatever their names', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('=', '\\', 'a=b', '\\=', '/x/', 'votes:a=b', '__proto__'))
    fc.assert(
      fc.property(name, name, (source, vote) => {
        fc.pre(vote !== '')
        expect(readVote(voteFeature(source, vote))).toEqual({source, vote})
      })
    )
    expect(readVote('text:a=b')).toBeUndefined()
    expect(readVote('votes:many')).toBeUndefined()
  })
})

describe('anchors of votes', () => {
  const words = ['votes:nurse=false', 'votes:nurse=not alcohol']
  const encoderOf = (anchors: Parameters<typeof anchorsOf>[0]) => new Encoder(lexiconOf(anchors, words))
  const read = (anchors: Parameters<typeof anchorsOf>[0], votes: object) => encoderOf(anchors).encode(rowOf(votes))

  test('"votes" lists sources, each a member; members of other kinds come first', () => {
    const [anchor] = anchorsOf({alcohol: {votes: ['nurse', 'a=b'], any: 'etoh'}})
    expect(anchor.any).toEqual(['etoh', 'votes:nurse=alcohol', 'votes:a\\=b=alcohol'])
    expect(messageOf(() => anchorsOf({a: {votes: 'nurse'}}))).toContain('"votes" lists the names of sources')
    expect(messageOf(() => anchorsOf({a: {not: ['x']}}))).toContain('"any" is missing')
  })

  test('a vote for the concept fires its member, one for another does not', () => {
    const anchors = {alcohol: {votes: ['nurse', 'llm']}, fall: {votes: ['nurse']}}
    expect(read(anchors, {votes: {nurse: 'alcohol'}})).toMatchObject({anchors: [0], members: [0]})
    expect(read(anchors, {votes: {nurse: 'fall', llm: 'alcohol'}})).toMatchObject({anchors: [0, 1], members: [1, 2]})
    expect(read(anchors, {votes: {nurse: 'chest pain'}})).toMatchObject({anchors: [], members: []})
  })

  test('true means the only concept that lists the source; a vote against is a word', () => {
    const anchors = {alcohol: {votes: ['nurse', 'llm']}, fall: {votes: ['llm']}}
    expect(read(anchors, {votes: {nurse: true}})).toMatchObject({anchors: [0], members: [0], words: []})
    expect(read(anchors, {votes: {llm: true}})).toMatchObject({anchors: [], members: []})
    expect(read(anchors, {votes: {nurse: false}})).toMatchObject({anchors: [], words: [0]})
    expect(read(anchors, {votes: {nurse: 'not alcohol'}})).toMatchObject({anchors: [], words: [1]})
  })

  test('false means the concept against the only one that lists the source; tags of one are no tags of the other', () => {
    const pair = ['alcohol', 'not alcohol']
    const anchors = {alcohol: {votes: ['nurse']}, 'not alcohol': {votes: ['nurse']}, $exclusive: [pair]}
    expect(read(anchors, {votes: {nurse: true}})).toMatchObject({anchors: [0], members: [0]})
    expect(read(anchors, {votes: {nurse: false}})).toMatchObject({anchors: [1], members: [1]})
    expect(read(anchors, {votes: {nurse: 'not alcohol'}})).toMatchObject({anchors: [1], members: [1]})
    const {labels} = encoderOf(anchors)
    expect(labels(rowOf({text: 'x', tags: ['alcohol']}))).toEqual(Int8Array.of(1, 0))
    expect(labels(rowOf({text: 'x', tags: []}))).toEqual(Int8Array.of(0, 1))
    expect(labels(rowOf({text: 'x', labels: {'not alcohol': false}}))).toEqual(Int8Array.of(1, 0))
  })

  test('names are taken as they are: no case, phrases or expressions', () => {
    const anchors = {'A/b': {votes: ['/x', 'S T']}}
    expect(read(anchors, {votes: {'/x': 'A/b'}})).toMatchObject({members: [0]})
    expect(read(anchors, {votes: {'S T': 'A/b'}, text: 'votes S T A/b'})).toMatchObject({members: [1]})
    expect(read(anchors, {text: 'votes s t a/b votes:S T=A/b'})).toMatchObject({members: []})
    expect(read(anchors, {votes: {'s t': 'A/b'}})).toMatchObject({members: []})
    expect(read({x: '/A|s/', y: {any: ['z'], not: ['/./']}}, {votes: {s: 'A'}})).toMatchObject({members: []})
  })
})

describe('votes instead of anchors', () => {
  test('every class found is a concept, by name, and the sources that vote for it are its members', () => {
    const votes = [
      {b: 'spam', a: 'ham'},
      {a: 'spam', c: true},
      {b: 'not spam', a: 'not fit'}
    ]
    const anchors = voteAnchors(votes.flatMap(each => featuresOf(each)))
    expect(anchors.map(({concept, any}) => [concept, any])).toEqual([
      ['ham', ['votes:a=ham']],
      ['not fit', ['votes:a=not fit']],
      ['not spam', ['votes:b=not spam']],
      ['spam', ['votes:a=spam', 'votes:b=spam']]
    ])
    // A class and the one against it; nobody votes for "fit".
    expect(exclusiveGroups(anchors)).toEqual([{concepts: [2, 3], atMostOne: false}])
  })

  test('a known class without votes is skipped, or refused', () => {
    const rows = [{votes: {a: 'x'}}, {votes: {a: 'y'}}, {votes: {}}].map(row => rowOf(row))
    const rule = anchorRule(anchorsOf({$exclusive: [['x', 'y', 'z']]}))
    expect(messageOf(() => learnLexicon(rows, rule, vocabularyDefaults))).toContain('"z": it has no anchor at all')
    const {anchors} = learnLexicon(rows, rule, {...vocabularyDefaults, skipBadAnchors: true})
    expect(exclusiveGroups(anchors)).toEqual([{concepts: [0, 1], atMostOne: true}])
  })

  test('a file with groups alone takes the members of their classes from the votes', () => {
    const free = {group: ['red', 'blue'], atMostOne: true}
    const rows = [{a: 'x', b: 'red'}, {a: 'y', b: 'blue', c: 'z'}, {}].map(votes => rowOf({votes}))
    const {anchors} = learnLexicon(rows, anchorRule(anchorsOf({$exclusive: [['y', 'x'], free]})), vocabularyDefaults)
    expect(anchors.map(({concept, any}) => [concept, ...any])).toEqual([
      ['y', 'votes:a=y'],
      ['x', 'votes:a=x'],
      ['red', 'votes:b=red'],
      ['blue', 'votes:b=blue']
    ])
    expect(exclusiveGroups(anchors).map(({atMostOne}) => atMostOne)).toEqual([false, true])
    for (const groups of [[], 'x', [['x']], [['x', 'x']], [['x', '']], [null]])
      expect(messageOf(() => anchorsOf({$exclusive: groups}))).toMatch(/"\$exclusive"|no concepts defined/)
  })

  test('documents without votes for classes are refused', () => {
    for (const votes of [{}, {a: true}])
      expect(messageOf(() => voteAnchors(featuresOf(votes)))).toMatch(
        /^no anchors given, and no document has votes for classes/
      )
  })

  test('members of a corpus are the votes, whichever documents have them', () => {
    const anyVotes = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', null)), {
      minLength: 1
    })
    fc.assert(
      fc.property(anyVotes, votes => {
        const rows = [{votes: {a: 'x', b: 'y'}}, {votes: {}}, ...votes.map(one => ({votes: one}))]
        const sources = ['a', 'b', 'c']
        const {documents} = buildCorpus(rows, anchorsOf({x: {votes: sources}, y: {votes: sources}}))
        const expected = rows.map(({votes: one}) =>
          ['x', 'y'].flatMap((name, i) =>
            sources.flatMap((source, at) => ((one as Record<string, unknown>)[source] === name ? [3 * i + at] : []))
          )
        )
        expect(documents.map(({members}) => members)).toEqual(expected)
      })
    )
  })
})
