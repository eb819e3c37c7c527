import {expect, test} from 'vitest'
import {parseAnchors, textDefaults} from '../data/index.ts'
import {parseWordList} from './protocol-words.ts'

const anchors = parseAnchors(
  '{"flu": ["influenza", "text:flu", "text:/grip+e/"], "asthma": {"any": ["title:asthma"], "not": ["text:no"]}}',
  'a'
)
const read = (list: string) => parseWordList(list, anchors, [], textDefaults)

test('parseWordList(...) takes one word a line, sorted, each once, whatever ends the lines', () => {
  expect(read('\uFEFFtext:fever\r\n\n  cough \ntext:fever\n__proto__\ntext:chest pain').words).toEqual([
    '__proto__',
    'cough',
    'text:chest pain',
    'text:fever'
  ])
})

test('parseWordList(...) leaves out words that are anchors, by name or in their field, and says which', () => {
  const {words, anchors: left} = read('influenza\ntext:flu\ntitle:flu\ntitle:asthma\ntext:asthma\ntext:no')
  expect(left).toEqual(['influenza', 'text:flu', 'title:asthma'])
  expect(words).toEqual(['text:asthma', 'text:no', 'title:flu'])
})

test('parseWordList(...) notices a list that names no field', () => {
  expect(read('fever\ncough').isWithoutFields).toBe(true)
  expect(read('fever\ntitle:cough').isWithoutFields).toBe(false)
  expect(parseWordList('fever', anchors, [], {...textDefaults, fields: []}).isWithoutFields).toBe(false)
})
