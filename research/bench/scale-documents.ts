/** Documents for research/bench/scale.ts, drawn fast enough to make ten million of them: half a million per second and core. */
import {closeSync, openSync, writeSync} from 'node:fs'
import type {CountsHeader} from '../../src/read/counts/index.ts'
import type {PackedDocuments} from '../../src/read/data/index.ts'
import {type Lexicon, textDefaults} from '../../src/read/data/index.ts'

export interface ScaleShape {
  readonly documents: number
  readonly anchors: number
  readonly words: number
  /** How common the concepts are: 1 for a prevalence of 1% to 8%. */
  readonly commonness: number
  /** 60 by default. */
  readonly wordsPerDocument?: number
}

const WORDS_PER_DOCUMENT = 60
const WORDS_PER_CONCEPT = 20
/** Rates: P(anchor fires) with and without the concept. */
const TRUE_POSITIVE = 0.7
const FALSE_POSITIVE = 0.005

/** How the documents are counted: one anchor per concept, ready-made words. */
export function scaleHeader({anchors, words}: ScaleShape): CountsHeader {
  const lexicon: Lexicon = {
    anchors: Array.from({length: anchors}, (_, i) => ({
      concept: `concept ${i}`,
      any: [anchorName(i)],
      not: [],
      rates: undefined
    })),
    words: Array.from({length: words}, (_, j) => wordName(j)),
    phrases: [],
    reading: {...textDefaults, text: [], vocabulary: words},
    filter: undefined,
    skipped: []
  }
  return {lexicon, labelShare: 0, seed: 0}
}

/** How many anchors fire in a document on average. */
export function anchorsPerDocument(shape: ScaleShape): number {
  const {commonness} = shape
  return prevalences(shape).reduce((sum, p) => sum + TRUE_POSITIVE * p + FALSE_POSITIVE * commonness * (1 - p), 0)
}

function prevalences({anchors, commonness}: ScaleShape): Float64Array {
  return Float64Array.from({length: anchors}, (_, i) => commonness * (0.01 + (0.07 * ((i * 37) % 101)) / 100))
}

function anchorName(i: number): string {
  return `a${String(i).padStart(3, '0')}`
}

function wordName(j: number): string {
  return `w${String(j).padStart(4, '0')}`
}

/**
 * Draws documents one after another: the anchor of a concept fires in 7 of 10 of its documents and rarely in others, and its
 * 20 words occur in 3 of 10; other words by a power law, up to 60 in all, or what the shape says.
 */
export class DocumentDraw {
  readonly #shape: ScaleShape
  readonly #prevalence: Float64Array
  readonly #background: Uint32Array
  readonly #lastDocument: Uint32Array
  readonly #most: number
  #state: number
  #document = 0
  /** The document drawn last: `words[0 .. wordCount)` and `members[0 .. memberCount)`. */
  readonly words: Uint32Array
  readonly members: Uint32Array
  wordCount = 0
  memberCount = 0

  constructor(shape: ScaleShape, seed = 1) {
    this.#state = 0x9e3779b9 ^ seed
    this.#shape = shape
    const {anchors, words} = shape
    this.#most = shape.wordsPerDocument ?? WORDS_PER_DOCUMENT
    this.#prevalence = prevalences(shape)
    this.#background = powerLaw(words)
    this.#lastDocument = new Uint32Array(words)
    this.words = new Uint32Array(words)
    this.members = new Uint32Array(anchors)
  }

  draw(): void {
    const {anchors, words, commonness} = this.#shape
    this.#document++
    this.wordCount = 0
    this.memberCount = 0
    for (let i = 0; i < anchors; i++) {
      const draw = this.#next()
      const isPresent = draw < this.#prevalence[i]
      const fires = isPresent ? draw < TRUE_POSITIVE * this.#prevalence[i] : draw > 1 - FALSE_POSITIVE * commonness
      if (fires) this.members[this.memberCount++] = i
      if (!isPresent) continue
      for (let at = 0; at < WORDS_PER_CONCEPT; at++)
        if (this.#next() < 0.3) this.#add((i * WORDS_PER_CONCEPT + 7 * at) % words)
    }
    while (this.wordCount < this.#most) this.#add(this.#background[Math.floor(this.#next() * this.#background.length)])
  }

  /** Uniform in [0, 1), by a 32-bit xorshift: a tenth of the time of the library's source, and good enough here. */
  #next(): number {
    let x = this.#state
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    this.#state = x
    return (x >>> 0) / 2 ** 32
  }

  #add(j: number): void {
    if (this.#lastDocument[j] === this.#document || this.wordCount === this.#most) return
    this.#lastDocument[j] = this.#document
    this.words[this.wordCount++] = j
  }
}

/** Each word as often as its share of some 65,536 draws: about 1 / (rank + 20), so that none is in most documents. */
function powerLaw(words: number): Uint32Array {
  const weights = Array.from({length: words}, (_, j) => 1 / (((j * 7919) % words) + 20))
  const sum = weights.reduce((total, weight) => total + weight)
  return Uint32Array.from(
    weights.flatMap((weight, j) => Array<number>(Math.max(1, Math.round((65_536 * weight) / sum))).fill(j))
  )
}

/** Write the documents as JSON Lines with `id` and `features`, a few thousand lines at a time. */
export function writeScaleDocuments(path: string, shape: ScaleShape): void {
  const anchorNames = Array.from({length: shape.anchors}, (_, i) => `"${anchorName(i)}"`)
  const wordNames = Array.from({length: shape.words}, (_, j) => `"${wordName(j)}"`)
  const draw = new DocumentDraw(shape)
  const file = openSync(path, 'w')
  let lines: string[] = []
  for (let d = 0; d < shape.documents; d++) {
    draw.draw()
    const names: string[] = []
    for (let at = 0; at < draw.memberCount; at++) names.push(anchorNames[draw.members[at]])
    for (let at = 0; at < draw.wordCount; at++) names.push(wordNames[draw.words[at]])
    lines.push(`{"id":${d},"features":[${names.join()}]}\n`)
    if (lines.length === 5000 || d + 1 === shape.documents) {
      writeSync(file, lines.join(''))
      lines = []
    }
  }
  closeSync(file)
}

/** The documents as parsing leaves them. */
export function drawPacked(shape: ScaleShape): PackedDocuments {
  const [wordStarts, memberStarts] = [new Uint32Array(shape.documents + 1), new Uint32Array(shape.documents + 1)]
  const words = new Uint32Array(60 * shape.documents)
  // Fewer than 2 of 50 anchors fire per document; there are at least as many anchors here.
  const members = new Uint32Array(Math.ceil((shape.anchors / 50) * 3 * shape.documents) + shape.anchors)
  const draw = new DocumentDraw(shape)
  for (let d = 0; d < shape.documents; d++) {
    draw.draw()
    words.set(draw.words.subarray(0, draw.wordCount), wordStarts[d])
    members.set(draw.members.subarray(0, draw.memberCount), memberStarts[d])
    wordStarts[d + 1] = wordStarts[d] + draw.wordCount
    memberStarts[d + 1] = memberStarts[d] + draw.memberCount
  }
  return {documentCount: shape.documents, wordStarts, words, memberStarts, members}
}
