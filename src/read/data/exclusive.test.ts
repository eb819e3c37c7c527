import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {anchorsToJson, exclusiveGroups, exclusiveToJson, parseAnchors} from './anchors.ts'
import {buildCorpus, withConcepts} from './corpus.ts'
import {lexiconFromJson, lexiconToJson} from './lexicon.ts'
import {messageOf} from './test-rows.ts'

const parse = (value: unknown) => parseAnchors(JSON.stringify(value), 'anchors.json')
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

  test('anchorsToJson(...) then parseAnchors(...) gives the same anchors, for random groups', () => {
    const anyGroups = fc.shuffledSubarray([...'abcdefgh'], {minLength: 5}).chain(names =>
      fc.record({
        names: fc.constant(names),
        cut: fc.integer({min: 2, max: names.length - 2}),
        atMostOne: fc.boolean()
      })
    )
    fc.assert(
      fc.property(anyGroups, ({names, cut, atMostOne}) => {
        const anchors = parse({
          ...Object.fromEntries([...'abcdefgh'].map(name => [name, name])),
          $exclusive: [names.slice(0, cut), {group: names.slice(cut), atMostOne}]
        })
        expect(parse(anchorsToJson(anchors))).toEqual(anchors)
        expect(exclusiveGroups(anchors).map(group => group.concepts.map(i => anchors[i].concept))).toEqual([
          names.slice(0, cut).toSorted(),
          names.slice(cut).toSorted()
        ])
      })
    )
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
