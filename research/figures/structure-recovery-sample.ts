import type {Rng} from '../../src/base/numeric/index.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {textDefaults} from '../../src/read/data/index.ts'

/** Rates of an anchor: P(A = 1 | Y = 1) and P(A = 1 | Y = 0). */
export interface AnchorNoise {
  readonly truePositive: number
  readonly falsePositive: number
}

/** P(A) from P(Y), all 2^m cells, one concept after the other. */
export function throughAnchors(table: Float64Array, {truePositive, falsePositive}: AnchorNoise): Float64Array {
  const cells = table.slice()
  for (let half = 1; half < cells.length; half *= 2)
    for (let block = 0; block < cells.length; block += 2 * half)
      for (let c = block; c < block + half; c++) {
        const [off, on] = [cells[c], cells[c + half]]
        cells[c] = (1 - falsePositive) * off + (1 - truePositive) * on
        cells[c + half] = falsePositive * off + truePositive * on
      }
  return cells
}

/** How many of `count` documents fall into each cell of a distribution (Walker's alias method: two numbers per document). */
export function drawCells(table: Float64Array, count: number, random: Rng): Float64Array {
  const share = table.map(p => p * table.length)
  const alias = Int32Array.from(table, (_, cell) => cell)
  const small = [...share.keys()].filter(cell => share[cell] < 1)
  const large = [...share.keys()].filter(cell => share[cell] >= 1)
  for (let low = small.pop(), high = large.pop(); low !== undefined && high !== undefined; low = small.pop()) {
    alias[low] = high
    share[high] -= 1 - share[low]
    if (share[high] >= 1) continue
    small.push(high)
    high = large.pop()
  }
  const drawn = new Float64Array(table.length)
  for (let n = 0; n < count; n++) {
    const cell = Math.floor(random.next() * table.length)
    drawn[random.next() < share[cell] ? cell : alias[cell]]++
  }
  return drawn
}

/** The counts of documents without words that fall into the cells of anchors, the first the most significant bit. */
export function countsOfCells(cells: Float64Array, noise: AnchorNoise): Counts {
  const m = Math.log2(cells.length)
  const concepts = Array.from({length: m}, (_, i) => i)
  const patterns = [...cells.keys()]
    .filter(cell => cells[cell] > 0)
    .map(cell => ({documents: cells[cell], on: concepts.filter(i => (cell >> (m - 1 - i)) & 1)}))
  const starts = new Uint32Array(patterns.length + 1)
  for (const [at, {on}] of patterns.entries()) starts[at + 1] = starts[at] + on.length
  const members = Uint32Array.from(patterns.flatMap(({on}) => on))
  const rates = {kind: 'rates', ...noise} as const
  return {
    lexicon: {
      anchors: concepts.map(i => ({concept: `y${i}`, any: [`a${i}`], not: [], rates})),
      words: [],
      phrases: [],
      text: textDefaults,
      filter: undefined,
      skipped: []
    },
    labelShare: 0,
    seed: 0,
    documentCount: cells.reduce((sum, cell) => sum + cell, 0),
    patternCount: patterns.length,
    memberStarts: starts,
    members,
    conceptStarts: starts,
    concepts: members,
    patternDocuments: Float64Array.from(patterns, ({documents}) => documents),
    wordStarts: new Uint32Array(patterns.length + 1),
    wordIds: new Uint32Array(0),
    wordCounts: new Float64Array(0),
    labelled: new Float64Array(4 * m)
  }
}

/** The table of some concepts, rising, out of that of all. */
export function projected(cells: Float64Array, concepts: readonly number[]): Float64Array {
  const m = Math.log2(cells.length)
  const total = cells.reduce((sum, cell) => sum + cell, 0)
  const table = new Float64Array(2 ** concepts.length)
  for (let cell = 0; cell < cells.length; cell++) {
    let at = 0
    for (const i of concepts) at = 2 * at + ((cell >> (m - 1 - i)) & 1)
    table[at] += cells[cell] / total
  }
  return table
}
