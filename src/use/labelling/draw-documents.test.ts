import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {DocumentDraw} from './draw-documents.ts'
import {smallCounts, smallDocuments, smallTask, toRow} from './test-task.ts'

const documents = smallDocuments()
const {lexicon} = smallCounts(documents)

function drawFrom(rows: readonly object[], options = {documents: 20, anchored: 3}) {
  const drawing = new DocumentDraw(lexicon, options)
  for (const row of rows) drawing.add(toRow(row))
  const {random, anchored} = drawing.finish()
  return {random: random.map(({key}) => key), anchored: anchored.map(list => list.map(({key}) => key))}
}

describe('DocumentDraw', () => {
  it('finish() is the same whatever the order of the documents', () => {
    const expected = drawFrom(documents)
    fc.assert(
      fc.property(fc.integer(), seed => {
        expect(drawFrom(shuffled(documents, rng(seed)))).toEqual(expected)
      }),
      {numRuns: 20}
    )
  })

  it('finish() of more documents begins with the documents of fewer', () => {
    const few = drawFrom(documents, {documents: 20, anchored: 3})
    const many = drawFrom(documents, {documents: 60, anchored: 3})
    expect(many.random.slice(0, 20)).toEqual(few.random)
  })

  it('finish() gives for every concept documents where its anchor fires, none of them drawn at random already', () => {
    const {draw} = smallTask({documents: 40, anchored: 5})
    const random = new Set(draw.random.map(({key}) => key))
    expect(draw.random).toHaveLength(40)
    draw.anchored.forEach((list, i) => {
      expect(list).toHaveLength(5)
      for (const {key, evidence} of list) {
        expect(evidence.anchors).toContain(i)
        expect(random.has(key)).toBe(false)
      }
    })
  })

  it('finish() draws all when there are fewer than asked for, and none of the anchored for 0', () => {
    const {random, anchored} = drawFrom(documents.slice(0, 7), {documents: 20, anchored: 0})
    expect(new Set(random).size).toBe(7)
    expect(anchored).toEqual([[], [], []])
  })

  it('finish() takes, of documents with one key, the one whose content comes first, in any order', () => {
    const twice = [
      {id: 1, text: 'b fever'},
      {id: 1, text: 'a fever'},
      {id: 2, text: 'c'}
    ]
    for (const rows of [twice, twice.toReversed()]) {
      const drawing = new DocumentDraw(lexicon, {documents: 5, anchored: 5}, key => key === '1')
      for (const row of rows) drawing.add(toRow(row))
      const {random, wanted} = drawing.finish()
      const texts = random.map(({key, row}) => [key, row.text.get('text')])
      expect(texts.sort()).toEqual([
        ['1', 'a fever'],
        ['2', 'c']
      ])
      expect(wanted.get('1')?.row.text.get('text')).toBe('a fever')
    }
  })

  it('finish() has the documents that were wanted, drawn or not', () => {
    const {draw} = smallTask({documents: 3, anchored: 0}, {wanted: key => ['17', '200'].includes(key)})
    expect([...draw.wanted.keys()].sort()).toEqual(['17', '200'])
  })

  it('new DocumentDraw(...) refuses numbers that make no sense', () => {
    for (const options of [{documents: 0}, {documents: 1.5}, {anchored: -1}, {seed: 0.5}])
      expect(() => new DocumentDraw(lexicon, options)).toThrow(AdfaError)
  })
})
