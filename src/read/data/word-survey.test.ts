import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {TokenFrequencies} from './word-survey.ts'

const names = [...'abcdefghijklmnop', '__proto__', 'a token of more than 13']
/** Batches of documents, each a list of tokens. */
const anyBatches = fc.array(fc.array(fc.array(fc.constantFrom(...names), {maxLength: 6}), {maxLength: 6}), {
  maxLength: 12
})

function trueCounts(documents: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tokens of documents) for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

function added(batches: readonly (readonly (readonly string[])[])[], capacity?: number): TokenFrequencies {
  const frequencies = new TokenFrequencies(capacity)
  for (const batch of batches) {
    const counts = trueCounts(batch)
    frequencies.add({tokens: [...counts.keys()], counts: [...counts.values()]})
    frequencies.endBatch()
  }
  return frequencies
}

const stored = (frequencies: TokenFrequencies) => new Map(frequencies.commonest(Number.POSITIVE_INFINITY))

describe('TokenFrequencies', () => {
  test('a true count lies between the count and the count plus the shortfall, which is at most sum / (capacity + 1)', () => {
    let short = 0
    fc.assert(
      fc.property(anyBatches, fc.constantFrom(1, 2, 3, 4, 6, 18), (batches, capacity) => {
        const frequencies = added(batches, capacity)
        const {shortfall} = frequencies
        const counts = stored(frequencies)
        const truth = trueCounts(batches.flat())
        for (const [token, count] of truth) {
          expect(counts.get(token) ?? 0).toBeLessThanOrEqual(count)
          expect((counts.get(token) ?? 0) + shortfall).toBeGreaterThanOrEqual(count)
        }
        const sum = [...truth.values()].reduce((a, b) => a + b, 0)
        // Whatever the shortfall grows by is taken from at least capacity + 1 counts.
        const kept = [...counts.values()].reduce((a, b) => a + b, 0)
        expect(kept + shortfall * (capacity + 1)).toBeLessThanOrEqual(sum)
        expect(counts.size).toBeLessThanOrEqual(1.5 * capacity)
        if (shortfall > 0) short++
        else expect(counts).toEqual(truth)
      }),
      {numRuns: 200}
    )
    expect(short).toBeGreaterThan(20)
  })
})
