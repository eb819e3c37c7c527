import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {indexAnchors} from './anchor-index.ts'
import {type TextOptions, textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {anchorsOf, anyDocument, readRow, rowOf} from './test-rows.ts'
import {nameParts, tokenize} from './tokenize.ts'

type Entries = Readonly<Record<string, unknown>>

/** What a reader finds: tokens of title, text and features, and the anchor features that fired, by name. */
function read(
  entries: Entries,
  document: unknown,
  phrases: readonly string[] = [],
  options: Partial<TextOptions> = {}
) {
  const anchors = anchorsOf(entries)
  const reading = {...textDefaults, ...options}
  const {tokens, members} = readRow(
    new NumberedReader(anchors, phrases, reading),
    rowOf(document, reading),
    reading.text.length
  )
  const names = anchors.flatMap(({concept, any}) => any.map(name => `${concept}=${name}`))
  return {tokens, fired: members.map(member => names[member])}
}

const fired = (entries: Entries, document: unknown) => read(entries, document).fired
const textTokens = (entries: Entries, text: string) => read(entries, {text}).tokens[1]

describe('read, single words', () => {
  test('read(...) cuts and lower-cases every field and takes features as they are', () => {
    const {tokens} = read(
      {a: 'x'},
      {title: 'C# for Dummies', text: "I'm HERE", features: ['Full Moon', 'C#', 'C#', '']}
    )
    expect(tokens).toEqual([
      ['c#', 'for', 'dummies'],
      ["i'm", 'here'],
      ['Full Moon', 'C#', 'C#', '']
    ])
  })

  test('read(...) keeps upper case when asked to, in text and anchors', () => {
    const options = {keepCase: true}
    expect(read({a: 'Python'}, {text: 'Python python'}, [], options).tokens[1]).toEqual(['Python', 'python'])
    expect(read({a: 'Python'}, {text: 'python'}, [], options).fired).toEqual([])
    expect(read({a: 'Python'}, {text: 'Python'}, [], options).fired).toEqual(['a=Python'])
    expect(read({a: '/Pyt/'}, {text: 'python'}, [], options).fired).toEqual([])
  })

  test.each(['c#', 'c++', '.net', "i'm", 'i’m', 'node.js', 'constructor', 'toString', '東京', '🙂', 'c++11'])(
    'read(...) fires the anchor %j wherever the word stands',
    word => {
      expect(fired({a: word}, {text: `before ${word}, after`})).toEqual([`a=${word}`])
      expect(fired({a: `text:${word}`}, {text: `${word}.`})).toEqual([`a=text:${word}`])
      expect(fired({a: word}, {text: 'before after'})).toEqual([])
    }
  )

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('read(...) fires the feature %j', name => {
    expect(fired({a: name, b: 'y'}, {features: [name]})).toEqual([`a=${name}`])
    expect(fired({a: 'x', b: 'y'}, {features: [name]})).toEqual([])
  })
})

describe('read, phrases', () => {
  test('read(...) replaces a phrase by one token, in every field, and fires it where it belongs', () => {
    const {tokens, fired} = read({a: 'text:chest pain'}, {title: 'Chest pain', text: 'sudden chest-pain'})
    expect(tokens).toEqual([['chest pain'], ['sudden', 'chest pain'], []])
    expect(fired).toEqual(['a=text:chest pain'])
    expect(read({a: 'text:chest pain'}, {title: 'chest pain'}).fired).toEqual([])
  })

  test('read(...) sees no phrase across two fields or across features', () => {
    expect(fired({a: 'chest pain'}, {title: 'chest', text: 'pain', features: ['chest', 'pain']})).toEqual([])
    expect(fired({a: 'chest pain'}, {features: ['chest pain']})).toEqual(['a=chest pain'])
  })

  test('read(...) merges phrases that are no anchors too, and features never', () => {
    const {tokens} = read({a: 'x'}, {text: 'big data here', features: ['big', 'data']}, ['big-data'])
    expect(tokens).toEqual([[], ['big-data', 'here'], ['big', 'data']])
  })

  test('read(...) takes a word inside a phrase for the phrase alone', () => {
    expect(fired({a: 'ruby', b: 'ruby on rails'}, {text: 'ruby on rails'})).toEqual(['b=ruby on rails'])
    expect(fired({a: 'ruby', b: 'ruby on rails'}, {text: 'ruby on rails, ruby'})).toEqual(['a=ruby', 'b=ruby on rails'])
  })
})

describe('read, regular expressions', () => {
  test('read(...) fires a regular expression in its field, or in any field and feature', () => {
    expect(fired({a: '/etoh|alcohol/'}, {text: 'smells of ETOH'})).toEqual(['a=/etoh|alcohol/'])
    expect(fired({a: '/etoh|alcohol/'}, {features: ['drug:alcohol']})).toEqual(['a=/etoh|alcohol/'])
    expect(fired({a: 'text:/etoh/'}, {title: 'etoh', features: ['etoh']})).toEqual([])
    expect(fired({a: 'text:/heart (size )?is enlarged/'}, {text: 'The heart is enlarged.'})).toHaveLength(1)
    expect(fired({a: 'text:/heart (size )?is enlarged/'}, {text: 'heart was enlarged'})).toEqual([])
  })

  test('read(...) takes the words that an anchor pattern touches out of the text', () => {
    expect(textTokens({a: '/etoh/'}, 'smell of etoh today etoh')).toEqual(['smell', 'of', 'today'])
    expect(textTokens({a: '/alco/'}, 'an alcoholic (nonalcoholic) drink')).toEqual(['an', 'drink'])
    expect(textTokens({a: '/e t/'}, 'take that tea')).toEqual(['tea'])
    expect(textTokens({a: '/b c|c d/', b: '/d/'}, 'a b c d e')).toEqual(['a', 'e'])
    expect(textTokens({a: '/b c d/', b: '/c/'}, 'a b c d e')).toEqual(['a', 'e'])
    expect(textTokens({a: '/etoh/'}, 'etoh')).toEqual([])
  })

  test('read(...) takes words out of the field of the pattern alone, and matching features too', () => {
    const {tokens} = read({a: 'text:/etoh/'}, {title: 'etoh', text: 'etoh x', features: ['etoh']})
    expect(tokens).toEqual([['etoh'], ['x'], ['etoh']])
    expect(read({a: '/etoh/'}, {title: 'etoh', features: ['etoh use', 'fever']}).tokens).toEqual([[], [], ['fever']])
  })

  test('read(...) takes nothing out where a pattern matches the empty text only', () => {
    expect(read({a: '/q*/'}, {text: 'a b'})).toEqual({tokens: [[], ['a', 'b'], []], fired: []})
  })

  test('read(...) leaves the words of a vetoing pattern in the text', () => {
    expect(read({a: {any: ['etoh'], not: ['/den(ies|ied)/']}}, {text: 'denies etoh'})).toEqual({
      tokens: [[], ['denies', 'etoh'], []],
      fired: []
    })
    expect(read({a: {any: ['etoh'], not: ['/neg/']}}, {features: ['etoh', 'neg:etoh']})).toEqual({
      tokens: [[], [], ['etoh', 'neg:etoh']],
      fired: []
    })
  })
})

describe('read, vetoes', () => {
  const entries = {a: {any: ['etoh', 'wine'], not: ['no etoh', 'title:family', '/denies/']}, b: 'fever'}

  test.each([
    ['a word', {title: 'family', text: 'wine fever'}],
    ['a phrase', {text: 'no etoh, but wine; fever'}],
    ['a regular expression', {text: 'wine fever denies'}],
    ['a feature', {text: 'wine fever', features: ['no etoh']}]
  ])('read(...) lets %s veto every anchor of its concept and of no other', (_, document) => {
    expect(fired(entries, document)).toEqual(['b=fever'])
  })

  test('read(...) vetoes in the field of the veto alone', () => {
    expect(fired(entries, {text: 'family wine'})).toEqual(['a=wine'])
  })

  test('read(...) lets the anchor of one concept veto another', () => {
    const both = {a: {any: ['x'], not: ['y']}, b: 'y'}
    expect(fired(both, {text: 'x y'})).toEqual(['b=y'])
    expect(fired(both, {text: 'x'})).toEqual(['a=x'])
  })
})

describe('isAnchor and sharedMembers', () => {
  const reader = (entries: Entries) => indexAnchors(anchorsOf(entries), [], textDefaults)

  test('isAnchor(field, token) knows the anchors of each field, of features, and no veto', () => {
    const {isAnchor} = reader({a: {any: ['title:python', 'chest-pain'], not: ['snake']}})
    expect([0, 1, 2].map(field => isAnchor(field, 'python'))).toEqual([true, false, false])
    expect([0, 1, 2].map(field => isAnchor(field, 'chest-pain'))).toEqual([true, true, true])
    expect([0, 1, 2].map(field => isAnchor(field, 'title:python'))).toEqual([false, false, true])
    expect([0, 1, 2].map(field => isAnchor(field, 'snake'))).toEqual([false, false, false])
    expect(isAnchor(0, 'constructor')).toBe(false)
  })
})

test('read(...) equals looking for every single-word anchor in every field', () => {
  const entries = {one: ['a', 'title:b'], two: {any: ['text:c++', 'é'], not: ['text:d']}, three: ['q', '.net', 'R']}
  const anchors = anchorsOf(entries)
  const reader = new NumberedReader(anchors, [], textDefaults)
  fc.assert(
    fc.property(anyDocument, document => {
      const words = {title: tokenize(document.title), text: tokenize(document.text)}
      const holds = (name: string) => {
        const [field, word] = name.includes(':') ? name.split(':') : [undefined, name.toLowerCase()]
        const inText = (['title', 'text'] as const).some(at => (field ?? at) === at && words[at].includes(word))
        return inText || document.features.includes(name)
      }
      const members = anchors
        .flatMap(({any, not}) => any.map(name => ({name, vetoed: not.some(holds)})))
        .flatMap(({name, vetoed}, member) => (holds(name) && !vetoed ? [member] : []))
      const reading = readRow(reader, rowOf(document))
      expect(reading.members).toEqual(members)
      expect(reading.tokens).toEqual([words.title, words.text, document.features])
    }),
    {seed: 1, numRuns: 500}
  )
})

test('read(...) loses no word of the text when phrases are merged', () => {
  const reader = new NumberedReader(anchorsOf({one: 'a b', two: 'b c d'}), ['c-d', 'e f'], textDefaults)
  fc.assert(
    fc.property(anyDocument, document => {
      const parts = (tokens: readonly string[]) => tokens.flatMap(token => nameParts(token))
      expect(parts(readRow(reader, rowOf(document)).tokens[1])).toEqual(parts(tokenize(document.text)))
    }),
    {seed: 2}
  )
})

describe('read, what must not slip', () => {
  const readText = (entries: Entries, text: string) => {
    const anchors = anchorsOf(entries)
    const {tokens, members} = readRow(new NumberedReader(anchors, [], textDefaults), rowOf({text}))
    return {words: tokens[1], members}
  }

  test('read(...) takes whole tokens out that a pattern touches, however they are joined', () => {
    expect(readText({a: '/node/'}, 'i use node.js daily').words).toEqual(['i', 'use', 'daily'])
    expect(readText({a: '/mvc/'}, 'an asp.net-mvc-3 site').words).toEqual(['an', 'site'])
  })

  test('read(...) lets no phrase close over what a pattern took out, nor over a blank of underscores', () => {
    expect(readText({a: '/etoh/', b: 'chest pain'}, 'chest etoh pain').members).toEqual([0])
    expect(readText({b: 'chest pain'}, 'chest ___ pain').members).toEqual([])
    expect(readText({b: 'chest pain'}, 'chest pain').members).toEqual([0])
  })

  test('read(...) matches patterns on typographic apostrophes', () => {
    expect(readText({a: "/can't/"}, 'patient can’t walk')).toEqual({words: ['patient', 'walk'], members: [0]})
  })

  test('read(...) takes a pattern through a word of a million letters in one go', () => {
    // Quadratic work would take hours here, so the test's own time limit is the assertion on it.
    expect(readText({a: '/x/'}, `${'x'.repeat(1_000_000)} y`)).toEqual({words: ['y'], members: [0]})
  })
})

describe('featureRole, firedMembers', () => {
  test('firedMembers(...) of the roles of features gives what reading them gives, and isTaken says which are no words', () => {
    const names = ['a', 'q', 'R', 'title:b', 'title:z', '__proto__', '', 'text:fever', 'fever', 'feverish']
    const anchors = anchorsOf({
      a: ['a', 'text:fever'],
      b: {any: ['/^fev/', 'q'], not: ['R']},
      c: {any: ['__proto__'], not: ['/z$/']},
      d: ['title:b', 'b', 'a']
    })
    const reader = new NumberedReader(anchors, [], textDefaults)
    const {index} = reader
    fc.assert(
      fc.property(fc.subarray(names), features => {
        const {members, tokens} = readRow(reader, rowOf({features}))
        const roles = features.map(name => index.featureRole(name))
        expect(index.firedMembers(roles.filter(role => role !== undefined))).toEqual(members)
        expect(features.filter((_, at) => roles[at]?.isTaken !== true)).toEqual(tokens[2])
      })
    )
    expect(index.featureRole('no anchor')).toBeUndefined()
  })

  test('roleNames has every name with a role when there is no regular expression, and no other', () => {
    const parts = [
      'chest pain',
      'Chest-Pain',
      'pain',
      'C++',
      'a',
      'neg:a',
      'title:',
      '.net',
      '(Fever)',
      '-',
      '__proto__',
      ''
    ]
    const prefixes = ['', 'title:', 'text:', 'other:', 'title:neg:', 'text:neg:', 'neg:']
    const spelled = [...parts, ...parts.map(part => part.toLowerCase()), 'chest pain', 'c++', 'net', 'fever', 'Fever']
    const every = prefixes.flatMap(prefix => spelled.map(part => prefix + part))
    const anyName = fc.tuple(fc.constantFrom(...prefixes), fc.constantFrom(...parts)).map(([a, b]) => a + b)
    const names = fc.array(anyName, {minLength: 1, maxLength: 3})
    const anyAnchors = fc.array(fc.record({any: names, not: names}), {minLength: 1, maxLength: 4})
    fc.assert(
      fc.property(anyAnchors, fc.subarray(parts), fc.boolean(), fc.boolean(), (list, phrases, keepCase, negation) => {
        const anchors = list.map(({any, not}, at) => ({concept: `${at}`, any, not, rates: undefined}))
        const index = indexAnchors(anchors, phrases, {...textDefaults, keepCase, negation})
        expect(index.hasPatterns).toBe(false)
        const having = every.filter(name => index.featureRole(name) !== undefined)
        expect(having.filter(name => !index.roleNames.includes(name))).toEqual([])
        expect(index.roleNames.filter(name => index.featureRole(name) === undefined)).toEqual([])
      }),
      {numRuns: 40}
    )
    expect(indexAnchors(anchorsOf({a: {any: ['b'], not: ['text:/x/']}}), [], textDefaults).hasPatterns).toBe(true)
  })
})

test('read(...) takes a text in which an expression matches more often than a function takes arguments', () => {
  const reader = new NumberedReader(anchorsOf({fever: '/fever/'}), [], textDefaults)
  const {tokens, members} = readRow(reader, rowOf({text: 'fever x '.repeat(200_000)}))
  expect(members).toEqual([0])
  expect(new Set(tokens[1])).toEqual(new Set(['x']))
})
