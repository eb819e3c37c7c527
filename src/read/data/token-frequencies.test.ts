import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {type FrequencyList, TokenFrequencies} from './token-frequencies.ts'

/** Batches of documents, each a list of tokens. */
const anyBatches = fc.array(
  fc.array(fc.array(fc.constantFrom(...'abcdefghijklmnop', '__proto__', 'a token of more than 13'), {maxLength: 6}), {
    maxLength: 6
  }),
  {maxLength: 12}
)

type Batches = readonly (readonly (readonly string[])[])[]

function trueCounts(batches: Batches): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tokens of batches.flat())
    for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

/** Seen document by document. */
function seen(batches: Batches, capacity?: number): TokenFrequencies {
  const frequencies = new TokenFrequencies(capacity)
  let document = 0
  for (const batch of batches) {
    for (const tokens of batch) {
      document++
      for (const token of tokens) frequencies.see(token, document)
    }
    frequencies.endBatch()
  }
  return frequencies
}

/** Each batch counted by another one, and added. */
function added(batches: Batches, capacity?: number): TokenFrequencies {
  const frequencies = new TokenFrequencies(capacity)
  const other = new TokenFrequencies()
  for (const batch of batches) {
    batch.forEach((tokens, at) => {
      for (const token of tokens) other.see(token, at + 1)
    })
    frequencies.add(other.take())
    frequencies.endBatch()
  }
  return frequencies
}

const entries = ({tokens, counts}: FrequencyList) => new Map(tokens.map((token, at) => [token, counts[at]]))

describe('TokenFrequencies', () => {
  test('take() gives the exact counts while there is room, and begins anew', () => {
    fc.assert(
      fc.property(anyBatches, batches => {
        const frequencies = seen(batches, 18)
        expect(frequencies.shortfall).toBe(0)
        expect(entries(frequencies.take())).toEqual(trueCounts(batches))
        expect(frequencies.take().tokens).toEqual([])
      })
    )
  })

  test('a true count lies between the count and the count plus the shortfall, which is at most sum / (capacity + 1)', () => {
    let short = 0
    fc.assert(
      fc.property(anyBatches, fc.integer({min: 1, max: 6}), (batches, capacity) => {
        const frequencies = seen(batches, capacity)
        const {shortfall} = frequencies
        const counts = entries(frequencies.take())
        const truth = trueCounts(batches)
        for (const [token, count] of truth) {
          const left = counts.get(token) ?? 0
          expect(left).toBeLessThanOrEqual(count)
          expect(left + shortfall).toBeGreaterThanOrEqual(count)
        }
        const sum = [...truth.values()].reduce((a, b) => a + b, 0)
        // Whatever the shortfall grows by is taken from at least capacity + 1 counts.
        const kept = [...counts.values()].reduce((a, b) => a + b, 0)
        expect(kept + shortfall * (capacity + 1)).toBeLessThanOrEqual(sum)
        expect(counts.size).toBeLessThanOrEqual(1.5 * capacity)
        if (shortfall > 0) short++
      }),
      {numRuns: 200}
    )
    expect(short).toBeGreaterThan(20)
  })

  test('add(...) of batches counted elsewhere gives what seeing their documents gives, also beyond the capacity', () => {
    fc.assert(
      fc.property(anyBatches, fc.integer({min: 1, max: 30}), (batches, capacity) => {
        const [a, b] = [seen(batches, capacity), added(batches, capacity)]
        expect(a.shortfall).toBe(b.shortfall)
        expect(entries(a.take())).toEqual(entries(b.take()))
      })
    )
  })

  test('commonest(...) keeps every token that is commoner than the last one by more than the shortfall', () => {
    fc.assert(
      fc.property(anyBatches, fc.integer({min: 2, max: 6}), (batches, capacity) => {
        const frequencies = seen(batches, capacity)
        const truth = trueCounts(batches)
        const chosen = frequencies.commonest(2, () => true)
        if (chosen.length < 2) return
        const least = Math.min(...chosen.map(token => truth.get(token) ?? 0))
        for (const [token, count] of truth) if (count > least + frequencies.shortfall) expect(chosen).toContain(token)
      })
    )
  })
})
