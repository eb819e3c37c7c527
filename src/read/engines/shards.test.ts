import {expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {type Rng, randomIndex, rng, shuffled} from '../../base/numeric/index.ts'
import {type Counts, countsToBytes, mergeCounts} from '../counts/index.ts'
import {countDocuments} from './count-with.ts'
import {drawCorpora} from './test-corpora.ts'
import {sourceOf} from './test-source.ts'

test('mergeCounts(...) of the parts of 1,000 corpora is the whole, byte for byte, whatever the parts and their order', async () => {
  const random = rng(3)
  let counted = 0
  for (const {rows, anchors, options} of drawCorpora(1000, {text: false, seed: 2})) {
    const whole = await countDocuments(sourceOf(rows), anchors, options).catch(error => {
      if (error instanceof AdfaError) return undefined
      throw error
    })
    if (whole === undefined) continue
    counted++
    const {lexicon, labelShare, seed} = whole
    const partCount = 1 + randomIndex(random, 6)
    const parts = Array.from({length: partCount}, (_, k) => rows.filter((_, at) => at % partCount === k))
    const counts = await Promise.all(
      parts.map(part => countDocuments(sourceOf(part, 3), {kind: 'lexicon', lexicon}, {labelShare, seed}))
    )
    expect(Buffer.compare(countsToBytes(mergeInAnyOrder(counts, random)), countsToBytes(whole))).toBe(0)
  }
  expect(counted).toBeGreaterThan(500)
})

/** Merge some of the counts, then the results, until one is left. */
function mergeInAnyOrder(counts: readonly Counts[], random: Rng): Counts {
  let left = shuffled(counts, random)
  while (left.length > 1) {
    const taken = 2 + randomIndex(random, left.length - 1)
    left = shuffled([mergeCounts(left.slice(0, taken)), ...left.slice(taken)], random)
  }
  return left[0]
}
