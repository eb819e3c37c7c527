/** What the programs of research/bench/peers.ts count, as lists of ready-made features and as text, and the pairs they must find. */
import {createHash} from 'node:crypto'
import {closeSync, openSync, writeSync} from 'node:fs'
import {DocumentDraw} from './scale-documents.ts'

/** 85 features each, four or five of them anchors: 70,000 patterns and 114 MB in 100,000 documents. */
const SHAPE = {anchors: 50, words: 2000, commonness: 2.3, wordsPerDocument: 81}

const named = (what: string, count: number) =>
  Array.from({length: count}, (_, at) => `${what}${String(at).padStart(10 - what.length, '0')}`)

export const peerAnchors: readonly string[] = named('anchor', SHAPE.anchors)
const words = named('word', SHAPE.words)

/** Write as many documents with `id` and `features`, and the same ones with `id` and `text`. */
export function writePeerDocuments(documents: number, paths: {readonly features: string; readonly text: string}): void {
  const draw = new DocumentDraw({...SHAPE, documents})
  const [features, text] = [openSync(paths.features, 'w'), openSync(paths.text, 'w')]
  let lines: [string[], string[]] = [[], []]
  for (let d = 0; d < documents; d++) {
    draw.draw()
    const names = [
      ...Array.from(draw.members.subarray(0, draw.memberCount), i => peerAnchors[i]),
      ...Array.from(draw.words.subarray(0, draw.wordCount), j => words[j])
    ]
    lines[0].push(`{"id":"document ${d}","features":["${names.join('","')}"]}\n`)
    lines[1].push(`{"id":"document ${d}","text":"${names.join(' ')}"}\n`)
    if (lines[0].length < 5000 && d + 1 < documents) continue
    writeSync(features, lines[0].join(''))
    writeSync(text, lines[1].join(''))
    lines = [[], []]
  }
  closeSync(features)
  closeSync(text)
}

/** In how many documents an anchor and a feature occur together, of all features that ever do; the anchor itself is among them. */
export class PairCounts {
  readonly #counts = new Map<string, Map<string, number>>()

  add(anchor: string, feature: string, documents: number): void {
    const row = this.#counts.get(anchor) ?? new Map<string, number>()
    this.#counts.set(anchor, row)
    row.set(feature, (row.get(feature) ?? 0) + documents)
  }

  /** A hash of all lines `anchor feature documents`, in the order of their characters. */
  digest(): string {
    const lines = [...this.#counts].flatMap(([anchor, row]) =>
      Array.from(row, ([feature, documents]) => `${anchor} ${feature} ${documents}\n`)
    )
    return createHash('sha256').update(lines.sort().join('')).digest('hex')
  }
}
