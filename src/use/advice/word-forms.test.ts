import {describe, expect, test} from 'vitest'
import {nameWords} from './name-similarity.ts'
import {type Company, formKind, type Vocabulary, wordForms} from './word-forms.ts'

const kindOf = (a: string, b: string) => formKind(nameWords(a, []), nameWords(b, []))

test.each([
  [
    'inflected',
    "fall falls, fall falling, bake baked, bake baking, scan scanned, apply applied, allergy allergies, chest-pain chest-pains, patient patient's"
  ],
  [
    'stem',
    'canada canadian, alcohol alcoholic, alcohol alcoholism, universe university, vietnam vietnamese, fall fallen'
  ],
  ['spelling', 'email e-mail, colour color, alcohol alchohol, alcohol aclohol, pneumonia pnemonia'],
  [
    undefined,
    'can canada, java javascript, bread break, sha256 sha512, python2 python3, lesion session, sing sine, chest-pain pain, fever fever'
  ]
])('formKind(...) is %s for each of %s, both ways', (kind, pairs) => {
  for (const [a, b] of pairs.split(', ').map(pair => pair.split(' '))) {
    expect(kindOf(a, b), `${a} ${b}`).toBe(kind)
    expect(kindOf(b, a), `${b} ${a}`).toBe(kind)
  }
})

describe('wordForms', () => {
  const documents = new Map([
    ['canada', 50],
    ['canadian', 30],
    ['canadians', 8],
    ['can', 400],
    ['canad', 2],
    ['neg:canada', 4],
    ['universe', 20],
    ['university', 90],
    ['universes', 3],
    ['i', 800]
  ])
  const vocabulary: Vocabulary = {documentCount: 1000, fields: [], documents}
  const company = (share: number, error: number, together = 0): Company => ({
    documents: 30,
    together,
    expected: 1.5,
    share,
    error
  })
  const formsOf = (word: string, found?: Company) =>
    wordForms(word, found === undefined ? vocabulary : {...vocabulary, company: () => found})

  test('without documents only an inflection is sound, and the rest is left to a person', () => {
    expect(formsOf('universe').map(({feature, isSound}) => [feature, isSound])).toEqual([
      ['universes', true],
      ['university', false]
    ])
    expect(formsOf('canada').map(({feature, isSound}) => [feature, isSound])).toEqual([
      ['canadian', false],
      ['canadians', false]
    ])
  })

  test('a word of the same stem is sound where it occurs with the same words, or beside the word', () => {
    expect(formsOf('canada', company(0.6, 0.1))[0]).toMatchObject({
      feature: 'canadian',
      goesTogether: true,
      isSound: true
    })
    expect(formsOf('canada', company(0, 0.1, 12))[0]).toMatchObject({goesTogether: true, isSound: true})
    // 3 of 30 documents where 1.5 are expected may be chance.
    expect(formsOf('canada', company(0, 0.1, 3))[0]).toMatchObject({goesTogether: undefined, isSound: false})
    expect(formsOf('universe', company(0.6, 0.3))[0]).toMatchObject({feature: 'universes', isSound: true})
  })

  test('documents also rule out an inflection: "cookies" occurs with other words than "cook"', () => {
    const cooks = {
      documentCount: 1000,
      fields: [],
      documents: new Map([
        ['cook', 100],
        ['cookies', 90]
      ])
    }
    const [form] = wordForms('cook', {...cooks, company: () => company(-0.3, 0.02)})
    expect(form).toMatchObject({feature: 'cookies', kind: 'inflected', goesTogether: false, isSound: false})
  })

  test('a short word with one letter changed is another word, whatever it occurs with', () => {
    const words = ['string', 'strong', 'storing', 'color', 'colour', 'pneumonia', 'pnemonia']
    const alike: Vocabulary = {
      documentCount: 1000,
      fields: [],
      documents: new Map(words.map(word => [word, 30])),
      company: () => company(0.9, 0.01)
    }
    const sound = (word: string) => wordForms(word, alike).map(({feature, isSound}) => [feature, isSound])
    expect(sound('string')).toEqual([
      ['storing', false],
      ['strong', false]
    ])
    expect(sound('color')).toEqual([['colour', true]])
    expect(sound('pneumonia')).toEqual([['pnemonia', true]])
  })

  test('fields are not part of a name', () => {
    const named = {
      documentCount: 90,
      fields: ['title', 'text'],
      documents: new Map([
        ['title:egg', 9],
        ['text:eggs', 8]
      ])
    }
    expect(wordForms('title:egg', named).map(({feature}) => feature)).toEqual(['text:eggs'])
  })
})
