import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {surveyRows} from './learn-lexicon.ts'
import {type Lexicon, type TagFilter, type TextOptions, textDefaults} from './lexicon.ts'
import {LexiconBuilder} from './lexicon-builder.ts'
import {anchorsOf, anyDocument, messageOf, rowOf} from './test-rows.ts'
import {tokenize} from './tokenize.ts'
import {DocumentSurvey} from './word-survey.ts'

interface Settings {
  readonly reading?: Partial<TextOptions>
  readonly phrases?: readonly string[]
  readonly filter?: TagFilter
  readonly skip?: boolean
}

function learn(
  entries: Readonly<Record<string, unknown>>,
  documents: Iterable<unknown>,
  settings: Settings = {}
): Lexicon {
  const reading = {...textDefaults, ...settings.reading}
  const {phrases = [], filter, skip = false} = settings
  const rows = Array.from(documents, document => rowOf(document, reading))
  let builder = new LexiconBuilder(anchorsOf(entries), {reading, phrases, filter, skipBadAnchors: skip})
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    builder.addSurvey(surveyRows(rows, builder))
  }
  return builder.finish()
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
    const text = {
      vocabulary: 3,
      category: ['sex', 'site'],
      number: ['age:5'],
      list: ['drugs']
    }
    expect(learn({a: 'x'}, documents, {reading: text}).words).toEqual([
      'age:40-45',
      'age:45-50',
      'drugs:drug 0',
      'drugs:drug 1',
      'drugs:drug 10',
      'sex:f',
      'sex:m'
    ])
  })

  test('finish() takes a value that is an anchor out of the words', () => {
    const documents = [{sex: 'm', drugs: ['naloxone']}, {sex: 'f'}, {drugs: ['saline', 'nalox']}]
    const text = {text: [], category: ['sex'], list: ['drugs']}
    expect(learn({a: 'drugs:Naloxone'}, documents, {reading: text}).words).toEqual([
      'drugs:nalox',
      'drugs:saline',
      'sex:f',
      'sex:m'
    ])
    expect(learn({a: 'drugs:/^nalox/'}, documents, {reading: text}).words).toEqual(['drugs:saline', 'sex:f', 'sex:m'])
  })

  test('finish() names words field:token, features by their own name, in ascending order', () => {
    const {words} = learn({a: 'x'}, [
      {title: 'C#', text: '__proto__ é'},
      {features: ['Zeta', '', 'constructor']},
      {text: 'x'}
    ])
    expect(words).toEqual(['', 'Zeta', 'constructor', 'text:__proto__', 'text:é', 'title:c#'])
  })

  test('finish() names a feature and a word alike once', () => {
    const {words} = learn({a: 'x'}, [{text: 'snake x'}, {features: ['text:snake']}, {text: 'y'}, {text: 'y'}])
    expect(words).toEqual(['text:snake', 'text:y'])
  })

  test("finish() takes an anchor's own token out of its fields only, phrases and features included", () => {
    const documents = [
      {title: 'python', text: 'python chest pain', features: ['code']},
      {title: 'chest pain', text: 'y'},
      {text: 'y'}
    ]
    const {words} = learn({a: 'title:python', b: 'text:chest-pain', c: 'code'}, documents, {reading: {maxShare: 1}})
    expect(words).toEqual(['text:python', 'text:y', 'title:chest-pain'])
  })

  test('finish() keeps vetoing features as words', () => {
    const {words} = learn({a: {any: ['etoh'], not: ['denies']}}, texts('etoh', 'denies etoh', 'other'))
    expect(words).toEqual(['text:denies', 'text:other'])
  })

  test('finish() makes no words of what an anchor pattern touches', () => {
    expect(learn({a: '/alcohol/'}, texts('an alcoholic', 'none', 'more')).words).toEqual([
      'text:an',
      'text:more',
      'text:none'
    ])
  })

  test('finish() learns phrases as one word', () => {
    const {words, phrases} = learn({a: 'x'}, texts('big data x', 'big deal', 'y', 'y'), {phrases: ['big data']})
    expect(words).toEqual(['text:big', 'text:big data', 'text:deal', 'text:y'])
    expect(phrases).toEqual(['big data'])
  })

  test('finish() records everything that is needed to read new documents', () => {
    const filter = {minTags: 0, tags: ['t']}
    const settings = {
      reading: {...textDefaults, text: ['body'], vocabulary: 7, maxShare: 0.9, keepCase: true, negation: true},
      phrases: ['p q'],
      filter
    }
    const lexicon = learn({a: 'x'}, [{body: 'x'}, {body: 'Y'}], settings)
    expect(lexicon).toEqual({anchors: anchorsOf({a: 'x'}), words: ['body:Y'], ...settings, skipped: []})
  })

  test('finish() keeps long words apart and whole', () => {
    const long = ['𐐨é'.repeat(10), 'abcdefghijklmnop', 'abcdefghijklmnoq']
    const {words} = learn({a: 'x'}, texts(long.join(' '), 'x', 'y'))
    expect(words).toEqual([...long.map(word => `text:${word}`), 'text:y'].sort())
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
        const lexicon = learn(entries, documents, {reading, skip: true})
        // A bad anchor's token may become a word; the twin knows good anchors only.
        fc.pre(lexicon.skipped.length === 0)
        expect(lexicon.words).toEqual(slowWords(documents, reading))
      }),
      {seed: 1, numRuns: 300}
    )
  })

  test('finish() gives the same lexicon whatever the order of the rows', () => {
    const shuffledTwice = withAnchors.chain(documents =>
      fc.tuple(
        fc.constant(documents),
        fc.shuffledSubarray(documents, {minLength: documents.length, maxLength: documents.length})
      )
    )
    fc.assert(
      fc.property(shuffledTwice, fc.nat(4), ([documents, again], vocabulary) => {
        const settings = {reading: {vocabulary}, phrases: ['c d'], skip: true}
        expect(learn(entries, again, settings)).toEqual(learn(entries, documents, settings))
      }),
      {seed: 2}
    )
  })
})

describe('finish, bad anchors', () => {
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

  test('finish() goes on without them when asked, records them, and makes words of their tokens', () => {
    const {anchors, skipped, words} = learn(entries, documents, {skip: true, reading: {maxShare: 1}})
    expect(anchors.map(({concept, any}) => [concept, any])).toEqual([
      ['fine', ['aa']],
      ['half', ['bb', 'nowhere']],
      ['left', ['gg']]
    ])
    expect(skipped.map(({concept}) => concept)).toEqual(['missing', 'always', 'vetoed', 'left', 'right'])
    expect(words).toEqual(['text:dd', 'text:ee', 'text:ff', 'text:s'])
  })

  test('finish() sees that a united anchor fires always though none of its features does', () => {
    expect(() => learn({a: ['x', 'y']}, texts('x', 'y', 'x y'))).toThrow(/anchor 'x', 'y' fires in every document/)
  })

  test('finish() takes a veto into account before it calls an anchor constant', () => {
    expect(learn({a: {any: ['x'], not: ['n']}}, texts('x', 'x n')).skipped).toEqual([])
  })
})

describe('finish, documents', () => {
  test('finish() refuses no documents at all', () => {
    expect(() => learn({a: 'x'}, [])).toThrow(expect.objectContaining({code: 'bad-document'}))
    expect(() => learn({a: 'x'}, [])).toThrow(/there are no documents/)
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
    const filter = {minTags: 2, tags: ['a', 'b', 'c']}
    const lexicon = learn({a: 'x'}, documents, {filter, reading: {maxShare: 0.7}})
    expect(lexicon.words).toEqual(['text:in', 'text:y'])
    expect(lexicon.filter).toEqual(filter)
  })

  test('finish() says which filter left no document', () => {
    const filter = {minTags: 2, tags: ['a', 'b', 'c']}
    expect(() => learn({a: 'x'}, [{text: 'x', tags: ['a']}], {filter})).toThrow(
      /no document has at least 2 of the 3 most frequent tags; lower `minTags` or raise `ofTop`/
    )
  })
})

describe('withoutBadAnchors', () => {
  test('finish() after skipping has words that the documents, read without the skipped anchors, contain', () => {
    const rows = texts('chest pain aa', 'bb chest pain', 'zz')
    const {words, anchors} = learn({a: ['chest pain', 'aa'], b: ['chest pain', 'bb']}, rows, {
      skip: true,
      reading: {maxShare: 1}
    })
    expect(words).toEqual(['text:chest', 'text:pain', 'text:zz'])
    expect(anchors.map(({any}) => any)).toEqual([['aa'], ['bb']])
    const regex = learn({a: '/etoh/', b: 'aa'}, texts('etoh aa x', 'etoh y'), {skip: true, reading: {maxShare: 1}})
    expect(regex.words).toEqual(['text:etoh', 'text:x', 'text:y'])
  })

  test('finish() makes no word of a feature that is named like an anchor word', () => {
    const rows = [{text: 'python', features: ['text:python']}, {text: 'python'}, {text: 'x'}, {text: 'y'}]
    expect(learn({a: 'python'}, rows).words).toEqual(['text:x', 'text:y'])
  })

  test('finish() keeps a word in exactly the largest share, whatever its rounding', () => {
    const rows = Array.from({length: 100}, (_, at) => ({text: `${at < 29 ? 'edge' : ''} ${at === 0 ? 'x' : ''}`}))
    expect(learn({a: 'x'}, rows, {reading: {maxShare: 0.29}}).words).toEqual(['text:edge'])
  })
})

describe('addSurvey', () => {
  const entries = {a: 'a', q: ['q', 'title:b-c'], veto: {any: ['c++'], not: ['text:d']}}
  const builderOf = (distinctWords?: number) =>
    new LexiconBuilder(anchorsOf(entries), {
      reading: {...textDefaults, vocabulary: 3},
      phrases: [],
      filter: undefined,
      skipBadAnchors: true,
      ...(distinctWords === undefined ? {} : {distinctWords})
    })
  const result = (builder: LexiconBuilder) => {
    let next: LexiconBuilder | undefined
    const message = messageOf(() => {
      next = builder.withoutBadAnchors()
    })
    return message ?? [next?.options.skipped, builder.finish()]
  }

  test('addSurvey(...) of batches is the same whoever surveyed them, in small memory too', () => {
    let approximate = 0
    fc.assert(
      fc.property(fc.array(fc.array(anyDocument, {maxLength: 5}), {maxLength: 6}), fc.boolean(), (batches, isSmall) => {
        const [one, other, exact] = [
          builderOf(isSmall ? 2 : undefined),
          builderOf(isSmall ? 2 : undefined),
          builderOf()
        ]
        const rows = batches.map(batch => batch.map(document => rowOf(document)))
        const survey = new DocumentSurvey(exact.anchors, [], exact.options.reading)
        for (const batch of rows) {
          for (const row of batch) survey.add(row)
          one.addSurvey(survey.take())
          other.addSurvey(surveyRows(batch, other))
        }
        exact.addSurvey(surveyRows(rows.flat(), exact))
        expect(result(one)).toEqual(result(other))
        if (!isSmall) expect(result(one)).toEqual(result(exact))
        if (one.finish().vocabularyError !== undefined) approximate++
      }),
      {numRuns: 200}
    )
    expect(approximate).toBeGreaterThan(10)
  })
})
