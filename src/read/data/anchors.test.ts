import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type Anchor, anchorsToJson, exclusiveGroups, exclusiveToJson, parseAnchors, withExclusive} from './anchors.ts'
import {buildCorpus, withConcepts} from './encoder.ts'
import {lexiconFromJson, lexiconToJson} from './lexicon.ts'
import {messageOf} from './test-rows.ts'

const parse = (value: unknown) => parseAnchors(JSON.stringify(value), 'anchors.json')
const plain = {not: [], rates: undefined}

describe('parseAnchors, every form', () => {
  test.each<[unknown, Partial<Anchor>]>([
    ['text:etoh', {any: ['text:etoh']}],
    [['etoh', 'title:alcohol', 'etoh'], {any: ['etoh', 'title:alcohol']}],
    ['text:/heart (size )?is enlarged/i', {any: ['text:/heart (size )?is enlarged/i']}],
    [
      {any: 'etoh', not: ['no etoh', '/denies/']},
      {any: ['etoh'], not: ['no etoh', '/denies/']}
    ],
    [
      {any: ['etoh'], truePositive: 0.6, falsePositive: 0.02},
      {any: ['etoh'], rates: {kind: 'rates', truePositive: 0.6, falsePositive: 0.02}}
    ],
    [
      {any: ['etoh'], prevalence: 0.1, precision: 0.9},
      {any: ['etoh'], rates: {kind: 'shares', prevalence: 0.1, precision: 0.9}}
    ]
  ])('parseAnchors({"alcohol": %j}) is understood', (entry, anchor) => {
    expect(parse({alcohol: entry})).toEqual([{concept: 'alcohol', ...plain, ...anchor}])
  })

  test('parseAnchors(...) keeps the order of the file, and ignores "$schema" and "$comment"', () => {
    const others = {$schema: 'https://example.org/anchors.schema.json', $comment: 'mine'}
    expect(parse({z: 'x', ...others, a: 'y', m: 'w'}).map(({concept}) => concept)).toEqual(['z', 'a', 'm'])
    expect(messageOf(() => parse({$schema: './anchors.schema.json'}))).toContain('no concepts defined')
  })

  test.each(['$', '$comments', '$Schema'])('parseAnchors({"%s": ...}) refuses the reserved key', key => {
    const message = messageOf(() => parse({[key]: 'x', a: 'y'}))
    expect(message).toContain(`concept "${key}": keys that begin with "$" are reserved`)
  })

  test('anchorsToJson(...) refuses a concept with a reserved name, which parseAnchors(...) would refuse', () => {
    const message = messageOf(() => anchorsToJson([{concept: '$cost', ...plain, any: ['cost']}]))
    expect(message).toContain('concept "$cost": cannot be written to a file of anchors')
  })

  test('parseAnchors(...) takes __proto__, constructor and toString for names of concepts and features', () => {
    const json =
      '{"__proto__": "constructor", "constructor": ["toString", "__proto__"], "toString": {"any": ["valueOf"]}}'
    expect(parseAnchors(json, 'f')).toEqual([
      {concept: '__proto__', any: ['constructor'], ...plain},
      {concept: 'constructor', any: ['toString', '__proto__'], ...plain},
      {concept: 'toString', any: ['valueOf'], ...plain}
    ])
    expect(Object.hasOwn(Object.prototype, 'any')).toBe(false)
  })
})

describe('parseAnchors, refusals', () => {
  const rates = (given: object) => ({any: ['x'], ...given})

  test.each<[unknown, string]>([
    [rates({truePositive: 0.5, falsePositive: 0}), 'falsePositive must lie strictly between 0 and 1; got 0'],
    [rates({truePositive: 1, falsePositive: 0.1}), 'truePositive must lie strictly between 0 and 1; got 1'],
    [rates({prevalence: -0.1, precision: 0.5}), 'prevalence must lie strictly between 0 and 1; got -0.1'],
    [rates({truePositive: '0.5', falsePositive: 0.1}), 'got "0.5"'],
    [rates({truePositive: 0.2, falsePositive: 0.2}), 'truePositive must differ from falsePositive'],
    [rates({prevalence: 0.3, precision: 0.3}), 'prevalence must differ from precision'],
    [rates({truePositive: 0.5}), 'truePositive with falsePositive, or prevalence with precision; got truePositive'],
    [rates({truePositive: 0.5, precision: 0.5}), 'got truePositive, precision'],
    [
      rates({truePositive: 0.5, falsePositive: 0.1, prevalence: 0.1, precision: 0.5}),
      'got truePositive, falsePositive, prevalence, precision'
    ],
    [rates({truepositive: 0.5}), 'unknown key "truepositive"; an anchor has any, votes, not, truePositive'],
    [{not: ['x']}, '"any" is missing'],
    [5, 'got 5'],
    [null, 'got null'],
    [[['x']], 'a feature name is text; got ["x"]'],
    [{any: ['x'], not: [3]}, 'a feature name is text; got 3'],
    ['/(/', '/(/ is not a valid regular expression'],
    ['text:/a{2,1}/', '/a{2,1}/ is not a valid regular expression'],
    ['/a/q', '/a/q is not a valid regular expression'],
    [{any: ['x'], not: ['/[/']}, '/[/ is not a valid regular expression']
  ])('parseAnchors({"alcohol": %j}) is refused: %s', (entry, fault) => {
    expect(() => parse({alcohol: entry})).toThrow(expect.objectContaining({code: 'bad-anchors'}))
    const message = messageOf(() => parse({alcohol: entry}))
    expect(message).toContain(fault)
    expect(message).toMatch(/^anchors\.json: concept "alcohol": /)
  })

  test.each([
    ['', /not valid JSON/],
    ['{"a": "x"', /not valid JSON/],
    ['[]', /anchors are one object/],
    ['null', /anchors are one object/],
    ['{}', /no concepts defined/],
    ['{"": "x"}', /a concept needs a name/]
  ])('parseAnchors(%j, "a.json") is refused by file name', (json, message) => {
    expect(() => parseAnchors(json, 'a.json')).toThrow(expect.objectContaining({code: 'bad-anchors'}))
    expect(() => parseAnchors(json, 'a.json')).toThrow(message)
    expect(() => parseAnchors(json, 'a.json')).toThrow(/^a\.json: /)
  })
})

describe('parseAnchors, names that stand twice', () => {
  test.each([
    ['{"a": "x", "b": "y", "a": "z"}', 'a'],
    ['{"a": {"any": ["x"]}, "a" : ["y"]}', 'a'],
    ['{"a": "x", "\\u0061": "y"}', 'a'],
    ['{"\\"q\\"": "x", "b": "}{", "\\"q\\"": "y"}', '"q"'],
    ['{"__proto__": "x", "__proto__": "y"}', '__proto__'],
    ['{"a:b": "x",\n"a:b"\n:\n"y"}', 'a:b']
  ])('parseAnchors(%j) says that %j is named twice', (json, name) => {
    expect(messageOf(() => parseAnchors(json, 'f'))).toContain(`concept "${name}" is named twice`)
  })

  test.each(['{"a": "b", "b": "a"}', '{"a": ["a", "b"], "b": {"any": ["a:", "b"]}}', '{"a": "\\"a\\": 1", "b": "x"}'])(
    'parseAnchors(%j) sees no name twice',
    json => {
      expect(parseAnchors(json, 'f')).toHaveLength(2)
    }
  )
})

describe('anchorsToJson', () => {
  test('anchorsToJson(...) writes the shortest form that says it', () => {
    const entries = {
      one: 'x',
      several: ['x y', '/z/'],
      vetoed: {any: ['x'], not: ['y']},
      rated: {any: ['x', 'y'], truePositive: 0.5, falsePositive: 0.1},
      shared: {any: ['x'], not: ['z'], prevalence: 0.1, precision: 0.9}
    }
    expect(anchorsToJson(parse(entries))).toEqual(entries)
  })

  test('parseAnchors(anchorsToJson(...)) gives the anchors back', () => {
    // Without whole numbers, which every JavaScript object moves to its front, and without reserved keys.
    const name = fc
      .oneof(fc.string({minLength: 1}), fc.constantFrom('__proto__', 'constructor', 'toString', 'chest pain', 'c++'))
      .filter(text => text !== '' && !/^(\d+$|\$)/.test(text))
    const feature = fc.oneof(
      fc.string().filter(text => !text.includes('/')),
      fc.constantFrom('', '/a|b/', 'text:/c+/i', '__proto__')
    )
    const pair = fc
      .tuple(fc.integer({min: 1, max: 999}), fc.integer({min: 1, max: 999}))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => [Math.min(a, b) / 1000, Math.max(a, b) / 1000])
    const rates = fc.option(
      fc.oneof(
        pair.map(([falsePositive, truePositive]) => ({kind: 'rates' as const, truePositive, falsePositive})),
        pair.map(([prevalence, precision]) => ({kind: 'shares' as const, prevalence, precision}))
      ),
      {nil: undefined}
    )
    const anchor = fc.record({
      concept: name,
      any: fc.uniqueArray(feature, {minLength: 1, maxLength: 4}),
      not: fc.uniqueArray(feature, {maxLength: 3}),
      rates
    })
    const anchors = fc.uniqueArray(anchor, {minLength: 1, maxLength: 6, selector: ({concept}) => concept})
    fc.assert(
      fc.property(anchors, fc.nat(6), fc.boolean(), (given, size, atMostOne) => {
        const group = given.slice(0, size).map(({concept}) => concept)
        const grouped = size < 2 || group.length < 2 ? given : withExclusive(given, [{group, atMostOne}])
        expect(parseAnchors(JSON.stringify(anchorsToJson(grouped)), 'f')).toEqual(grouped)
      }),
      {seed: 1, numRuns: 300}
    )
  })
})

const concepts = {ham: 'x', spam: 'y', late: 'z', early: 'w'}

describe('"$exclusive" of an anchors file', () => {
  test('parseAnchors(...) finds groups of which exactly one or at most one holds', () => {
    const anchors = parse({
      ...concepts,
      $exclusive: [['spam', 'ham'], {group: ['late', 'early'], atMostOne: true}]
    })
    expect(exclusiveGroups(anchors)).toEqual([
      {concepts: [0, 1], atMostOne: false},
      {concepts: [2, 3], atMostOne: true}
    ])
  })

  test.each<[unknown, string]>([
    ['ham', '"$exclusive": it is a list of groups, such as [["ham", "spam"]]; got "ham"'],
    [['ham', 'spam'], '"$exclusive": a group is a list of two concepts or more'],
    [[null], '"$exclusive": a group is a list of two concepts or more'],
    [[['ham']], '"$exclusive": a group is a list of two concepts or more'],
    [[['ham', 7]], 'got ["ham",7]'],
    [[['ham', 'spum']], '"$exclusive": there is no concept "spum"; did you mean "spam"?'],
    [[['ham', 'anything']], '"$exclusive": there is no concept "anything"; the concepts are'],
    [[['ham', 'ham']], '"$exclusive": "ham" is named twice; a concept belongs to one group, once'],
    [[{group: ['ham', 'spam'], atmostone: true}], '"atMostOne": true} where none may hold; got'],
    [[{group: ['ham', 'spam'], atMostOne: 'yes'}], '"atMostOne": true} where none may hold; got']
  ])('parseAnchors({"$exclusive": %j}) is refused', ($exclusive, fault) => {
    expect(messageOf(() => parse({...concepts, $exclusive}))).toContain(fault)
  })
})

describe('groups of a lexicon', () => {
  const rows = ['x', 'y', 'z'].map(feature => ({features: [feature]}))
  const anchors = parse({ham: 'x', spam: 'y', other: 'never', late: 'z', $exclusive: [['ham', 'spam', 'other']]})

  test('a concept that is skipped leaves its group, of which then at most one holds', () => {
    const {lexicon} = buildCorpus(rows, anchors, {skipBadAnchors: true})
    expect(exclusiveToJson(lexicon.anchors)).toEqual([{group: ['ham', 'spam'], atMostOne: true}])
  })

  test('a group with one concept left is none', () => {
    const {lexicon} = buildCorpus(rows, parse({ham: 'x', spam: 'never', $exclusive: [['ham', 'spam']]}), {
      skipBadAnchors: true
    })
    expect(exclusiveGroups(lexicon.anchors)).toEqual([])
  })

  test('withConcepts(...) keeps the groups of the concepts that remain', () => {
    const corpus = buildCorpus(rows, parse({ham: 'x', spam: 'y', late: 'z', $exclusive: [['spam', 'late']]}))
    const {lexicon} = withConcepts(corpus, {...corpus.lexicon, anchors: corpus.lexicon.anchors.slice(1)})
    expect(exclusiveGroups(lexicon.anchors)).toEqual([{concepts: [0, 1], atMostOne: false}])
  })

  test('lexiconFromJson(lexiconToJson(...)) keeps groups, and refuses malformed ones', () => {
    const {lexicon} = buildCorpus(rows, anchors, {skipBadAnchors: true})
    const json = JSON.parse(JSON.stringify(lexiconToJson(lexicon)))
    expect(lexiconFromJson(json)).toEqual(lexicon)
    json.anchors[0].exclusive.atMostOne = 'yes'
    expect(() => lexiconFromJson(json)).toThrow('lexicon.anchors[0].exclusive.atMostOne must be true or missing')
    json.anchors[0].exclusive = {group: 0}
    expect(() => lexiconFromJson(json)).toThrow('lexicon.anchors[0].exclusive.size must be')
  })
})

test('parseAnchors(...) names all faults of a file at once', () => {
  const parse = () =>
    parseAnchors('{"a": 3, "b": {"any": ["x"], "rate": 1}, "$c": "y", "a": 4, "$exclusive": 5}', 'anchors.json')
  for (const fault of [/"a" is named twice/, /"a": an anchor is/, /"b": unknown key/, /"\$c": keys that begin/])
    expect(parse).toThrow(fault)
})
