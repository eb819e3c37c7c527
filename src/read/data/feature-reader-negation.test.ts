import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {indexAnchors} from './anchor-index.ts'
import {textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {anchorsOf, anyDocument, messageOf, readRow, rowOf} from './test-rows.ts'

type Entries = Readonly<Record<string, unknown>>
const negating = {...textDefaults, negation: true}

/** The words of the text and the anchor features that fired, by name. */
function read(entries: Entries, document: unknown, phrases: readonly string[] = [], options = negating) {
  const anchors = anchorsOf(entries)
  const {tokens, members} = readRow(new NumberedReader(anchors, phrases, options), rowOf(document))
  const names = anchors.flatMap(({any}) => any)
  return {words: tokens[1], title: tokens[0], features: tokens[2], fired: members.map(member => names[member])}
}
const fired = (entries: Entries, text: string) => read(entries, {text}).fired
const words = (entries: Entries, text: string) => read(entries, {text}).words

describe('read, negated words', () => {
  test('read(...) calls a negated word neg:, in every text field, and leaves features as they are', () => {
    expect(read({a: 'x'}, {title: 'No cough', text: 'Denies FEVER. Rash.', features: ['no fever', 'neg:x']})).toEqual({
      title: ['no', 'neg:cough'],
      words: ['denies', 'neg:fever', 'rash'],
      features: ['no fever', 'neg:x'],
      fired: []
    })
  })

  test('read(...) without the option reads the same text without any of it', () => {
    const {words, fired} = read({a: 'fever', b: 'neg:rash'}, {text: 'no fever, neg rash'}, [], textDefaults)
    expect(words).toEqual(['no', 'fever', 'neg:rash'])
    expect(fired).toEqual(['fever', 'neg:rash'])
  })

  test('read(...) keeps upper case when asked to', () => {
    const options = {...negating, keepCase: true}
    expect(read({a: 'neg:Fever'}, {text: 'NO Fever'}, [], options)).toMatchObject({
      words: ['NO', 'neg:Fever'],
      fired: ['neg:Fever']
    })
    expect(read({a: 'neg:fever'}, {text: 'NO Fever'}, [], options).fired).toEqual([])
  })
})

describe('read, anchors and negation', () => {
  test('read(...) fires an anchor on a plain mention alone', () => {
    expect(fired({a: 'fever'}, 'No fever.')).toEqual([])
    expect(fired({a: 'text:fever'}, 'Fever was ruled out.')).toEqual([])
    expect(fired({a: 'fever'}, 'Fever. No cough.')).toEqual(['fever'])
    expect(fired({a: 'fever'}, 'No fever today. Fever yesterday.')).toEqual(['fever'])
  })

  test('read(...) fires an anchor that names the negation on purpose, in its field or in any', () => {
    const entries = {a: 'text:neg:fever', b: 'neg:chest pain', c: 'title:neg:fever'}
    expect(fired(entries, 'no fever')).toEqual(['text:neg:fever'])
    expect(fired(entries, 'no chest-pain')).toEqual(['neg:chest pain'])
    expect(fired(entries, 'fever and chest pain')).toEqual([])
    expect(read(entries, {title: 'no fever'}).fired).toEqual(['title:neg:fever'])
    expect(read(entries, {features: ['text:neg:fever', 'neg:chest pain']}).fired).toEqual([
      'text:neg:fever',
      'neg:chest pain'
    ])
  })

  test('read(...) keeps an anchor apart from its negation, which is a word unless it is an anchor too', () => {
    const {isAnchor} = indexAnchors(anchorsOf({a: 'fever', b: 'text:neg:chest pain'}), [], negating)
    expect(isAnchor(1, 'fever')).toBe(true)
    expect(isAnchor(1, 'neg:fever')).toBe(false)
    expect(isAnchor(1, 'neg:chest pain')).toBe(true)
    expect(isAnchor(1, 'chest pain')).toBe(false)
  })

  test('read(...) reads neg: after the field, though a field is called so', () => {
    const options = {...negating, text: ['neg']}
    const {tokens, members} = readRow(
      new NumberedReader(anchorsOf({a: 'neg:fever', b: 'neg:neg:fever'}), [], options),
      rowOf({neg: 'no fever'}, options)
    )
    expect([tokens[0], members]).toEqual([['no', 'neg:fever'], [1]])
  })
})

describe('read, phrases and negation', () => {
  test('read(...) calls a negated phrase neg: and fires it by that name alone', () => {
    expect(read({a: 'chest pain'}, {text: 'no chest pain'}, ['night-sweats'])).toMatchObject({
      words: ['no', 'neg:chest pain'],
      fired: []
    })
    expect(read({a: 'x'}, {text: 'denies night sweats'}, ['night-sweats']).words).toEqual([
      'denies',
      'neg:night-sweats'
    ])
    expect(fired({a: 'chest pain'}, 'no fever but chest pain')).toEqual(['chest pain'])
  })

  test('read(...) takes a phrase for negated though one of its words alone is', () => {
    expect(fired({a: 'pain but pressure'}, 'no pain but pressure')).toEqual([])
    expect(fired({a: 'evidence of pneumonia'}, 'no evidence of pneumonia')).toEqual([])
  })

  test('read(...) fires a phrase that spells the negation out', () => {
    expect(fired({a: 'no fever', b: 'fever absent'}, 'no fever')).toEqual(['no fever'])
    expect(fired({a: 'no fever', b: 'fever absent'}, 'fever absent')).toEqual(['fever absent'])
  })
})

describe('read, regular expressions and negation', () => {
  test('read(...) fires a pattern on what is not negated, and takes out that alone', () => {
    expect(read({a: '/fever|febrile/'}, {text: 'no fever. febrile today'})).toMatchObject({
      words: ['no', 'neg:fever', 'today'],
      fired: ['/fever|febrile/']
    })
    expect(read({a: '/fever|febrile/'}, {text: 'no fever'})).toMatchObject({words: ['no', 'neg:fever'], fired: []})
    expect(fired({a: '/heart.*enlarged/'}, 'the heart is not enlarged')).toEqual([])
    expect(fired({a: '/ever/'}, 'no fever')).toEqual([])
  })

  test('read(...) fires a pattern that spells the negation out', () => {
    expect(fired({a: '/no (fever|chills)/'}, 'she has no fever')).toEqual(['/no (fever|chills)/'])
    expect(fired({a: '/fever (was )?ruled out/'}, 'fever was ruled out')).toEqual(['/fever (was )?ruled out/'])
    expect(words({a: '/no fever/'}, 'she has no fever')).toEqual(['she', 'has'])
  })

  test('read(...) fires a pattern after neg: on what is negated', () => {
    const entries = {a: 'text:neg:/fever|chills/', b: '/fever|chills/'}
    expect(fired(entries, 'no chills')).toEqual(['text:neg:/fever|chills/'])
    expect(fired(entries, 'chills')).toEqual(['/fever|chills/'])
    expect(words(entries, 'chills. no cough, no fever')).toEqual(['no', 'neg:cough', 'no'])
  })

  test('read(...) finds the words of a pattern that touches several, or none', () => {
    expect(fired({a: '/r c/'}, 'no fever. fever cough')).toEqual(['/r c/'])
    expect(fired({a: '/\\. /'}, 'no fever. cough')).toEqual(['/\\. /'])
    expect(fired({a: '/r\\. c/'}, 'no fever. cough')).toEqual([])
    expect(fired({a: '/fever/'}, 'no cough. fever')).toEqual(['/fever/'])
    expect(fired({a: '/but /'}, 'cough but fever absent')).toEqual(['/but /'])
    expect(fired({a: '/fever/'}, 'fever. no cough')).toEqual(['/fever/'])
  })

  test('parseAnchors(...) refuses a broken pattern after neg:', () => {
    expect(messageOf(() => anchorsOf({a: 'text:neg:/(/'}))).toMatch(/not a valid regular expression/)
    expect(messageOf(() => anchorsOf({a: 'neg:/(/'}))).toMatch(/not a valid regular expression/)
  })
})

describe('read, vetoes and negation', () => {
  const entries = {a: {any: ['pneumonia'], not: ['aspiration', 'history of pneumonia', '/viral/', 'text:neg:cough']}}

  test.each([
    ['pneumonia after aspiration', []],
    ['pneumonia. no aspiration', ['pneumonia']],
    ['pneumonia. viral', []],
    ['pneumonia, not viral', ['pneumonia']],
    ['pneumonia. no cough', []],
    ['pneumonia. cough', ['pneumonia']],
    ['pneumonia. no history of pneumonia', ['pneumonia']],
    ['pneumonia. history of pneumonia', []]
  ])('read(%j) fires %j: what is negated vetoes nothing, unless by its name', (text, expected) => {
    expect(fired(entries, text)).toEqual(expected)
  })
})

describe('read with negation, for any document', () => {
  const spoken = fc
    .array(fc.constantFrom('no', 'denies', 'a', 'b', 'c++', 'was ruled out', 'but', ',', '.', 'no change', 'absent'), {
      maxLength: 14
    })
    .map(list => list.join(' '))
  const entries = {one: ['a', 'neg:b'], two: {any: ['b c++'], not: ['text:c++']}}
  const plain = new NumberedReader(anchorsOf(entries), ['a b'], textDefaults)
  const reader = new NumberedReader(anchorsOf(entries), ['a b'], negating)

  test('read(...) changes nothing where nothing is negated', () => {
    const same = {one: 'a', two: {any: ['text:b', 'q'], not: ['d e']}, three: '/c|f/'}
    const readers = [textDefaults, negating].map(reading => new NumberedReader(anchorsOf(same), ['a b'], reading))
    fc.assert(
      fc.property(anyDocument, document => {
        expect(readRow(readers[1], rowOf(document))).toEqual(readRow(readers[0], rowOf(document)))
      }),
      {seed: 1, numRuns: 300}
    )
  })

  test('read(...) has the same words as without the option, once neg: is taken off, and says the same twice', () => {
    const bare = new NumberedReader(anchorsOf({x: 'q'}), ['a b'], textDefaults)
    const marked = new NumberedReader(anchorsOf({x: 'q'}), ['a b'], negating)
    fc.assert(
      fc.property(spoken, text => {
        const {tokens} = readRow(marked, rowOf({text}))
        expect(tokens[1].map(token => token.replace(/^neg:/, ''))).toEqual(readRow(bare, rowOf({text})).tokens[1])
        expect(readRow(reader, rowOf({text}))).toEqual(readRow(reader, rowOf({text})))
      }),
      {seed: 2, numRuns: 500}
    )
  })

  test('read(...) fires an anchor exactly where its token stands', () => {
    fc.assert(
      fc.property(spoken, text => {
        const {tokens, members} = readRow(reader, rowOf({text}))
        const has = (token: string) => tokens[1].includes(token)
        const expected = [has('a'), has('neg:b'), has('b c++') && !has('c++')].flatMap((is, at) => (is ? [at] : []))
        expect(members).toEqual(expected)
        expect(readRow(plain, rowOf({text})).tokens[1].some(token => token.startsWith('neg:'))).toBe(false)
      }),
      {seed: 3, numRuns: 500}
    )
  })
})
