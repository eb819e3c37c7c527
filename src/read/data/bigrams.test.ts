import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {BigramLearner, type BigramOptions} from './bigrams.ts'
import {buildCorpus} from './corpus.ts'
import {textDefaults} from './lexicon.ts'
import {anchorsOf, rowOf} from './test-rows.ts'

type Entries = Readonly<Record<string, unknown>>

function learn(texts: readonly string[], entries: Entries = {}, options: Partial<BigramOptions> = {}): string[] {
  const all = {text: textDefaults, phrases: [], filter: undefined, count: 100, ...options}
  const learner = new BigramLearner(anchorsOf({unused: 'unused', ...entries}), all)
  const rows = texts.map((text, at) => rowOf({text, tags: at % 2 === 0 ? ['even'] : []}))
  do for (const row of rows) learner.add(row)
  while (learner.endPass())
  return learner.bigrams()
}

/** A text so many times, among others with words of their own, so that what stands together has a reason. */
const among = (count: number, ...texts: string[]) => [
  ...texts.flatMap(text => Array.from({length: count}, () => text)),
  ...Array.from({length: 60}, (_, at) => `filler${at}a stuff${at}b more${at}c other${at}d`)
]

describe('BigramLearner', () => {
  test('bigrams() are the pairs of 10 documents or more, the commonest first, equal ones by name', () => {
    const texts = [...among(10, 'chest pain', 'blood pressure'), 'chest pain', ...among(9, 'too rare')]
    expect(learn(texts)).toEqual(['chest pain', 'blood pressure'])
    expect(learn(among(10, 'b c', 'B d'))).toEqual(['b c', 'b d'])
    expect(learn(texts, {}, {count: 1})).toEqual(['chest pain'])
    expect(learn([...among(9, 'chest pain. chest pain')])).toEqual([])
  })

  test('bigrams() occur 5 times as often as by chance or more', () => {
    // 12 pairs; each word 12 + extra times among T words: 12 T >= 5 (12 + extra)^2 decides.
    const texts = (extra: number, others: number) => [
      ...Array.from({length: 12}, () => 'p q'),
      ...Array.from({length: extra}, () => 'p. q'),
      ...Array.from({length: others}, (_, at) => `w${at}`)
    ]
    // T = 24 + 2 * 8 + others; 12 T = 5 * 400 at T = 166.67.
    expect(learn(texts(8, 167 - 40))).toEqual(['p q'])
    expect(learn(texts(8, 166 - 40))).toEqual([])
  })

  test('bigrams() are judged by their own count, though another pair has the same hash', () => {
    // "common word2053" and "pale word1525" share a cell of the first pass; together they would pass.
    const apart = Array.from({length: 40}, () => 'pale. word1525')
    const texts = [...among(60, 'common word2053'), ...apart, ...among(12, 'pale word1525')]
    expect(learn(texts)).toEqual(['common word2053'])
  })

  test('bigrams() have no function word, no apostrophe, no repetition and no number in front', () => {
    const texts = among(12, 'of the', 'heart of', "patient's heart", 'no fever', 'very very', '2 cups', '3 4', 'ha ha')
    expect(learn(texts)).toEqual([])
    expect(learn(among(12, 'type 2'))).toEqual(['type 2'])
  })

  test('bigrams() have nothing of an anchor or a veto, though its regular expression is no matter', () => {
    const texts = among(12, 'severe pain', 'crushing chest', 'tube placed')
    expect(learn(texts)).toHaveLength(3)
    expect(learn(texts, {a: 'text:pain', b: 'Chest-Tube'})).toEqual([])
    expect(learn(texts, {a: {any: ['x'], not: ['severe']}})).toEqual(['crushing chest', 'tube placed'])
    expect(learn(texts, {a: '/pain/', b: 'title:/chest/'})).toHaveLength(3)
  })

  test('bigrams() are no phrases already, nor begin or end with one', () => {
    const texts = among(12, 'big data science', 'machine-learning model')
    expect(learn(texts, {}, {phrases: ['big-data', 'machine learning']})).toEqual([])
    expect(learn(among(12, 'big data'), {}, {phrases: ['Big Data']})).toEqual([])
    expect(learn(among(12, 'big data'), {}, {phrases: ['big deal']})).toEqual(['big data'])
  })

  test('bigrams() give a shared word to the commoner pair, and leave out a pair that so loses most of its occurrences', () => {
    const texts = [...among(12, 'crushing chest pain radiating'), ...among(20, 'chest pain')]
    expect(learn(texts)).toEqual(['chest pain'])
    expect(learn([...texts, ...among(11, 'pain radiating')])).toEqual(['chest pain'])
    expect(learn([...texts, ...among(12, 'pain radiating')])).toEqual(['chest pain', 'pain radiating'])
  })

  test('bigrams() come from documents that pass the filter alone', () => {
    const texts = Array.from({length: 40}, (_, at) => `${at % 2 === 0 ? 'green' : 'red'} pair. u${at} v${at} w${at}`)
    expect(learn(texts)).toEqual(['green pair', 'red pair'])
    expect(learn(texts, {}, {filter: {minTags: 1, tags: ['even']}})).toEqual(['green pair'])
  })

  test('bigrams() do not depend on the order of rows, and equal those of a slow count', () => {
    const word = fc.constantFrom('a1', 'b1', 'c1', 'd1', 'e1')
    const piece = fc.tuple(word, word, fc.constantFrom(' ', ' ', ' ', '. '))
    const text = fc
      .array(piece, {minLength: 1, maxLength: 4})
      .map(list => list.map(([a, b, gap]) => `${a} ${b}${gap}`).join(''))
    let found = 0
    fc.assert(
      fc.property(fc.array(text, {minLength: 30, maxLength: 40}), fc.infiniteStream(fc.nat()), (texts, keys) => {
        const padded = [...texts, ...texts, Array.from({length: 2000}, (_, at) => `w${at}`).join('. ')]
        const shuffled = padded.map(text => [text, Number(keys.next().value)] as const).sort((x, y) => x[1] - y[1])
        const bigrams = learn(padded)
        expect(learn(shuffled.map(([one]) => one))).toEqual(bigrams)
        expect(bigrams).toEqual(slowBigrams(padded))
        found += bigrams.length
      }),
      {numRuns: 8}
    )
    expect(found).toBeGreaterThan(24)
  })
})

/** The same by lists and searches: pairs as text, a sentence a list of words. */
function slowBigrams(texts: readonly string[]): string[] {
  const sentences = texts.map(text => text.split('. ').map(part => part.split(' ').filter(word => word !== '')))
  const words = sentences.flat(2)
  const pairsOf = (sentence: readonly string[]) => sentence.slice(1).map((word, at) => `${sentence[at]} ${word}`)
  const all = sentences.map(list => list.flatMap(pairsOf))
  const flat = all.flat()
  const times = (list: readonly string[], one: string) => list.filter(item => item === one).length
  const documents = (pair: string) => all.filter(list => list.includes(pair)).length
  const occurrences = (pair: string) => times(flat, pair)
  const passes = (pair: string) => {
    const [a, b] = pair.split(' ')
    const chance = (times(words, a) * times(words, b)) / words.length
    return a !== b && documents(pair) >= 10 && occurrences(pair) >= 5 * chance
  }
  const ranked = [...new Set(all.flat())]
    .filter(passes)
    .map(pair => ({pair, documents: documents(pair)}))
    .sort((x, y) => y.documents - x.documents || (x.pair < y.pair ? -1 : 1))
    .map(({pair}) => pair)
  const won = sentences.map(list => list.flatMap(sentence => winners(pairsOf(sentence), ranked)))
  return ranked.filter(
    pair => won.filter(list => list.includes(pair)).length >= 10 && 2 * times(won.flat(), pair) >= occurrences(pair)
  )
}

/** Of the pairs of a sentence those that get their words, the best ranked first. */
function winners(pairs: readonly string[], ranked: readonly string[]): string[] {
  const places = pairs.map((_, at) => at).filter(at => ranked.includes(pairs[at]))
  const order = places.sort((x, y) => ranked.indexOf(pairs[x]) - ranked.indexOf(pairs[y]) || x - y)
  const taken: number[] = []
  for (const at of order) if (!taken.includes(at - 1) && !taken.includes(at + 1)) taken.push(at)
  return taken.map(at => pairs[at])
}

describe('buildCorpus(..., {bigrams})', () => {
  const texts = among(12, 'Crushing chest pain. No blood pressure', 'chest pain, pale skin')
  const rows = texts.map((text, at) => ({id: at, text: at % 3 === 0 ? `${text} pale` : text}))

  test('buildCorpus(...) reads the bigrams as one word, in place of their words, also where they are negated', () => {
    const options = {bigrams: 10, negation: true, vocabulary: 6, maxShare: 1}
    const {lexicon} = buildCorpus(rows, anchorsOf({pale: 'pale'}), options)
    expect(lexicon.phrases).toEqual(['chest pain', 'blood pressure'])
    expect(lexicon.words).toEqual(expect.arrayContaining(['text:chest pain', 'text:neg:blood pressure', 'text:skin']))
    expect(lexicon.words).not.toContain('text:chest')
    expect(buildCorpus(rows, anchorsOf({pale: 'pale'})).lexicon.phrases).toEqual([])
  })

  test('buildCorpus(...) fires every anchor with bigrams as without', () => {
    const word = fc.constantFrom('chest', 'pain', 'blood', 'pressure', 'pale', 'crushing')
    fc.assert(
      fc.property(fc.array(word, {minLength: 1, maxLength: 3}), extra => {
        const anchors = anchorsOf({a: extra.join(' '), b: {any: ['text:skin'], not: ['pale']}})
        const list = [...rows, {text: `${extra.join(' ')} skin`}, {text: 'skin'}]
        const fired = (bigrams: number) =>
          buildCorpus(list, anchors, {bigrams, skipBadAnchors: true}).documents.map(({members}) => members)
        expect(fired(20)).toEqual(fired(0))
      }),
      {numRuns: 8}
    )
  })

  test.each([-1, 1.5, Number.NaN])('buildCorpus(..., {bigrams: %s}) refuses it', count => {
    expect(() => buildCorpus(rows, anchorsOf({pale: 'pale'}), {bigrams: count})).toThrow(
      `buildCorpus: \`bigrams\` must be a whole number, at least 0; got ${count}`
    )
  })
})
