import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {VotedDocuments} from './fit-votes.ts'
import {votesAlpha} from './sources.ts'

/** Votes for C classes, by source; -1 abstains. */
const rowsOf = (votes: readonly (readonly number[])[], C: number, documents = 1): VotedDocuments[] =>
  votes.map(one => ({votes: one.flatMap((vote, source) => (vote < 0 ? [] : [source * C + vote])), documents}))

/** The definition, pair by pair: 1 - mean disagreement within documents / mean disagreement of any two votes. */
function slowAlpha(documents: readonly (readonly number[])[]): number {
  const paired = documents.map(votes => votes.filter(vote => vote >= 0)).filter(({length}) => length > 1)
  const all = paired.flat()
  let [observed, expected] = [0, 0]
  for (const votes of paired)
    votes.forEach((a, i) => {
      votes.forEach((b, j) => {
        if (i !== j && a !== b) observed += 1 / (votes.length - 1) / all.length
      })
    })
  all.forEach((a, i) => {
    all.forEach((b, j) => {
      if (i !== j && a !== b) expected += 1 / (all.length * (all.length - 1))
    })
  })
  return 1 - observed / expected
}

const anyDocuments = fc.array(fc.array(fc.integer({min: -1, max: 2}), {minLength: 4, maxLength: 4}), {
  minLength: 25,
  maxLength: 60
})

describe('votesAlpha', () => {
  test("votesAlpha(...) is Krippendorff's own example: three coders, 12 units with two values or more, alpha .691", () => {
    const coders = [
      [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
      [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4]
    ]
    const units = coders[0].map((_, unit) => coders.map(values => values[unit] - 1))
    // Twice, as few documents have no alpha: n = 26 values become 52, and the factor n - 1 of disagreement 51 instead of 2 x 25.
    const value = votesAlpha(rowsOf(units, 4, 2), 4) ?? 0
    // Three digits are published.
    expect(Math.abs(1 - (1 - value) * (50 / 51) - 0.691)).toBeLessThan(0.0006)
    expect(slowAlpha(units)).toBeCloseTo(0.691, 3)
    expect(votesAlpha(rowsOf(units, 4), 4)).toBeUndefined()
  })

  test('votesAlpha(...) is the mean over pairs, and counts documents by their number', () => {
    fc.assert(
      fc.property(anyDocuments, documents => {
        const slow = slowAlpha([...documents, ...documents])
        const found = votesAlpha(rowsOf(documents, 3, 2), 3)
        if (found !== undefined) expect(found).toBeCloseTo(slow, 9)
      }),
      {numRuns: 30}
    )
  })
})
