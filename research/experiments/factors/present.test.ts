import {describe, expect, test} from 'vitest'
import {fit} from '../../../src/learn/fit.ts'
import {countCorpus} from '../../../src/read/counts/index.ts'
import {textDefaults} from '../../../src/read/data/index.ts'
import {experimentDefaults, type Run} from '../experiment.ts'
import {anchorsWithTagRates} from '../material.ts'
import {wordNames} from '../presentation.ts'
import {testMaterial, testPictures} from '../test-material.ts'
import {type FactorsCell, type FactorsResult, FactorsSummary, measureFactors, type RankedWord} from './measure.ts'
import {clipText, factors, marksText, sharedText, sharedWithPaperText} from './present.ts'
import {printedWords} from './printed.ts'

const {model, material} = testMaterial(2500, {concepts: 4, words: 40, seed: 2})
const {words} = material.lexicon
const concepts = material.lexicon.anchors.map(({concept}) => concept)
const runs = await Promise.all(
  factors.cells(material, experimentDefaults).map(async cell => ({cell, result: await measureFactors(material, cell)}))
)
const [paper, robust, oracle] = runs.map(({result}) => result)

describe('factors.cells', () => {
  test('factors.cells(...) learns the words as the paper does, robustly, and from the true tags', () => {
    const cells = factors.cells(material, {...experimentDefaults, seed: 4})
    expect(cells).toEqual(['paper', 'robust', 'oracle'].map(method => ({method, seed: 4})))
    expect(cells.map(cell => factors.cost?.(cell)).every(cost => cost !== undefined && cost > 0)).toBe(true)
  })
})

describe('measureFactors', () => {
  test('measureFactors(...) ranks the words of a concept by their failures in the model of the paper', async () => {
    const rated = {...material.lexicon, anchors: anchorsWithTagRates(material.lexicon, material.documents)}
    const {loadings} = await fit(countCorpus({...material, lexicon: rated}), {preset: 'paper'})
    paper.words.failure?.forEach((list, i) => {
      const row = Array.from(loadings.failure.subarray(i * words.length, (i + 1) * words.length))
      const lowest = row
        .filter(f => f < 1)
        .toSorted((a, b) => a - b)
        .slice(0, 10)
      expect(list.map(([, value]) => value)).toEqual(lowest.map(f => expect.closeTo(f, 4)))
      for (const [word, value, failure] of list) {
        expect(value).toBe(failure)
        expect(value).toBeCloseTo(row[word], 4)
      }
    })
    expect(paper.speaking).toBe(loadings.failure.filter(f => f < 1).length)
  })

  test('measureFactors(...) finds the words that the documents were drawn with', () => {
    const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
    for (const {words: lists} of [paper, robust, oracle])
      lists.failure?.forEach((list, i) => {
        const truth = (j: number) => model.loadings.failure[i * words.length + j]
        const rest = words.map((_, j) => j).filter(j => !list.some(([word]) => word === j))
        expect(mean(list.map(([word]) => truth(word)))).toBeLessThan(mean(rest.map(truth)) - 0.1)
      })
  })

  test('measureFactors(...) gives the failures of the oracle beside all words', () => {
    for (const [i, list] of (oracle.words.failure ?? []).entries())
      for (const [word, value, , oracleFailure] of list) {
        expect(oracleFailure).toBe(value)
        const found = paper.words.failure?.[i].find(([other]) => other === word)
        if (found !== undefined) expect(found[3]).toBe(value)
      }
  })

  test('measureFactors(...) has log-odds of the robust model alone, the largest first and none below 0', () => {
    expect(Object.keys(paper.words)).toEqual(['failure', 'information'])
    expect(Object.keys(oracle.words)).toEqual(['failure', 'information'])
    const lists = robust.words.weights ?? []
    expect(lists).toHaveLength(4)
    for (const list of lists) {
      const values = list.map(([, value]) => value)
      expect(values).toEqual(values.toSorted((a, b) => b - a))
      expect(values.every(value => value > 0)).toBe(true)
      expect(values.length).toBeLessThanOrEqual(10)
    }
  })

  test('measureFactors(...) lists fewer than ten words where no more have a link to a concept', async () => {
    // Of the first 12 words, each concept was drawn with about a half.
    const few = {
      ...material,
      lexicon: {...material.lexicon, words: words.slice(0, 12)},
      documents: material.documents.map(document => ({...document, words: document.words.filter(j => j < 12)}))
    }
    const {words: lists} = await measureFactors(few, {method: 'robust', seed: 0})
    expect(lists.failure?.flat().every(([, value]) => value < 1)).toBe(true)
    expect(lists.weights?.flat().every(([, value]) => value > 0)).toBe(true)
    expect(lists.weights?.some(list => list.length < 10)).toBe(true)
  })

  test('measureFactors(...) gives the same again, and as JSON', async () => {
    const again = await measureFactors(material, {method: 'robust', seed: 0})
    expect(again).toEqual(robust)
    expect(JSON.parse(JSON.stringify(again))).toEqual(again)
  })

  test('measureFactors(...) counts what was clipped', () => {
    for (const {clips} of [paper, robust, oracle]) {
      expect(clips.failures).toBe(4 * 40)
      expect(clips.words).toBe(40)
    }
    expect(paper.clips.failuresAboveOne + paper.speaking).toBeLessThanOrEqual(4 * 40)
  })
})

describe('wordNames', () => {
  const lexicon = {...material.lexicon, text: {...textDefaults, fields: ['title', 'text']}}

  test('wordNames(...) leaves out a field that all words of text share, and keeps what is no text field', () => {
    const names = wordNames({...lexicon, words: ['sex:m', 'text:neg:fever', 'text:python']})
    expect(['text:python', 'text:neg:fever', 'sex:m', 'textual'].map(names.text)).toEqual([
      'python',
      'neg:fever',
      'sex:m',
      'textual'
    ])
    expect(marksText(names)).toBe('')
  })

  test('wordNames(...) marks the words of all text fields but the last where there are several', () => {
    const names = wordNames({...lexicon, words: ['text:python', 'title:python']})
    expect(['title:a', 'text:a', 'other:a'].map(names.text)).toEqual(['a (title)', 'a', 'other:a'])
    expect(names.markup('title:<a>').text).toBe('&lt;a&gt;&nbsp;<small class="soft">title</small>')
    expect(names.token('title:a')).toBe('a')
    expect(marksText(names)).toBe(' Words marked title come from that field, words without a mark from text.')
  })
})

describe('FactorsSummary', () => {
  const list = (...numbers: readonly number[]) => numbers.map(word => [word, 0.5, 0.5, 0.5] as const)
  const result = (failure: readonly (readonly RankedWord[])[], logOdds = failure): FactorsResult => ({
    ...paper,
    words: {failure, information: failure, weights: logOdds}
  })
  const made: Run<FactorsCell, FactorsResult>[] = [
    {cell: {method: 'paper', seed: 0}, result: result([list(0, 1, 2), list(3)])},
    {cell: {method: 'robust', seed: 0}, result: result([list(), list(4)], [list(7), list(4, 5)])},
    {cell: {method: 'oracle', seed: 0}, result: result([list(2, 1, 9), list(4, 5)])}
  ]
  const summary = new FactorsSummary(made)

  test('FactorsSummary.sharedWithOracle(...) is the mean of the words that both have', () => {
    expect(summary.sharedWithOracle({method: 'paper', ranking: 'failure'})).toMatchObject({mean: 1, error: 1})
    expect(summary.sharedWithOracle({method: 'robust', ranking: 'failure'}).mean).toBe(0.5)
    expect(summary.sharedWithOracle({method: 'robust', ranking: 'weights'}).mean).toBe(1)
    expect(sharedText(summary, 2)).toMatch(
      /2 concepts, 1\.0 \(standard error 1\.0\).*robust preset 0\.5 .* log-odds, 1\.0 /
    )
  })

  test('FactorsSummary.sharedWithPaper(...) looks at concepts that the paper has, by the words that it prints', () => {
    const token = (word: number) => ['rows', 'query', 'rows', 'x'][word]
    const shared = summary.sharedWithPaper({method: 'paper', ranking: 'failure'}, ['MySQL', 'nobody'], token)
    expect(shared).toMatchObject({mean: 2, splits: 1})
    expect(sharedWithPaperText(shared)).toMatch(/^For the concept that has a namesake .* 2\.0 of the words/)
    expect(summary.sharedWithPaper({method: 'paper', ranking: 'failure'}, ['a', 'b'], token)).toBeUndefined()
    expect(sharedWithPaperText(undefined)).toMatch(/^No concept/)
  })

  test('printedWords(...) knows the tables of the paper', () => {
    expect(printedWords('mysql')?.slice(0, 4)).toEqual(['mysql', 'query', 'rows', 'row'])
    expect(printedWords('C#')).toHaveLength(10)
    expect(printedWords('pneumonia')?.[0]).toBe('cxr')
    expect(printedWords('constructor')).toBeUndefined()
  })
})

describe('presentFactors', () => {
  const shown = factors.present(runs, material, testPictures)

  test('presentFactors(...) shows every concept with its anchors and words', () => {
    const [, table] = shown.html.text.split('id="factors-words"')
    expect(table.match(/<tr>/g)).toHaveLength(1 + concepts.length)
    concepts.forEach((concept, i) => {
      expect(table).toContain(`<th scope="row">${concept}</th><td>anchor-0${i + 1}</td>`)
      expect(table).toContain((paper.words.failure?.[i] ?? []).map(([word]) => words[word]).join(', '))
    })
    expect(table).not.toContain('printed in the paper')
  })

  test('presentFactors(...) shows the words of the paper where a concept has its name', () => {
    const [first, ...rest] = material.lexicon.anchors
    const lexicon = {...material.lexicon, anchors: [{...first, concept: 'mysql'}, ...rest]}
    expect(factors.present(runs, {...material, lexicon}, testPictures).html.text).toContain(
      'mysql, query, rows, row, id'
    )
  })

  test('presentFactors(...) puts all words into a table, with their fields and the failures of the oracle', () => {
    const [table, clips] = shown.tables
    const count = runs.flatMap(({result}) => Object.values(result.words).flat()).flat().length
    expect(table.rows).toHaveLength(count)
    const [word, value, failure, oracleFailure] = paper.words.failure?.[1][0] ?? []
    expect(table.rows).toContainEqual([
      ...[concepts[1], 'paper', 'failure', 0, 1, words[word ?? -1], value, failure, oracleFailure, 'anchor-02']
    ])
    expect(clips.rows.map(([method]) => method)).toEqual(['paper', 'robust', 'oracle'])
    for (const {head, rows} of shown.tables) for (const row of rows) expect(row).toHaveLength(head.length)
  })

  test('presentFactors(...) draws the twelve commonest concepts', () => {
    const many = testMaterial(200, {concepts: 14, words: 20, seed: 6}).material
    const none = Array.from({length: 14}, () => [])
    const empty = {...paper, words: {failure: none, information: none, weights: none}}
    const all = (['paper', 'robust', 'oracle'] as const).map(method => ({cell: {method, seed: 0}, result: empty}))
    const {figures, html: section} = factors.present(all, many, testPictures)
    const tagged = many.lexicon.anchors.map(({concept}, i) => ({
      concept,
      count: many.documents.filter(({labels}) => labels?.[i] === 1).length
    }))
    const commonest = tagged.toSorted((a, b) => b.count - a.count).slice(0, 12)
    const drawn = [...figures[0].svg.matchAll(/"title":"([^"]+)","bars"/g)].map(([, name]) => name)
    expect(drawn).toHaveLength(12)
    expect(drawn[0]).toBe(commonest[0].concept)
    expect(figures[0].caption).toMatch(/^Words of the 12 most frequent concepts/)
    expect(shown.figures[0].caption).toMatch(/^Words of all concepts/)
    expect(section.text).not.toContain('NaN')
  })

  test('presentFactors(...) says what the results say, and something else of other results', () => {
    expect(shown.html.text).toContain(clipText('paper', paper.clips))
    const clips = {...paper.clips, failuresAboveOne: 40, failuresBelowFloor: 8, leaksAtFloor: 10}
    expect(clipText('paper', clips)).toBe(
      'With ADFA, tree (paper), 25% of the failures are above 1 and are clipped, 5.0% for other reasons; 25% of the leaks are raised to their floor.'
    )
    const changed = runs.map(run => (run.cell.method === 'paper' ? {...run, result: {...paper, clips}} : run))
    const other = factors.present(changed, material, testPictures).html.text
    expect(other).toContain(clipText('paper', clips))
    expect(other).not.toContain(clipText('paper', paper.clips))
  })
})
