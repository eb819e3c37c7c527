import {stripVTControlCharacters} from 'node:util'
import {describe, expect, it} from 'vitest'
import {countCorpus} from '../../../read/counts/index.ts'
import {buildCorpus, type ExclusiveGroup, parseRow} from '../../../read/data/index.ts'
import {anchorTotals, DocumentDraw, type LabelRow, LabelSession} from '../../../use/labelling/index.ts'
import {runDialogue} from './dialogue.ts'
import type {Terminal, TerminalEvent} from './terminal.ts'

const documents = Array.from({length: 60}, (_, id) => ({id, text: id % 3 === 0 ? 'fever high' : 'cough dry'}))
const anchors = ['fever', 'cough'].map(concept => ({concept, any: [concept], not: [], rates: undefined}))
const counts = countCorpus(buildCorpus(documents, anchors))

function openSession(options = {documents: 30, anchored: 1}, narrow = 1.01, rows: readonly LabelRow[] = []) {
  const drawing = new DocumentDraw(counts.lexicon, options)
  for (const document of documents) drawing.add(parseRow(document, {text: ['text']}, 'test'))
  return new LabelSession(
    {concepts: ['fever', 'cough'], draw: drawing.finish(), totals: anchorTotals(counts), narrow},
    rows
  )
}

/** Run the dialogue on keys; after the last one the terminal is gone. */
async function converse(session: LabelSession, keys: readonly string[], groups: readonly ExclusiveGroup[] = []) {
  const queue = [...keys]
  const screens: string[] = []
  const saved: number[] = []
  const learned: number[] = []
  const terminal: Terminal = {
    size: () => ({columns: 80, rows: 24}),
    draw: lines => screens.push(lines.map(stripVTControlCharacters).join('\n')),
    next: async (): Promise<TerminalEvent> => {
      const key = queue.shift()
      if (key === undefined) return {kind: 'hangup'}
      if (key === 'resize') return {kind: 'resize'}
      const names: Record<string, string> = {'\r': 'return', '\x03': 'c', '\x1a': 'z'}
      return {kind: 'key', key: {sequence: key, name: names[key] ?? key, ctrl: key < ' ' && key !== '\r'}}
    },
    suspend: async () => {
      await new Promise(resolve => setTimeout(resolve, 5))
      screens.push('stopped')
    },
    close: () => {}
  }
  const end = await runDialogue({
    session,
    terminal,
    facts: {anchors: [['fever'], ['cough']], groups, fields: ['text'], narrow: 1.01, file: 'labels.jsonl'},
    save: async () => {
      saved.push(session.rows.length)
    },
    rank: () => [0.7, 0.2],
    learn: () => {
      learned.push(session.progress().documents)
    }
  })
  return {end, screens, saved, learned}
}

describe('runDialogue', () => {
  it('runDialogue(...) saves after every answer, skip and undo, and ends when told', async () => {
    const session = openSession()
    const {end, saved, screens} = await converse(session, ['1', '\r', 's', '2', '\r', 'u', 'u', '\r', 'q'])
    expect(end).toBe('quit')
    expect(saved).toEqual([1, 2, 3, 2, 1, 2])
    expect(session.rows.map(({labels}) => [...labels.values()])).toEqual([
      [true, false],
      [false, false]
    ])
    expect(screens.some(screen => screen.includes('undone; answer it again'))).toBe(true)
    expect(screens.at(-1)).toContain('2 of 30 documents labelled')
  })

  it('runDialogue(...) takes one class of an exclusive group, and asks for it where one must hold', async () => {
    const group = {concepts: [0, 1], atMostOne: false}
    const session = openSession()
    const {screens} = await converse(session, ['1', '2', '\r', '\r', 'resize', '1', '\r', 'q'], [group])
    expect(session.rows.map(({labels}) => [...labels.values()])).toEqual([
      [false, true],
      [true, false]
    ])
    expect(screens.some(screen => screen.includes("one of 'fever', 'cough' holds: tick it"))).toBe(true)
    const open = openSession()
    await converse(open, ['\r', 'q'], [{...group, atMostOne: true}])
    expect(open.rows.map(({labels}) => [...labels.values()])).toEqual([[false, false]])
  })

  it('runDialogue(...) learns after every ten documents, asks short questions between, and ends when all is answered', async () => {
    const session = openSession()
    const keys = Array.from({length: 100}, () => ['1', '\r', 'y']).flat()
    const {end, learned, screens} = await converse(session, keys)
    expect(end).toBe('finished')
    expect(learned).toEqual([10, 20, 30])
    expect(session.remaining()).toEqual([])
    expect(screens.some(screen => screen.includes('Does this document have "'))).toBe(true)
  })

  it('runDialogue(...) says once that it is enough, and goes on or stops as the reader likes', async () => {
    const enough = (screen: string) => screen.includes('You can stop here (q)')
    const stopped = await converse(openSession({documents: 12, anchored: 5}, 1e9), [
      ...Array.from({length: 60}, () => ['1', '\r', 'y']).flat()
    ])
    expect(stopped.screens.filter(enough)).toHaveLength(1)
    const session = openSession({documents: 12, anchored: 5}, 1e9)
    const {end} = await converse(session, [...Array.from({length: 14}, () => ['1', '\r', 'y']).flat(), 'q', 'q'])
    expect(end).toBe('quit')
  })

  it('runDialogue(...) ends when the terminal is gone, and draws again when it changes its size', async () => {
    const {end, screens, saved} = await converse(openSession(), ['resize', 'resize'])
    expect(end).toBe('interrupted')
    expect(screens).toHaveLength(3)
    expect(saved).toEqual([])
  })

  it('runDialogue(...) stops for Ctrl-Z and draws again afterwards, and ends for Ctrl-C', async () => {
    const session = openSession()
    const {end, screens} = await converse(session, ['1', '\x1a', '\x03'])
    expect(end).toBe('interrupted')
    expect(screens[2]).toBe('stopped')
    expect(screens[3]).toBe(screens[1])
    expect(screens).toHaveLength(4)
    expect(session.rows).toEqual([])
  })
})
