import {describe, expect, test} from 'vitest'
import {composeModel, type Model} from './model.ts'
import {topWeights, topWords, unshownWords, wordNamer} from './shown-words.ts'
import {smallParts, smallWeights} from './test-small-model.ts'

/** One concept, in 20% of the documents; each word with its failure and its share of the other documents. */
function modelOf(
  words: readonly (readonly [word: string, failure: number, leak: number])[],
  weights?: readonly number[]
): Model {
  const model = composeModel({
    ...smallParts,
    concepts: [{name: 'fever', truePositive: 0.7, falsePositive: 0.01, prevalence: 0.2}],
    network: {parents: [[]], cpt: [Float64Array.of(0.2)]},
    loadings: {
      conceptCount: 1,
      wordCount: words.length,
      failure: Float64Array.from(words, ([, failure]) => failure),
      leak: Float64Array.from(words, ([, , leak]) => leak)
    },
    lexicon: {...smallParts.lexicon, anchors: [smallParts.lexicon.anchors[0]], words: words.map(([word]) => word)},
    options: {}
  })
  return weights === undefined ? model : {...model, wordModel: {...smallWeights, weights: [weights]}}
}

const top = (model: Model, count = 10) => topWords(model, 0, count).map(({word}) => word)

describe('topWords', () => {
  test('ranks by weight x sqrt(P(word | concept)): telling and common', () => {
    const model = modelOf([
      ['text:common', 0.5, 0.4],
      ['text:rare', 0.97, 0.0001],
      ['text:telling', 0.6, 0.01]
    ])
    expect(top(model)).toEqual(['text:telling', 'text:common', 'text:rare'])
    const [{weight, frequency, failure}] = topWords(model, 0, 1)
    // P(word | concept) = 1 - 0.99 * 0.6, P(word) = 1 - 0.99 * (0.8 + 0.2 * 0.6); 12 digits: rounding.
    expect(failure).toBe(0.6)
    expect(frequency).toBeCloseTo(1 - 0.99 * 0.92, 12)
    expect(weight).toBeCloseTo(Math.log((1 - 0.99 * 0.6) / (1 - 0.99 * 0.92)), 12)
  })

  test('leaves out words that are not for people, and words that the concept does not switch on', () => {
    const model = modelOf([
      ['text:chills', 0.5, 0.01],
      ['text:seldom', 0.97, 0],
      ['text:same', 1, 0.1]
    ])
    expect(top(model)).toEqual(['text:chills', 'text:seldom'])
    expect(top({...model, unshownWords: [1]})).toEqual(['text:chills'])
  })
})

test('topWeights(...) gives the words that raise and lower the odds most, chosen in the same way', () => {
  const words = [
    ['text:hot', 0.5, 0.05],
    ['text:the', 0.5, 0.5],
    ['text:odd', 0.99, 0.1],
    ['text:cold', 1, 0.2],
    ['text:weak', 0.9, 0.1]
  ] as const
  const model = {...modelOf(words, [1, 2, 3, -1, 0.05]), unshownWords: [1, 2]}
  expect(topWeights(model, 0, 5, 1)).toEqual([{word: 'text:hot', logOdds: 1}])
  expect(topWeights(model, 0, 5, -1)).toEqual([{word: 'text:cold', logOdds: -1}])
  expect(topWeights(modelOf(words), 0, 5, 1)).toEqual([])
})

test('wordNamer(...) leaves out the name of the only text field, and no other', () => {
  const {lexicon} = smallParts
  const nameOf = wordNamer({
    ...lexicon,
    words: ['note:fever', 'sex:m'],
    reading: {...lexicon.reading, text: ['note', 'title']}
  })
  expect(['note:fever', 'note:neg:fever', 'sex:m'].map(nameOf)).toEqual(['fever', 'neg:fever', 'sex:m'])
  const both = wordNamer({
    ...lexicon,
    words: ['note:a', 'title:a'],
    reading: {...lexicon.reading, text: ['note', 'title']}
  })
  expect(both('note:a')).toBe('note:a')
})

describe('unshownWords', () => {
  const unshown = (words: readonly string[], totals: readonly number[], documents: number) =>
    unshownWords({words, reading: {text: ['text'], category: ['group']}}, totals, documents)

  test('words in fewer than 20 documents, in small corpora in fewer than 1% of them or 3', () => {
    const words = ['a0', 'a2', 'a3', 'a9', 'a10', 'a19', 'a20']
    const totals = [0, 2, 3, 9, 10, 19, 20]
    expect(unshown(words, totals, 100_000)).toEqual([0, 1, 2, 3, 4, 5])
    expect(unshown(words, totals, 2000)).toEqual([0, 1, 2, 3, 4, 5])
    expect(unshown(words, totals, 1000)).toEqual([0, 1, 2, 3])
    expect(unshown(words, totals, 50)).toEqual([0, 1])
  })

  test('function words and single letters, negated ones too, but no values of categories', () => {
    const words = [
      'text:the',
      "text:don't",
      'text:neg:any',
      'text:p',
      'text:neg:cough',
      'theory',
      'group:a',
      'group:no'
    ]
    const totals = words.map(() => 100)
    expect(unshown(words, totals, 200)).toEqual([0, 1, 2, 3])
  })
})
