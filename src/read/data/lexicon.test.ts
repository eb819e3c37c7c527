import {describe, expect, test} from 'vitest'
import {
  lexiconFromJson,
  pickTextOptions,
  readingFromJson,
  readingToJson,
  textDefaults,
  textOptionsOf
} from './lexicon.ts'
import {messageOf} from './test-rows.ts'

const full = {
  ...textDefaults,
  negation: true,
  category: ['sex', '__proto__'],
  number: ['age:10', 'constructor:4,7'],
  list: ['dispensed'],
  separator: ';'
}
const rest = {phrases: ['a b'], filter: {minTags: 2, tags: ['t']}, skipped: [{concept: 'c', reason: 'r'}]}

describe('text options in files', () => {
  test('readingToJson(...) names only what differs from the defaults, and a few options always', () => {
    const written = (reading: typeof full) => Object.keys(readingToJson({...rest, reading})).slice(0, -3)
    expect(written(textDefaults as typeof full)).toEqual(['text', 'vocabulary', 'maxShare'])
    expect(written(full).slice(3)).toEqual(['negation', 'category', 'number', 'list', 'separator'])
  })

  test('readingFromJson(readingToJson(...)) is the same again, keys in the same order', () => {
    for (const reading of [textDefaults, full, {...textDefaults, number: full.number}])
      for (const filter of [rest.filter, undefined]) {
        const json = JSON.parse(JSON.stringify(readingToJson({...rest, filter, reading})))
        const read = readingFromJson(Object.fromEntries(Object.entries(json).reverse()), 'reading')
        expect(read).toEqual({...rest, filter, reading})
        expect(JSON.stringify(read.reading)).toBe(JSON.stringify(reading))
      }
  })

  test.each<[string, object]>([
    ['reading.text', {text: undefined}],
    ['reading.vocabulary', {vocabulary: 'many'}],
    ['`negation`', {negation: null}],
    ['reading.list[0]', {list: [5]}],
    ['`number`', {number: ['age:2,1']}],
    ['reading.phrases', {phrases: undefined}],
    ['reading.filter.tags', {filter: {minTags: 1}}],
    ['reading.skipped[0].reason', {skipped: [{concept: 'a'}]}]
  ])('readingFromJson(...) refuses a damaged %s', (place, damage) => {
    const json = {...readingToJson({...rest, reading: textDefaults}), ...damage}
    expect(messageOf(() => readingFromJson(json, 'reading'))).toContain(place.replaceAll('`', ''))
  })

  test.each<[string, object]>([
    ['lexicon.anchors', {anchors: [{concept: 'a', any: ['x', 'x'], not: []}]}],
    ['lexicon.anchors', {anchors: ['a', 'a'].map(concept => ({concept, any: ['x'], not: []}))}],
    ['rates.kind', {anchors: [{concept: 'a', any: ['x'], not: [], rates: {kind: 'x'}}]}],
    ['words must be in order', {words: ['b', 'a']}],
    ['lexicon.words', {words: ['a', 'a']}]
  ])('lexiconFromJson(...) refuses a damaged %s', (place, damage) => {
    const json = {anchors: [], words: ['a', 'b'], reading: readingToJson({...rest, reading: textDefaults}), ...damage}
    expect(messageOf(() => lexiconFromJson(json))).toContain(place)
  })

  test('pickTextOptions(...) leaves everything else out, and writes bins in one way', () => {
    const more = {...full, number: [' age : 10.0'], minTags: 2}
    expect(JSON.stringify(pickTextOptions(more))).toBe(JSON.stringify({...full, number: ['age:10']}))
  })

  test('textOptionsOf(...) has the usual values where nothing is given, and columns without blanks around them', () => {
    expect(textOptionsOf({text: ['note'], id: ' Visit ', keepCase: undefined, ...{other: 1}})).toEqual({
      ...textDefaults,
      text: ['note'],
      id: 'Visit'
    })
  })
})
