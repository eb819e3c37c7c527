import {describe, expect, it} from 'vitest'
import type {DocumentList} from '../../../session/index.ts'
import {CHUNK, DocumentRows} from './document-rows.ts'

const settled = () => new Promise(resolve => setTimeout(resolve, 0))

/** A list of documents numbered from `first`; the questions are kept. */
function listFrom(first: number, total = 100_000) {
  const asked: number[] = []
  const ask = async (from: number, count: number): Promise<DocumentList> => {
    asked.push(from)
    const rows = Array.from({length: Math.min(count, total - from)}, (_, at) => first + from + at)
    return {total, from, rows: rows.map(at => ({at, name: `d${at}`, parts: [], words: 0}))}
  }
  return {ask, asked}
}

describe('DocumentRows', () => {
  it('asks only for the chunks that are needed, and once', async () => {
    const rows = new DocumentRows()
    const {ask, asked} = listFrom(0)
    rows.open(ask)
    await settled()
    rows.need({from: 0, to: 30})
    rows.need({from: 2 * CHUNK - 10, to: 2 * CHUNK + 10})
    await settled()
    rows.need({from: 2 * CHUNK - 9, to: 2 * CHUNK + 9})
    await settled()
    expect(asked).toEqual([0, CHUNK, 2 * CHUNK])
    expect(rows.total.value).toBe(100_000)
    expect(rows.row(2 * CHUNK + 1)?.at).toBe(2 * CHUNK + 1)
  })

  it('of a fast scroll asks for the place where it ends', async () => {
    const rows = new DocumentRows()
    const {ask, asked} = listFrom(0)
    rows.open(ask)
    await settled()
    for (let from = 1000; from <= 90_000; from += 1000) rows.need({from, to: from + 20})
    await settled()
    expect(asked).toEqual([0, 1000, 90_000])
    expect(rows.row(5)).toBeUndefined()
  })

  it('keeps the rows until those of a new list are there, and drops answers of an earlier list', async () => {
    const rows = new DocumentRows()
    rows.open(listFrom(0).ask)
    await settled()
    let late: ((list: DocumentList) => void) | undefined
    rows.open(() => new Promise(resolve => (late = resolve)))
    await settled()
    expect(rows.row(0)?.at).toBe(0)
    expect(rows.isCurrent).toBe(false)
    rows.open(listFrom(500, 3).ask)
    late?.({total: 1, from: 0, rows: [{at: 9, name: 'late', parts: [], words: 0}]})
    await settled()
    expect(rows.total.value).toBe(3)
    expect(rows.row(0)?.at).toBe(500)
    expect(rows.place(502)).toBe(2)
    expect(rows.place(0)).toBe(-1)
  })
})
