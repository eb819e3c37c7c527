import {describe, expect, test} from 'vitest'
import {parseAnchors, parseRow, type Row} from '../../src/read/data/index.ts'
import type {RowSource} from '../../src/read/engines/index.ts'
import {readMaterial} from './material.ts'

/** Rows with a tag `a` that the word `a` announces, one `b` likewise, one `weak` that its word hardly announces. */
function rows(count: number): Row[] {
  return Array.from({length: count}, (_, at) => {
    const [a, b, weak] = [at % 2 === 0, at % 3 === 0, at % 4 === 0]
    const text = ['word', a && at % 5 > 0 && 'a', b && at % 5 > 1 && 'b', at % 7 === 0 && 'weak']
      .filter(Boolean)
      .join(' ')
    const tags = [a && 'a', b && 'b', weak && 'weak'].filter(tag => tag !== false)
    return parseRow({id: `d${at}`, text, tags}, {text: ['text']}, `row ${at}`)
  })
}

const source = (all: readonly Row[]): RowSource => ({
  async *batches() {
    yield all
  }
})
const anchors = {
  kind: 'given',
  anchors: parseAnchors('{"a": "a", "b": "b", "weak": "weak", "never": "never"}', 'anchors.json')
} as const
const options = {documents: 1000, minTags: 0}

describe('readMaterial', () => {
  test('readMaterial(...) leaves out concepts whose anchor cannot work or tells too little, and says why', async () => {
    const {lexicon} = await readMaterial('data', source(rows(420)), anchors, options)
    expect(lexicon.anchors.map(({concept}) => concept)).toEqual(['a', 'b'])
    const reasons = new Map(lexicon.skipped.map(({concept, reason}) => [concept, reason]))
    expect(reasons.get('weak')).toBe(
      'its anchor fires in 14% of the documents that have it and 14% of those that do not, and it must be more than 3 times as common with its concept; choose narrower words, or remove the concept'
    )
    expect(reasons.get('never')).toMatch(/never/)
  })

  test('readMaterial(...) reads tagged documents alone, the same whatever their order', async () => {
    const all = rows(60)
    const untagged = parseRow({id: 'x', text: 'a b'}, {text: ['text']}, 'row')
    const material = await readMaterial('data', source([untagged, ...all]), anchors, options)
    expect(material.documents).toHaveLength(60)
    expect(await readMaterial('data', source([...all.toReversed(), untagged]), anchors, options)).toEqual(material)
  })

  test('readMaterial(...) takes a random sample of so many documents', async () => {
    const {documents} = await readMaterial('data', source(rows(2000)), anchors, {...options, documents: 500})
    expect(documents).toHaveLength(500)
    const kept = new Set(documents.map(({key}) => key))
    const larger = await readMaterial('data', source(rows(2000)), anchors, {...options, documents: 900})
    expect(larger.documents.filter(({key}) => kept.has(key))).toHaveLength(kept.size)
  })

  test('readMaterial(...) refuses data without tags or without anchors that work', async () => {
    const bare = rows(60).map(row => ({...row, tags: undefined}))
    await expect(readMaterial('notes', source(bare), anchors, options)).rejects.toThrow(
      /notes: of 3 anchors, 3 are too weak/
    )
    await expect(readMaterial('notes', source(rows(12)), anchors, options)).rejects.toThrow(
      /notes: 12 documents with tags passed the filter; an experiment needs at least 20/
    )
  })
})
