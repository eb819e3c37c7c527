import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {buildCorpus, type Corpus, Encoder} from './encoder.ts'
import {type Lexicon, textDefaults} from './lexicon.ts'
import {labelKey} from './row.ts'
import {anchorsOf, anyDocument, lexiconOf, rowOf} from './test-rows.ts'
import {tokenize} from './tokenize.ts'

/** The names of what is 1 in a document. */
function encoded(lexicon: Lexicon, document: unknown) {
  const {words, anchors, members} = new Encoder(lexicon).encode(rowOf(document))
  const features = lexicon.anchors.flatMap(({any}) => any)
  return {
    words: words.map(j => lexicon.words[j]),
    concepts: anchors.map(i => lexicon.anchors[i].concept),
    members: members.map(member => features[member])
  }
}

describe('encode', () => {
  const lexicon = lexiconOf({python: ['title:python', 'py'], chest: 'chest pain'}, [
    'text:python',
    'title:snake',
    'text:snake',
    'moon',
    'text:__proto__'
  ])

  test('encode(...) reports words, united anchors and their members, each ascending and once', () => {
    const document = {
      title: 'Python snake',
      text: 'snake py snake chest-pain __proto__ unknown',
      features: ['moon', 'moon', 'sun']
    }
    expect(encoded(lexicon, document)).toEqual({
      words: ['moon', 'text:__proto__', 'text:snake', 'title:snake'],
      concepts: ['python', 'chest'],
      members: ['title:python', 'py', 'chest pain']
    })
  })

  test("encode(...) takes the anchor's own token for no word, and the same token in another field for one", () => {
    expect(encoded(lexicon, {title: 'python'})).toEqual({words: [], concepts: ['python'], members: ['title:python']})
    expect(encoded(lexicon, {text: 'python'})).toEqual({words: ['text:python'], concepts: [], members: []})
  })

  test('encode(...) equals looking up every word of the lexicon', () => {
    const words = 'title:a title:z title:c++ text:a text:.net text:a-b text:é q R __proto__'.split(' ')
    const lexicon = lexiconOf({one: 'text:b', two: 'f'}, ['', ...words])
    const encoder = new Encoder(lexicon)
    fc.assert(
      fc.property(anyDocument, document => {
        const holds = new Set([
          ...tokenize(document.title).map(token => `title:${token}`),
          ...tokenize(document.text).map(token => `text:${token}`),
          ...document.features
        ])
        const expected = lexicon.words.flatMap((word, j) => (holds.has(word) ? [j] : []))
        expect(encoder.encode(rowOf(document)).words).toEqual(expected)
      }),
      {seed: 1, numRuns: 300}
    )
  })
})

describe('truth', () => {
  const encoder = new Encoder(lexiconOf({a: 'x', b: 'y', constructor: 'z'}, []))
  const labels = (row: object) => {
    const known = encoder.labels(rowOf({text: '', ...row}))
    return known === undefined ? undefined : [...known]
  }

  test.each([
    ['tags are the whole truth', {tags: ['b', 'other']}, [0, 1, 0]],
    ['no tag is a truth too', {tags: []}, [0, 0, 0]],
    ['labels are the truth of just these concepts', {labels: {a: false, constructor: true}}, [0, -1, 1]],
    ['labels of other concepts say nothing', {labels: {other: true}}, [-1, -1, -1]],
    ['labels come before tags', {tags: ['a'], labels: {a: false, b: true}}, [0, 1, 0]],
    ['a tag named like a method is a tag', {tags: ['constructor', 'toString', '__proto__']}, [0, 0, 1]],
    ['a row may say nothing', {}, undefined]
  ])('truth(...): %s', (_, row, known) => {
    expect(labels(row)).toEqual(known)
  })
})

test('labels(...) of an encoder with labels of its own takes those, by the key of the row, and not what the row says', () => {
  const known = new Map([
    ['7', new Map([['a', true]])],
    [labelKey(rowOf({text: 'no id'})), new Map([['b', false]])]
  ])
  const encoder = new Encoder(lexiconOf({a: 'x', b: 'y'}, []), known)
  const row = (value: object) => encoder.labels(rowOf({text: '', tags: ['b'], labels: {a: false}, ...value}))
  expect(row({id: 7})).toEqual(Int8Array.of(1, -1))
  expect(row({text: 'no id'})).toEqual(Int8Array.of(-1, 0))
  expect(row({id: 8})).toBe(undefined)
})

/** Each document's words and concepts by name. */
const named = ({lexicon, documents}: Corpus) =>
  documents.map(({words, anchors}) => ({
    words: words.map(j => lexicon.words[j]),
    concepts: anchors.map(i => lexicon.anchors[i].concept)
  }))

describe('buildCorpus', () => {
  test('buildCorpus(...) learns the vocabulary from the rows, once, and reads them by it', () => {
    const rows = [
      {id: 'one', title: 'Python', text: 'a snake', tags: ['python']},
      {text: 'a moon', labels: {python: false}},
      {text: 'a'}
    ]
    const corpus = buildCorpus(rows[Symbol.iterator](), anchorsOf({python: 'title:python'}))
    expect([corpus.lexicon.words, corpus.lexicon.reading]).toEqual([['text:moon', 'text:snake'], textDefaults])
    expect(named(corpus)).toEqual([
      {words: ['text:snake'], concepts: ['python']},
      {words: ['text:moon'], concepts: []},
      {words: [], concepts: []}
    ])
    expect(corpus.documents.map(({labels}) => labels && [...labels])).toEqual([[1], [0], undefined])
    expect(corpus.documents[0].key).toBe('one')
  })

  test('buildCorpus(..., options) passes every option on, and names a bad row by its number', () => {
    const rows = [{body: 'X Big Data', other: 'no'}, {body: 'Y Big'}, {body: 'Y'}]
    const options = {text: ['body'], vocabulary: 5, maxShare: 0.4, keepCase: true, phrases: ['Big Data']}
    const {lexicon} = buildCorpus(rows, anchorsOf({a: 'X', b: 'never'}), {...options, skipBadAnchors: true})
    expect(lexicon.words).toEqual(['body:Big', 'body:Big Data'])
    expect(lexicon.skipped.map(({concept}) => concept)).toEqual(['b'])
    const tagged = [{text: 'x', tags: ['t']}, {text: 'y', tags: ['t']}, {text: 'z'}]
    expect(buildCorpus(tagged, anchorsOf({a: 'x'}), {minTags: 1}).documents).toHaveLength(2)
    expect(() => buildCorpus([{text: 'x'}, {text: 5}], anchorsOf({a: 'x'}))).toThrow(
      /^row 2: .*field "text" is not a string/
    )
  })
})
