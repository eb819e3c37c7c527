import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {learnLexicon, surveyRows, type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import {type Lexicon, type LexiconReader, type TextOptions, textDefaults} from './lexicon.ts'
import {addSurveys, NumberedReader, TokenTable} from './numbered-reader.ts'
import {anchorsOf, anyDocument, messageOf, rowOf} from './test-rows.ts'
import {tokenize} from './tokenize.ts'

interface Settings extends Partial<Pick<VocabularyOptions, 'phrases' | 'minTags' | 'ofTop' | 'skipBadAnchors'>> {
  readonly reading?: Partial<TextOptions>
}

type Entries = Readonly<Record<string, unknown>>

function learn(entries: Entries, documents: Iterable<unknown>, {reading, ...rest}: Settings = {}): Lexicon {
  const options = {...vocabularyDefaults, ...reading, ...rest}
  const rows = Array.from(documents, document => rowOf(document, options))
  return learnLexicon(rows, {kind: 'given', anchors: anchorsOf(entries)}, options)
}

const texts = (...list: string[]) => list.map(text => ({text}))

describe('finish, the vocabulary', () => {
  test('finish() keeps the commonest of each category, number and list, whatever their share, but no value of all', () => {
    const drugs = (at: number) => Array.from({length: 5}, (_, k) => `drug ${5 * at + k}`)
    const documents = Array.from({length: 10}, (_, at) => ({
      text: at < 2 ? 'x' : 'y',
      sex: at < 9 ? 'M' : 'F',
      site: 'north',
      age: 40 + at,
      drugs: ['saline', ...drugs(at)],
      features: ['common']
    }))
    const reading = {vocabulary: 3, category: ['sex', 'site'], number: ['age:5'], list: ['drugs']}
    const kept = ['age:40-45', 'age:45-50', 'drugs:drug 0', 'drugs:drug 1', 'drugs:drug 10', 'sex:f', 'sex:m']
    expect(learn({a: 'x'}, documents, {reading}).words).toEqual(kept)
  })

  const values = [{sex: 'm', drugs: ['naloxone']}, {sex: 'f'}, {drugs: ['saline', 'nalox']}]
  const asValues = {reading: {text: [], category: ['sex'], list: ['drugs']}}
  const all = {reading: {maxShare: 1}}
  const skip = {...all, skipBadAnchors: true}
  const long = ['abcdefghijklmnop', 'abcdefghijklmnoq', '𐐨é'.repeat(10)]
  const edge = Array.from({length: 100}, (_, at) => ({text: `${at < 29 ? 'edge' : ''} ${at === 0 ? 'x' : ''}`}))

  const named = [{title: 'C#', text: '__proto__ é'}, {features: ['Zeta', '', 'constructor']}, {text: 'x'}]
  const twice = [{text: 'snake x'}, {features: ['text:snake']}, {text: 'y'}, {text: 'y'}]
  const [python, chest] = [{title: 'python', text: 'python chest pain', features: ['code']}, {title: 'chest pain'}]
  const own = {a: 'title:python', b: 'text:chest-pain', c: 'code'}
  const [first, second] = [
    ['chest pain', 'aa'],
    ['chest pain', 'bb']
  ]

  test.each<[Entries, readonly object[], Settings, string]>([
    [{a: 'drugs:Naloxone'}, values, asValues, 'drugs:nalox, drugs:saline, sex:f, sex:m'],
    [{a: 'drugs:/^nalox/'}, values, asValues, 'drugs:saline, sex:f, sex:m'],
    [{a: 'x'}, named, {}, ', Zeta, constructor, text:__proto__, text:é, title:c#'],
    [{a: 'x'}, twice, {}, 'text:snake, text:y'],
    [own, [python, chest, {text: 'y'}], all, 'text:python, text:y, title:chest-pain'],
    [{a: {any: ['etoh'], not: ['denies']}}, texts('etoh', 'denies etoh', 'other'), {}, 'text:denies, text:other'],
    [{a: '/alcohol/'}, texts('an alcoholic', 'none', 'more'), {}, 'text:an, text:more, text:none'],
    [{a: 'x'}, texts('big data x', 'big', 'y', 'y'), {phrases: ['big data']}, 'text:big, text:big data, text:y'],
    [{a: 'x'}, texts(long.join(' '), 'x'), {}, long.map(word => `text:${word}`).join(', ')],
    [{a: 'python'}, [{text: 'python', features: ['text:python']}, ...texts('python', 'x')], {}, 'text:x'],
    [{a: 'x'}, edge, {reading: {maxShare: 0.29}}, 'text:edge'],
    // After anchors are skipped, text is read without their phrases and expressions.
    [{a: first, b: second}, texts('chest pain aa', 'bb chest pain', 'z'), skip, 'text:chest, text:pain, text:z'],
    [{a: '/etoh/', b: 'aa'}, texts('etoh aa x', 'etoh y'), skip, 'text:etoh, text:x, text:y']
  ])('finish() of the anchors %j and %j', (entries, documents, settings, words) => {
    expect(learn(entries, documents, settings).words.join(', ')).toBe(words)
  })

  test('finish() records everything that is needed to read new documents', () => {
    const reading = {...textDefaults, text: ['body'], vocabulary: 7, maxShare: 0.9, keepCase: true, negation: true}
    const documents = ['x', 'Y'].map(body => ({body, tags: ['t']}))
    expect(learn({a: 'x'}, documents, {reading, phrases: ['p q'], minTags: 1, ofTop: 7})).toEqual({
      anchors: anchorsOf({a: 'x'}),
      words: ['body:Y'],
      reading,
      phrases: ['p q', 't'],
      filter: {minTags: 1, tags: ['t']},
      skipped: []
    })
  })
})

describe('finish, for any documents', () => {
  const entries = {one: ['a', 'title:b'], two: 'q'}
  const withAnchors = fc
    .array(anyDocument, {maxLength: 12})
    .map(documents => [{title: 'b', text: 'a', features: []}, {title: '', text: '', features: ['q']}, ...documents])

  /** Count, drop, sort and cut with plain sets and sorts. */
  function slowWords(
    documents: readonly {title: string; text: string; features: string[]}[],
    reading: TextOptions
  ): string[] {
    const fields = documents.map(({title, text, features}) => [tokenize(title), tokenize(text), features])
    const anchors = [
      ['a', 'b', 'q'],
      ['a', 'q'],
      ['a', 'title:b', 'q']
    ]
    const kept = [0, 1, 2].flatMap(field => {
      const tokens = [...new Set(fields.flatMap(lists => lists[field]))].sort()
      const share = (token: string) => fields.filter(lists => lists[field].includes(token)).length / documents.length
      return tokens
        .filter(token => !anchors[field].includes(token) && share(token) <= reading.maxShare)
        .sort((s, t) => share(t) - share(s))
        .slice(0, reading.vocabulary)
        .map(token => (field === 2 ? token : `${['title', 'text'][field]}:${token}`))
    })
    return [...new Set(kept)].sort()
  }

  test('finish() equals counting, dropping, sorting and cutting by hand', () => {
    fc.assert(
      fc.property(withAnchors, fc.nat(6), fc.constantFrom(0.25, 0.5, 1), (documents, vocabulary, maxShare) => {
        const reading = {...textDefaults, vocabulary, maxShare}
        const lexicon = learn(entries, documents, {reading, skipBadAnchors: true})
        // A bad anchor's token may become a word; the twin knows good anchors only.
        fc.pre(lexicon.skipped.length === 0)
        expect(lexicon.words).toEqual(slowWords(documents, reading))
      }),
      {seed: 1, numRuns: 300}
    )
  })
})

describe('finish, anchors and documents that do not serve', () => {
  test('finish() goes on without bad anchors when asked, records them, and makes words of their tokens', () => {
    const documents = texts('dd aa ee ff s', 'dd bb ee ff', 'dd s gg')
    const entries = {
      fine: 'aa',
      half: ['bb', 'nowhere'],
      missing: 'cc',
      always: 'dd',
      vetoed: {any: ['ee'], not: ['ff']},
      left: ['s', 'gg'],
      right: 's'
    }
    const {anchors, skipped, words} = learn(entries, documents, {skipBadAnchors: true, reading: {maxShare: 1}})
    expect(anchors.map(({concept, any}) => [concept, ...any])).toEqual([
      ['fine', 'aa'],
      ['half', 'bb', 'nowhere'],
      ['left', 'gg']
    ])
    expect(skipped.map(({concept}) => concept)).toEqual(['missing', 'always', 'vetoed', 'left', 'right'])
    expect(words).toEqual(['text:dd', 'text:ee', 'text:ff', 'text:s'])
  })

  test('finish() sees that a united anchor fires always though none of its features does, unless it is vetoed', () => {
    expect(() => learn({a: ['x', 'y']}, texts('x', 'y', 'x y'))).toThrow(/anchor 'x', 'y' fires in every document/)
    expect(learn({a: {any: ['x'], not: ['n']}}, texts('x', 'x n')).skipped).toEqual([])
  })

  test('finish() counts only documents that have enough of the tags', () => {
    const documents = [
      {text: 'x in', tags: ['a', 'b']},
      {text: 'in', tags: ['b', 'c', 'a']},
      {text: 'y', tags: ['c', 'b']},
      {text: 'out x', tags: ['a', 'z']},
      {text: 'out out', tags: []},
      {text: 'out'}
    ]
    const {words, filter} = learn({a: 'x'}, documents, {minTags: 2, ofTop: 3, reading: {maxShare: 0.7}})
    expect([words, filter]).toEqual([['text:in', 'text:y'], {minTags: 2, tags: ['a', 'b', 'c']}])
  })

  test('finish() refuses no documents at all, and says which filter left none', () => {
    expect(() => learn({a: 'x'}, [])).toThrow(expect.objectContaining({code: 'bad-document'}))
    expect(() => learn({a: 'x'}, [{text: 'x', tags: ['a']}], {minTags: 2})).toThrow(
      /no document has at least 2 of the 1/
    )
  })
})

describe('surveys', () => {
  const rule = {
    kind: 'given',
    anchors: anchorsOf({a: 'a', q: ['q', 'title:b-c'], veto: {any: ['c++'], not: ['d']}})
  } as const
  const options = {...vocabularyDefaults, vocabulary: 3, skipBadAnchors: true}

  test('addSurveys(...) of batches is the survey of all documents', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyDocument, {maxLength: 5}), {minLength: 1, maxLength: 6}), batches => {
        const rows = batches.map(batch => batch.map(document => rowOf(document)))
        const inParts = (by: LexiconReader) =>
          rows.map(batch => surveyRows(batch, by)).reduce((sum, part) => addSurveys(sum, part, options))
        const learned = (survey?: typeof inParts) => {
          const learn = () => learnLexicon(rows.flat(), rule, options, survey)
          return messageOf(learn) ?? learn()
        }
        expect(learned(inParts)).toEqual(learned())
      }),
      {numRuns: 200}
    )
  })

  test('a field with too many different words is refused by its name, in one survey and in the sum of two', () => {
    const reader = new NumberedReader([], [], textDefaults, new TokenTable(textDefaults, 3))
    reader.read(rowOf({title: 'a b c', text: 'a b c', features: ['a', 'b', 'c']}))
    expect(messageOf(() => reader.read(rowOf({text: 'c d'})))).toMatch(
      /^field "text": .* 3 different words.*--print-sql/
    )
    const [one, other] = ['x y', 'y z'].map(text =>
      surveyRows([rowOf({text})], {anchors: [], phrases: [], reading: textDefaults, filter: undefined})
    )
    expect(addSurveys(one, other, textDefaults, 3).frequencies[1].get('y')).toBe(2)
    expect(() => addSurveys(one, other, textDefaults, 2)).toThrow(/^field "text"/)
  })
})
