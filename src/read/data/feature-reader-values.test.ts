import {describe, expect, test} from 'vitest'
import {type TextOptions, textDefaults} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import {anchorsOf, readRow, rowOf} from './test-rows.ts'

const clinical: TextOptions = {
  ...textDefaults,
  text: ['text'],
  negation: true,
  category: ['sex'],
  number: ['age:18,65'],
  list: ['dispensed']
}

/** The features of a document, and the anchor features that fire, by name. */
function read(entries: Readonly<Record<string, unknown>>, document: unknown, options: Partial<TextOptions> = {}) {
  const anchors = anchorsOf(entries)
  const reading = {...clinical, ...options}
  const {tokens, members} = readRow(
    new NumberedReader(anchors, ['chest pain'], reading),
    rowOf(document, reading),
    reading.text.length
  )
  const names = anchors.flatMap(({any}) => any)
  return {features: tokens[1], fired: members.map(member => names[member])}
}

const document = {text: 'No chest pain', sex: 'M', age: 12, dispensed: ['Naloxone', 'No chest pain kit']}

describe('read, categories, numbers and lists', () => {
  test('read(...) fires anchors that name a value, in the case that values are read in', () => {
    for (const name of ['dispensed:naloxone', 'dispensed:Naloxone', 'dispensed: Naloxone ', 'sex:M', 'age:<18'])
      expect(read({a: name}, document).fired).toEqual([name])
    const kept = {keepCase: true}
    expect(read({a: 'dispensed:naloxone'}, document, kept).fired).toEqual([])
    expect(read({a: 'dispensed:Naloxone'}, document, kept).fired).toEqual(['dispensed:Naloxone'])
  })

  test('read(...) fires no anchor of text on a value, and none of a value on text', () => {
    expect(read({a: 'naloxone', b: 'm', c: 'text:naloxone'}, document).fired).toEqual([])
    expect(read({a: 'dispensed:naloxone', b: 'sex:m'}, {text: 'dispensed naloxone. sex:m'}).fired).toEqual([])
  })

  test('read(...) matches regular expressions with the values of their field, or without one with whole features', () => {
    expect(read({a: 'dispensed:/^nal/'}, document)).toEqual({
      features: ['sex:m', 'age:<18', 'dispensed:no chest pain kit'],
      fired: ['dispensed:/^nal/']
    })
    expect(read({a: '/dispensed:nal/'}, document).fired).toEqual(['/dispensed:nal/'])
    expect(read({a: 'sex:/nal/', b: 'dispensed:/dispensed/', c: 'text:/nalox/'}, document).fired).toEqual([])
    expect(read({a: 'text:/nalox/'}, {features: ['text:naloxone']}).fired).toEqual([])
  })

  test('read(...) lets a value veto an anchor', () => {
    for (const veto of ['age:<18', 'sex:M', 'dispensed:/kit$/'])
      expect(read({a: {any: ['dispensed:naloxone'], not: [veto]}}, document).fired).toEqual([])
    expect(read({a: {any: ['dispensed:naloxone'], not: ['age:65+']}}, document).fired).toHaveLength(1)
  })

  test('read(...) changes no value by phrases or negation', () => {
    expect(read({a: 'x'}, document).features).toEqual([
      'sex:m',
      'age:<18',
      'dispensed:naloxone',
      'dispensed:no chest pain kit'
    ])
    expect(read({a: 'dispensed:neg:fever'}, {dispensed: ['neg:fever']}).fired).toEqual(['dispensed:neg:fever'])
  })
})
