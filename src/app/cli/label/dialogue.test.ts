import {PassThrough, Writable} from 'node:stream'
import {stripVTControlCharacters} from 'node:util'
import {describe, expect, it} from 'vitest'
import {countCorpus} from '../../../read/counts/index.ts'
import {type Anchor, buildCorpus, parseRow} from '../../../read/data/index.ts'
import {anchorTotals, DocumentDraw, LabelSession} from '../../../use/labelling/index.ts'
import {runDialogue} from './dialogue.ts'

/** Words of one document, for concepts beyond the first two. */
const MORE = Array.from({length: 18}, (_, at) => `word${at}`)
const documents = Array.from({length: 60}, (_, id) => ({
  id: `visit\x1b[2J\n${id}`,
  text: `${id % 3 === 0 ? 'fever high\x07' : 'cough dry'}${id === 0 ? ` ${MORE.join(' ')}` : ''}`
}))

interface Asked {
  readonly documents?: number
  readonly anchored?: number
  readonly narrow?: number
  readonly concepts?: readonly Partial<Anchor>[]
}

function openSession({documents: drawn = 30, anchored = 0, narrow = 1.01, concepts = [{}, {}]}: Asked = {}) {
  const names = ['fever', 'cough', ...MORE.slice(0, concepts.length - 2)]
  const anchors = names.map((concept, i) => ({concept, any: [concept], not: [], rates: undefined, ...concepts[i]}))
  const counts = countCorpus(buildCorpus(documents, anchors))
  const drawing = new DocumentDraw(counts.lexicon, {documents: drawn, anchored})
  for (const document of documents) drawing.add(parseRow(document, {text: ['text']}, 'test'))
  const session = new LabelSession({concepts: names, draw: drawing.finish(), totals: anchorTotals(counts), narrow})
  return {session, lexicon: {...counts.lexicon, anchors}, narrow}
}

const [TICK, DOWN, UP, DONE, CTRL_C] = [' ', '\x1b[B', '\x1b[A', '\r', '\x03']

/** Types one answer to every question; a question without one is cancelled. */
async function converse(asked: ReturnType<typeof openSession>, answers: readonly (readonly string[])[]) {
  const input = Object.assign(new PassThrough(), {isTTY: true, setRawMode: () => input})
  const saved: number[] = []
  const queue = [...answers]
  let shown = ''
  let from = 0
  const output = new Writable({
    write(chunk, _, done) {
      shown += stripVTControlCharacters(String(chunk))
      done()
      if (!/◆ {2}[^\n]*\?/.test(shown.slice(from))) return
      from = shown.length
      const keys = queue.shift() ?? [CTRL_C]
      setTimeout(async () => {
        for (const key of keys) {
          input.write(key)
          await new Promise(resolve => setTimeout(resolve, 1))
          from = shown.length
        }
      })
    }
  })
  const save = async () => {
    saved.push(asked.session.rows.length)
  }
  const end = await runDialogue({...asked, save, streams: {input, output}}).catch((error: Error) => error.message)
  const labels = asked.session.rows.map(({labels}) => [...labels.values()])
  return {end, saved, labels, shown}
}

describe('runDialogue', () => {
  it('runDialogue(...) saves after every answer, "unsure" and undo, and stops when told', async () => {
    const [unsure, undo, stop] = [
      [UP, UP, TICK, DONE],
      [UP, UP, TICK, DONE],
      [UP, TICK, DONE]
    ]
    const first = [TICK, DONE]
    const {end, saved, labels, shown} = await converse(openSession(), [
      first,
      [UP, ...unsure],
      [DOWN, TICK, DONE],
      undo,
      undo,
      [TICK, DONE],
      stop
    ])
    expect(end).toBeUndefined()
    expect(saved).toEqual([1, 2, 3, 2, 1, 2])
    expect(labels).toEqual([
      [true, false],
      [true, false]
    ])
    expect(shown).toContain('2 labelled of 30 documents')
  })

  it('runDialogue(...) ticks what an answer that is taken back had', async () => {
    const {labels} = await converse(openSession(), [[DOWN, TICK, DONE], [UP, UP, TICK, DONE], [DONE]])
    expect(labels).toEqual([[false, true]])
  })

  it('runDialogue(...) takes one class of an exclusive group, and asks for it where one must hold', async () => {
    const exclusive = {group: 0, size: 2}
    const {labels, shown} = await converse(openSession({concepts: [{exclusive}, {exclusive}]}), [
      [TICK, DOWN, TICK, DONE],
      [TICK, DONE],
      [DONE],
      [TICK, DONE]
    ])
    expect(labels).toEqual([
      [false, true],
      [true, false]
    ])
    expect(shown).toContain("'fever', 'cough' exclude each other")
    expect(shown).toContain("one of 'fever', 'cough' holds")
    const free = {...exclusive, atMostOne: true as const}
    expect((await converse(openSession({concepts: [{exclusive: free}, {exclusive: free}]}), [[DONE]])).labels).toEqual([
      [false, false]
    ])
  })

  it('runDialogue(...) finds one of many concepts by a part of its name', async () => {
    const concepts = Array.from({length: 20}, () => ({}))
    const {labels} = await converse(openSession({concepts}), [['c', 'o', 'u', '\t', DONE]])
    expect(labels[0].indexOf(true)).toBe(1)
    expect(labels[0].filter(Boolean)).toHaveLength(1)
  })

  it('runDialogue(...) asks short questions between, says once when it is enough, and ends when all is answered', async () => {
    const asked = openSession({documents: 12, anchored: 3, narrow: 1e9})
    const {end, labels, shown} = await converse(
      asked,
      Array.from({length: 20}, () => [DONE])
    )
    expect(end).toBeUndefined()
    expect(asked.session.remaining()).toEqual([])
    // The first choice of a short question is yes.
    expect(labels.filter(values => values.length === 1)).toEqual(Array.from({length: 6}, () => [true]))
    expect(shown.match(/enough: /g)).toHaveLength(1)
  })

  it('runDialogue(...) ends on Ctrl-C with nothing answered, and shows no control characters of documents', async () => {
    const {end, saved, shown} = await converse(openSession(), [])
    expect(end).toMatch(/^stopped; every answer is saved/)
    expect(saved).toEqual([])
    expect(shown).toMatch(/visit.* \d+/)
    expect(shown.replaceAll(/[\n\r]/g, '')).not.toMatch(/\p{Cc}/u)
  })
})
