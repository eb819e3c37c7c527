import {describe, expect, test} from 'vitest'
import {fit} from '../../src/learn/fit.ts'
import {countCorpus} from '../../src/read/counts/index.ts'
import {textDefaults} from '../../src/read/data/index.ts'
import {mean} from '../spread.ts'
import {experimentDefaults, Results, type Row, type Tables} from './experiment.ts'
import {factors, measureFactors, printedWords, sharedWords, shownWord} from './factors.ts'
import {anchorsWithTagRates} from './material.ts'
import {testMaterial} from './test-material.ts'

const {model, material} = testMaterial(2500, {concepts: 4, words: 40, seed: 2})
const {words} = material.lexicon
const concepts = material.lexicon.anchors.map(({concept}) => concept)
const runs = await Promise.all(
  factors.cells(material, experimentDefaults).map(async cell => ({cell, tables: await measureFactors(material, cell)}))
)
const [paper, robust, oracle] = runs.map(({tables}) => tables)

const listsOf = ({words: rows}: Tables, ranking: string) =>
  concepts.map(concept => rows.filter(row => row.concept === concept && row.ranking === ranking))
const number = ({word}: Row) => words.indexOf(`${word}`)

describe('measureFactors', () => {
  test('measureFactors(...) ranks the words of a concept by their failures in the model of the paper', async () => {
    const rated = {...material.lexicon, anchors: anchorsWithTagRates(material.lexicon, material.documents)}
    const {loadings} = await fit(countCorpus({...material, lexicon: rated}), {preset: 'paper'})
    listsOf(paper, 'failure').forEach((list, i) => {
      const row = Array.from(loadings.failure.subarray(i * words.length, (i + 1) * words.length))
      const lowest = row.filter(f => f < 1).toSorted((a, b) => a - b)
      expect(list.map(({value}) => value)).toEqual(lowest.slice(0, 10).map(f => expect.closeTo(f, 4)))
      for (const each of list) expect(each.value).toBeCloseTo(row[number(each)], 4)
    })
    expect(paper.clips).toMatchObject([
      {failures: 4 * 40, words: 40, links: loadings.failure.filter(f => f < 1).length}
    ])
  })

  test('measureFactors(...) finds the words that the documents were drawn with, beside the failures of the oracle', () => {
    for (const tables of [paper, robust, oracle])
      listsOf(tables, 'failure').forEach((list, i) => {
        const truth = (j: number) => model.loadings.failure[i * words.length + j]
        const own = new Set(list.map(number))
        const rest = words.map((_, j) => j).filter(j => !own.has(j))
        expect(mean([...own].map(truth))).toBeLessThan(mean(rest.map(truth)) - 0.1)
      })
    for (const {value, oracleFailure} of listsOf(oracle, 'failure').flat()) expect(oracleFailure).toBe(value)
  })

  test('measureFactors(...) has log-odds of the robust model alone, the largest first, those above 0', async () => {
    for (const tables of [paper, oracle]) expect(listsOf(tables, 'weights').flat()).toEqual([])
    // Of the first 12 words, each concept was drawn with about a half.
    const few = {
      ...material,
      lexicon: {...material.lexicon, words: words.slice(0, 12)},
      documents: material.documents.map(document => ({...document, words: document.words.filter(j => j < 12)}))
    }
    const fewer = await measureFactors(few, {method: 'robust', seed: 0})
    for (const list of [robust, fewer].flatMap(tables => listsOf(tables, 'weights'))) {
      const values = list.map(({value}) => Number(value))
      expect(values).toEqual(values.toSorted((a, b) => b - a))
      expect([values.every(value => value > 0), values.length > 0 && values.length <= 10]).toEqual([true, true])
    }
    expect(listsOf(fewer, 'weights').some(list => list.length < 10)).toBe(true)
  })
})

test('shownWord(...) leaves out a field that all words of text share, and marks all fields but the last of several', () => {
  const reading = {...textDefaults, text: ['title', 'text']}
  const alone = {reading, words: ['sex:m', 'text:neg:fever', 'text:python']}
  const names = ['text:python', 'text:neg:fever', 'sex:m', 'textual']
  expect(names.map(name => shownWord(name, alone))).toEqual(['python', 'neg:fever', 'sex:m', 'textual'])
  const both = {reading, words: ['text:python', 'title:python']}
  expect(['title:a', 'text:a', 'other:a'].map(name => shownWord(name, both))).toEqual(['a (title)', 'a', 'other:a'])
})

test('sharedWords(...) counts the words that both have, of concepts that have another list', () => {
  const rows = ['a x', 'a y', 'a z', 'b x']
    .map(row => row.split(' '))
    .map(([concept, word]) => ({concept, ranking: 'failure', word}))
  const made = [{cell: {method: 'paper', seed: 0}, tables: {words: rows}}]
  const others = (concept: string) => (concept === 'a' ? ['Y', 'Z', 'q'] : undefined)
  const list = {method: 'paper', ranking: 'failure'} as const
  expect(sharedWords(new Results(made), list, others, word => word.toUpperCase())).toEqual([2])
})

test('factors.tables(...) shows every concept with its anchors and words, and the words that the paper prints', () => {
  expect(printedWords('constructor')).toBeUndefined()
  const [first, ...rest] = material.lexicon.anchors
  const lexicon = {...material.lexicon, anchors: [...rest, {...first, concept: 'MySQL'}]}
  const rows = factors.tables(new Results(runs), {...material, lexicon}).find(({name}) => name === 'words')?.rows ?? []
  const lowest = listsOf(paper, 'failure')[1].map(({word}) => word)
  expect(rows[0].slice(0, 3)).toEqual([concepts[1], rest[0].any.join(', '), lowest.join(', ')])
  expect(rows[3].at(-1)).toMatch(/^mysql, query, rows/)
})

test('factors.figures(...) draws the twelve commonest concepts', () => {
  const many = testMaterial(200, {concepts: 14, words: 20, seed: 6}).material
  const tagged = many.lexicon.anchors.map(({concept}, i) => ({
    concept,
    count: many.documents.filter(({labels}) => labels?.[i] === 1).length
  }))
  const commonest = tagged.toSorted((a, b) => b.count - a.count).slice(0, 12)
  const [figure] = factors.figures(new Results(runs), many)
  if (!('chart' in figure) || figure.chart.kind !== 'bars') throw new Error('not a chart of bars')
  expect(figure.chart.panels).toHaveLength(12)
  expect(figure.chart.panels[0].title).toBe(commonest[0].concept)
})
