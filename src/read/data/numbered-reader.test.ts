import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type TextOptions, textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {anchorsOf, anyDocument, messageOf, readRow, rowOf} from './test-rows.ts'
import {tokenize} from './tokenize.ts'

type Entries = Readonly<Record<string, unknown>>

/** The tokens of title, text and features, and the members that fired, by name. */
function read(
  entries: Entries,
  document: unknown,
  options: Partial<TextOptions> = {},
  phrases: readonly string[] = []
) {
  const anchors = anchorsOf(entries)
  const reading = {...textDefaults, ...options}
  const reader = new NumberedReader(anchors, phrases, reading)
  const {tokens, members} = readRow(reader, rowOf(document, reading), reading.text.length)
  const names = anchors.flatMap(({any}) => any)
  return {tokens, fired: members.map(member => names[member])}
}

describe('words', () => {
  test('every field is cut and lower-cased, and features are taken as they are', () => {
    const document = {title: 'C# for Dummies', text: "I'm HERE", features: ['Full Moon', 'C#', 'C#', '']}
    expect(read({a: 'x'}, document).tokens).toEqual([
      ['c#', 'for', 'dummies'],
      ["i'm", 'here'],
      ['Full Moon', 'C#', '']
    ])
  })

  test.each<[string, string, string[], string[]]>([
    ['Python', 'Python python', ['Python', 'python'], ['Python']],
    ['Python', 'python', ['python'], []],
    ['/Pyt/', 'python', ['python'], []],
    ['/pyt/i', 'A Python', ['A'], ['/pyt/i']],
    ['neg:Fever', 'NO Fever', ['NO', 'neg:Fever'], ['neg:Fever']],
    ['neg:fever', 'NO Fever', ['NO', 'neg:Fever'], []]
  ])('where case is kept, the anchor %j reads %j as %j and fires %j', (anchor, text, words, fired) => {
    const found = read({a: anchor}, {text}, {keepCase: true, negation: true})
    expect(found).toEqual({tokens: [[], words, []], fired})
  })

  test.each(['c#', 'c++', '.net', "i'm", 'i’m', 'node.js', 'constructor', 'toString', '東京', '🙂', 'c++11'])(
    'the anchor %j fires wherever the word stands',
    word => {
      expect(read({a: word}, {text: `before ${word}, after`}).fired).toEqual([word])
      expect(read({a: `text:${word}`}, {text: `${word}.`}).fired).toEqual([`text:${word}`])
      expect(read({a: word}, {text: 'before after'}).fired).toEqual([])
    }
  )

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('the feature %j fires', name => {
    expect(read({a: name, b: 'y'}, {features: [name]}).fired).toEqual([name])
    expect(read({a: 'x', b: 'y'}, {features: [name]}).fired).toEqual([])
  })
})

describe('phrases, expressions and vetoes', () => {
  const vetoed = {a: {any: ['etoh', 'wine'], not: ['no etoh', 'title:family', '/denies/']}, b: 'fever'}
  const both = {a: {any: ['x'], not: ['y']}, b: 'y'}
  const enlarged = 'text:/heart (size )?is enlarged/'

  test.each<[Entries, object, string[]]>([
    [{a: 'text:chest pain'}, {title: 'chest pain'}, []],
    [{a: 'chest pain'}, {title: 'chest', text: 'pain', features: ['chest', 'pain']}, []],
    [{a: 'chest pain'}, {features: ['chest pain']}, ['chest pain']],
    [{a: 'chest pain'}, {text: 'chest ___ pain'}, []],
    [{a: 'ruby', b: 'ruby on rails'}, {text: 'ruby on rails, ruby'}, ['ruby', 'ruby on rails']],
    [{a: '/etoh|alcohol/'}, {text: 'smells of ETOH'}, ['/etoh|alcohol/']],
    [{a: '/etoh|alcohol/'}, {features: ['drug:alcohol']}, ['/etoh|alcohol/']],
    [{a: 'text:/etoh/'}, {title: 'etoh', features: ['etoh']}, []],
    [{a: enlarged}, {text: 'The heart is enlarged.'}, [enlarged]],
    [{a: '/etoh/', b: 'chest pain'}, {text: 'chest etoh pain'}, ['/etoh/']],
    [vetoed, {title: 'family', text: 'wine fever'}, ['fever']],
    [vetoed, {text: 'no etoh, but wine; fever'}, ['fever']],
    [vetoed, {text: 'wine fever', features: ['no etoh']}, ['fever']],
    [vetoed, {text: 'family wine'}, ['wine']],
    [both, {text: 'x y'}, ['y']],
    [both, {text: 'x'}, ['x']]
  ])('%j read from %j fires %j', (entries, document, fired) => {
    expect(read(entries, document).fired).toEqual(fired)
  })

  test.each<[Entries, string, string[]]>([
    [{a: 'text:chest pain'}, 'sudden chest-pain', ['sudden', 'chest pain']],
    [{a: '/etoh/'}, 'smell of etoh today etoh', ['smell', 'of', 'today']],
    [{a: '/alco/'}, 'an alcoholic (nonalcoholic) drink', ['an', 'drink']],
    [{a: '/e t/'}, 'take that tea', ['tea']],
    [{a: '/b c|c d/', b: '/d/'}, 'a b c d e', ['a', 'e']],
    [{a: '/mvc/'}, 'an asp.net-mvc-3 site', ['an', 'site']],
    [{a: "/can't/"}, 'patient can’t walk', ['patient', 'walk']],
    [{a: '/q*/'}, 'a b', ['a', 'b']],
    [{a: {any: ['etoh'], not: ['/den(ies|ied)/']}}, 'denies etoh', ['denies', 'etoh']]
  ])('%j reads %j as the words %j', (entries, text, words) => {
    expect(read(entries, {text}).tokens[1]).toEqual(words)
  })

  test('phrases that are no anchors are joined in text too, and features never', () => {
    const {tokens} = read({a: 'x'}, {text: 'big data here', features: ['big', 'data']}, {}, ['big-data'])
    expect(tokens).toEqual([[], ['big-data', 'here'], ['big', 'data']])
  })

  test('an expression takes words out of its own field alone, and features that it matches unless it vetoes', () => {
    const document = {title: 'etoh', text: 'etoh x', features: ['etoh']}
    expect(read({a: 'text:/etoh/'}, document).tokens).toEqual([['etoh'], ['x'], ['etoh']])
    expect(read({a: '/etoh/'}, {title: 'etoh', features: ['etoh use', 'fever']}).tokens).toEqual([[], [], ['fever']])
    expect(read({a: {any: ['etoh'], not: ['/neg/']}}, {features: ['etoh', 'neg:etoh']})).toEqual({
      tokens: [[], [], ['etoh', 'neg:etoh']],
      fired: []
    })
  })

  test('an expression goes through a long word in linear time, and may match very often', () => {
    // Quadratic work would take hours here, so the test's own time limit is the assertion on it.
    expect(read({a: '/x/'}, {text: `${'x'.repeat(1_000_000)} y`})).toEqual({tokens: [[], ['y'], []], fired: ['/x/']})
    const {tokens, fired} = read({fever: '/fever/'}, {text: 'fever x '.repeat(200_000)})
    expect([tokens[1], fired]).toEqual([['x'], ['/fever/']])
  })
})

describe('categories, numbers and lists', () => {
  const clinical = {text: ['text'], negation: true, category: ['sex'], number: ['age:18,65'], list: ['dispensed']}
  const document = {text: 'No chest pain', sex: 'M', age: 12, dispensed: ['Naloxone', 'No chest pain kit']}
  const cased = ['dispensed:naloxone', 'dispensed:Naloxone', 'sex:M', 'age:<18']
  const naloxone = (...not: string[]) => ({a: {any: ['dispensed:naloxone'], not}})

  test.each<[Entries, object, string[]]>([
    [{a: cased}, document, cased],
    [{a: 'dispensed: Naloxone '}, document, ['dispensed: Naloxone ']],
    [{a: 'naloxone', b: 'm', c: 'text:naloxone'}, document, []],
    [{a: 'dispensed:naloxone', b: 'sex:m'}, {text: 'dispensed naloxone. sex:m'}, []],
    [{a: '/dispensed:nal/', b: 'dispensed:/^nal/'}, document, ['/dispensed:nal/', 'dispensed:/^nal/']],
    [{a: 'sex:/nal/', b: 'dispensed:/dispensed/', c: 'text:/nalox/'}, document, []],
    [{a: 'text:/nalox/'}, {features: ['text:naloxone']}, []],
    [naloxone('age:<18'), document, []],
    [naloxone('dispensed:/kit$/'), document, []],
    [naloxone('age:65+'), document, ['dispensed:naloxone']],
    [{a: 'dispensed:neg:fever'}, {dispensed: ['neg:fever']}, ['dispensed:neg:fever']]
  ])('%j read from %j fires %j', (entries, row, fired) => {
    expect(read(entries, row, clinical).fired).toEqual(fired)
  })

  test('values are read in the case of text, and changed neither by phrases nor by negation', () => {
    const values = ['sex:m', 'age:<18', 'dispensed:naloxone', 'dispensed:no chest pain kit']
    expect(read({a: 'x'}, document, clinical, ['chest pain']).tokens[1]).toEqual(values)
    expect(read({a: 'dispensed:/^nal/'}, document, clinical).tokens[1]).toEqual(values.toSpliced(2, 1))
    const kept = {...clinical, keepCase: true}
    expect(read({a: 'dispensed:naloxone', b: 'dispensed:Naloxone'}, document, kept).fired).toEqual([
      'dispensed:Naloxone'
    ])
  })
})

describe('negation', () => {
  const on = {negation: true}
  const named = {a: 'text:neg:fever', b: 'neg:chest pain', c: 'title:neg:fever'}
  const spelled = {a: 'no fever', b: 'fever absent'}
  const either = {a: 'text:neg:/fever|chills/', b: '/fever|chills/'}
  const pneumonia = {a: {any: ['pneumonia'], not: ['aspiration', 'history of pneumonia', '/viral/', 'text:neg:cough']}}

  test.each<[Entries, object, string[]]>([
    [{a: 'fever'}, {text: 'No fever.'}, []],
    [{a: 'fever'}, {text: 'No fever today. Fever yesterday.'}, ['fever']],
    [named, {text: 'no fever'}, ['text:neg:fever']],
    [named, {text: 'no chest-pain'}, ['neg:chest pain']],
    [named, {text: 'fever and chest pain'}, []],
    [named, {title: 'no fever'}, ['title:neg:fever']],
    [named, {features: ['text:neg:fever', 'neg:chest pain']}, ['text:neg:fever', 'neg:chest pain']],
    [{a: 'chest pain'}, {text: 'no fever but chest pain'}, ['chest pain']],
    [{a: 'evidence of pneumonia'}, {text: 'no evidence of pneumonia'}, []],
    [spelled, {text: 'no fever'}, ['no fever']],
    [spelled, {text: 'fever absent'}, ['fever absent']],
    [{a: '/heart.*enlarged/'}, {text: 'the heart is not enlarged'}, []],
    [{a: '/no (fever|chills)/'}, {text: 'she has no fever'}, ['/no (fever|chills)/']],
    [either, {text: 'no chills'}, ['text:neg:/fever|chills/']],
    [either, {text: 'chills'}, ['/fever|chills/']],
    [{a: '/r c/'}, {text: 'no fever. fever cough'}, ['/r c/']],
    [{a: '/r\\. c/'}, {text: 'no fever. cough'}, []],
    [pneumonia, {text: 'pneumonia after aspiration'}, []],
    [pneumonia, {text: 'pneumonia. no aspiration'}, ['pneumonia']],
    [pneumonia, {text: 'pneumonia, not viral'}, ['pneumonia']],
    [pneumonia, {text: 'pneumonia. no cough'}, []],
    [pneumonia, {text: 'pneumonia. no history of pneumonia'}, ['pneumonia']],
    [pneumonia, {text: 'pneumonia. history of pneumonia'}, []]
  ])('%j read from %j fires %j', (entries, document, fired) => {
    expect(read(entries, document, on).fired).toEqual(fired)
  })

  test.each<[string, string, string[]]>([
    ['x', 'Denies FEVER. Rash.', ['denies', 'neg:fever', 'rash']],
    ['chest pain', 'no chest pain', ['no', 'neg:chest pain']],
    ['x', 'denies night sweats', ['denies', 'neg:night-sweats']],
    ['/fever|febrile/', 'no fever. febrile today', ['no', 'neg:fever', 'today']],
    ['/no fever/', 'she has no fever', ['she', 'has']],
    ['neg:/fever|chills/', 'chills. no cough, no fever', ['chills', 'no', 'neg:cough']]
  ])('the anchor %j reads %j as %j', (anchor, text, words) => {
    expect(read({a: anchor}, {text}, on, ['night-sweats']).tokens[1]).toEqual(words)
  })

  test('features are left as they are, and without the option everything is', () => {
    expect(read({a: 'x'}, {title: 'No cough', features: ['no fever', 'neg:x']}, on).tokens).toEqual([
      ['no', 'neg:cough'],
      [],
      ['no fever', 'neg:x']
    ])
    expect(read({a: 'fever', b: 'neg:rash'}, {text: 'no fever, neg rash'})).toEqual({
      tokens: [[], ['no', 'fever', 'neg:rash'], []],
      fired: ['fever', 'neg:rash']
    })
  })

  test('neg: stands after the field, though a field is called so; a broken expression after it is refused', () => {
    const found = read({a: 'neg:fever', b: 'neg:neg:fever'}, {neg: 'no fever'}, {...on, text: ['neg']})
    expect(found).toEqual({tokens: [['no', 'neg:fever'], []], fired: ['neg:neg:fever']})
    for (const name of ['text:neg:/(/', 'neg:/(/'])
      expect(messageOf(() => anchorsOf({a: name}))).toMatch(/not a valid regular expression/)
  })

  test('has the same words as without the option once neg: is taken off, and fires an anchor where its token stands', () => {
    const spoken = fc
      .array(
        fc.constantFrom('no', 'denies', 'a', 'b', 'c++', 'was ruled out', 'but', ',', '.', 'no change', 'absent'),
        {
          maxLength: 14
        }
      )
      .map(list => list.join(' '))
    const anchors = anchorsOf({one: ['a', 'neg:b'], two: {any: ['b c++'], not: ['text:c++']}})
    const plain = new NumberedReader(anchors, ['a b'], textDefaults)
    const reader = new NumberedReader(anchors, ['a b'], {...textDefaults, ...on})
    fc.assert(
      fc.property(spoken, text => {
        const {tokens, members} = readRow(reader, rowOf({text}))
        const bare = new Set(tokens[1].map(token => token.replace(/^neg:/, '')))
        expect([...bare]).toEqual(readRow(plain, rowOf({text})).tokens[1])
        const has = (token: string) => tokens[1].includes(token)
        const expected = [has('a'), has('neg:b'), has('b c++') && !has('c++')].flatMap((is, at) => (is ? [at] : []))
        expect(members).toEqual(expected)
      }),
      {seed: 3, numRuns: 500}
    )
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
      const fields = [words.title, words.text, document.features]
      expect(reading.tokens).toEqual(fields.map(tokens => [...new Set(tokens)]))
    }),
    {seed: 1, numRuns: 500}
  )
})
