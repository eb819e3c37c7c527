import {stripVTControlCharacters} from 'node:util'
import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {cellWidth} from '../../../base/text/index.ts'
import type {LabelProgress} from '../../../use/labelling/index.ts'
import {drawScreen} from './screen.ts'
import {testQuestion} from './test-label.ts'
import {type LabelFacts, openView} from './view.ts'

const concepts = ['fever', 'cough', 'rash', 'a concept with a rather long name that goes on and on', '\u4e2d\u6587']
const progress: LabelProgress = {documents: 37, least: 100, goal: 200, precision: undefined, enough: undefined}
const facts: LabelFacts = {
  concepts,
  anchors: concepts.map(name => [`text:${name}`]),
  fields: ['title', 'text'],
  progress,
  narrow: 3,
  file: 'labels.jsonl',
  note: ''
}
const probabilities = [0.9, 0.004, 0.2, 0.1, 0.1]
const small = {columns: 80, rows: 24}

function screenOf(document: object, changes: object = {}, size = small, more: Partial<LabelFacts> = {}) {
  const view = {...openView(testQuestion(document), probabilities, new Set([2])), ...changes}
  const {lines, room} = drawScreen(view, {...facts, ...more}, size)
  return {lines: lines.map(stripVTControlCharacters), room}
}

describe('drawScreen', () => {
  it('drawScreen(...) shows document, concepts, progress and keys on 80 x 24', () => {
    const {lines, room} = screenOf({id: 'visit 7\x1b', title: 'Chest pain', text: 'A man of 50 with fever.'})
    expect(lines).toHaveLength(24)
    expect(lines[0]).toMatch(/^ 37 of 100-200 documents labelled \u2588+\u2591+ +labels\.jsonl $/)
    expect(lines[1]).toMatch(/^\u2500\u2500 visit 7 \u2500+$/)
    expect(lines.slice(2, 4)).toEqual([' title Chest pain', ' text  A man of 50 with fever.'])
    expect(lines.join('\n')).toContain('It has: rash')
    expect(lines.find(line => line.includes('fever  '))).toMatch(/^\u276f 1 \[ \]\*fever .* \d \[ \] /)
    expect(lines.find(line => line.includes('] rash'))).toMatch(/^ {2}3 \[x\] rash +/)
    expect(lines.join('\n')).toContain('a concept with a rather long \u2026')
    expect(lines.join('\n')).not.toMatch(/\d%/)
    expect(lines[23]).toContain('? help')
    expect(room).toMatchObject({pages: 1})
  })

  it('drawScreen(...) never draws beyond the screen, whatever its size, the document and the page', () => {
    const text = fc.string({unit: fc.constantFrom('a', 'word ', '\n', '\u4e2d', '\x1b[2J', '\t'), maxLength: 400})
    const screen = fc.constantFrom('question', 'help', 'intervals', 'enough')
    const columns = fc.integer({min: 20, max: 140})
    fc.assert(
      fc.property(
        text,
        screen,
        columns,
        fc.integer({min: 8, max: 60}),
        fc.nat(5),
        (text, screen, columns, rows, page) => {
          const {lines} = screenOf({text}, {screen, page}, {columns, rows})
          expect(lines.length).toBeLessThanOrEqual(rows)
          for (const line of lines) {
            expect(line).not.toMatch(/\p{Cc}/u)
            if (columns >= 80 || screen === 'question') expect(cellWidth(line)).toBeLessThanOrEqual(columns)
          }
        }
      )
    )
  })

  it('drawScreen(...) shows no control characters of names', () => {
    const bad = 'a\x1b]0;x\x07\n\r\x9b2J\u202e'
    const rate = {value: 0.1, low: 0.05, high: 0.2}
    const rates = concepts.map((_, i) => ({prevalence: rate, ...(i === 0 && {refusal: {rule: 'few', reason: bad}})}))
    const worst = {concept: bad, factor: 2}
    const precision = {median: 2, worst, unusable: [], rates} as unknown as LabelProgress['precision']
    const names = concepts.map(name => `${name}${bad}`)
    const more = {concepts: names, anchors: names.map(name => [name]), file: bad, note: bad}
    const question = {...testQuestion({text: 'a'}), drawn: 'anchored', concept: 0}
    for (const changes of [{}, {screen: 'help'}, {screen: 'intervals'}, {screen: 'enough'}, {question}, {find: bad}])
      for (const enough of [undefined, 'intervals'] as const) {
        const shown = {...more, progress: {...progress, precision, enough}}
        const {lines} = screenOf({id: bad, [bad]: bad, text: bad}, changes, small, shown)
        expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u)
      }
  })

  it('drawScreen(...) has every line of a long document on just one of its pages', () => {
    const words = Array.from({length: 600}, (_, at) => `word${at}`)
    const {pages} = screenOf({text: words.join(' ')}).room
    expect(pages).toBeGreaterThan(3)
    const seen = Array.from({length: pages}, (_, page) => screenOf({text: words.join(' ')}, {page}).lines.join(' '))
    expect(seen.join(' ').match(/word\d+/g)).toEqual(words)
    expect(seen[0]).toContain(`text 1/${pages} PgDn`)
  })

  it('drawScreen(...) leaves the document room beside very many concepts, and turns their list', () => {
    const many = {concepts: Array.from({length: 200}, (_, at) => `concept ${at}`)}
    const order = many.concepts.map((_, at) => at)
    const document = {text: 'word '.repeat(300)}
    const {lines, room} = screenOf(document, {order}, small, many)
    expect(lines.filter(line => line.includes('word')).length).toBeGreaterThan(8)
    const second = screenOf(document, {order, cursor: room.listed}, small, many)
    expect(second.lines.join('\n')).toMatch(new RegExp(`1 \\[.\\] concept ${room.listed} `))
  })

  it('drawScreen(...) asks a short question by name, with the members of its anchor that fire', () => {
    const question = testQuestion({text: 'x'}, 1)
    const document = {...question.document, evidence: {...question.document.evidence, members: [0, 2, 3]}}
    const anchors = [['text:fever'], ['text:cough', 'text:coughs', 'text:coughing'], ['text:rash']]
    const text = screenOf({text: 'x'}, {question: {...question, document}}, small, {anchors}).lines.join('\n')
    expect(text).toContain('Does this document have "cough"?')
    expect(text).toContain('y yes    n no    s skip')
    expect(text).toContain('its anchor fires here: text:coughs, text:coughing')
  })

  it('drawScreen(...) says how well the concepts are known, the least known first, and when it is enough', () => {
    const rate = (low: number, value: number, high: number, refusal?: object) => ({
      prevalence: {low, value, high},
      refusal
    })
    const rates = [
      rate(0.02, 0.04, 0.08),
      rate(0.01, 0.05, 0.1),
      rate(0.001, 0.01, 0.1, {rule: 'low-true-positive', reason: 'its anchor fires in 3 documents'}),
      rate(0.3, 0.4, 0.5),
      rate(0.9, 0.95, 1)
    ]
    const precision = {median: 2.14, worst: {concept: 'rash', factor: 4.76}, unusable: ['rash'], rates}
    const known = {...progress, precision} as unknown as LabelProgress
    const status = (more: object) => screenOf({text: 'x'}, {}, small, {progress: {...known, ...more}}).lines[22]
    expect(status({})).toMatch(/^ prevalence within a factor of 2\.1 \(median\), 4\.8 at worst \(rash\)/)
    expect(status({enough: 'intervals'})).toContain('enough: the prevalence of every concept that can be used is known')
    expect(status({enough: 'documents'})).toContain('enough: all 200 requested documents')
    const {lines} = screenOf({text: 'x'}, {screen: 'intervals'}, {columns: 100, rows: 24}, {progress: known})
    const names = lines.slice(3, 9).map(line => line.trim().split(' ')[0])
    expect(names).toEqual(['cough', 'fever', 'a', '\u4e2d\u6587', '', 'rash'])
    expect(lines[4]).toMatch(/fever +4\.0% +2\.0% - 8\.0% +4\.0 +\u2501+\u25cf\u2501+/)
    expect(lines[8]).toContain('not usable: its anchor fires in 3 documents')
  })
})
