import {describe, expect, it} from 'vitest'
import {emptyFactors} from './document-factors.ts'
import {isForcing, sweepWords} from './word-messages.ts'

/** One word with the given leak and weights, concept i on edge i. */
function oneWord(leak: number, weights: readonly number[], odds: readonly number[]) {
  const factors = {...emptyFactors(weights.length), wordCount: 1}
  factors.start.set([0, weights.length])
  factors.leak[0] = leak
  factors.concept.set(weights.map((_, i) => i))
  factors.weight.set(weights)
  const message = new Float64Array(weights.length).fill(1)
  const buffers = {odds: Float64Array.from(odds), message, heard: message.slice(), before: message.slice()}
  return {factors, buffers}
}

describe('sweepWords(...)', () => {
  it('sweepWords(...) tells each concept the ratio of the word with and without it, the others as believed', () => {
    const weights = [0.3, 0.9, 0.05]
    const believed = [0.5, 2, 0.1]
    const {factors, buffers} = oneWord(0.02, weights, believed)
    expect(sweepWords(factors, buffers, 0)).toBe(false)
    weights.forEach((w, i) => {
      const off = weights.reduce((product, other, k) => {
        const q = believed[k] / (1 + believed[k])
        return k === i ? product : product * (1 - q * other)
      }, 1 - 0.02)
      const ratio = (1 - off * (1 - w)) / (1 - off)
      expect(buffers.message[i]).toBeCloseTo(ratio, 12)
      expect(buffers.odds[i]).toBeCloseTo(believed[i] * ratio, 12)
    })
  })

  it('sweepWords(...) divides its own message out, so that saying it twice changes nothing', () => {
    const {factors, buffers} = oneWord(0.02, [0.3, 0.9], [0.5, 2])
    sweepWords(factors, buffers, 0)
    const {odds, message} = {odds: [...buffers.odds], message: [...buffers.message]}
    sweepWords(factors, buffers, 0)
    odds.forEach((o, i) => {
      expect(buffers.odds[i]).toBeCloseTo(o, 12)
      expect(buffers.message[i]).toBeCloseTo(message[i], 12)
    })
  })

  it('sweepWords(...) moves the logarithm of a message by 1 - damping, a small one along the line', () => {
    const free = oneWord(0.02, [0.1, 0.9], [0.5, 0.2])
    const slow = oneWord(0.02, [0.1, 0.9], [0.5, 0.2])
    sweepWords(free.factors, free.buffers, 0)
    sweepWords(slow.factors, slow.buffers, 0.75)
    const [small, large] = free.buffers.message
    expect(small).toBeLessThan(2)
    expect(large).toBeGreaterThan(2)
    expect(slow.buffers.message[0]).toBeCloseTo(1 + 0.25 * (small - 1), 12)
    expect(slow.buffers.message[1]).toBeCloseTo(large ** 0.25, 12)
    expect(slow.buffers.odds[1]).toBeCloseTo(0.2 * large ** 0.25, 12)
  })

  it('sweepWords(...) forces the only cause of a word without leak, and says when odds were cut off', () => {
    const only = oneWord(0, [0.3], [1e-100])
    expect(sweepWords(only.factors, only.buffers, 0)).toBe(false)
    expect(isForcing(only.buffers.message[0])).toBe(true)
    expect(only.buffers.odds[0]).toBeGreaterThan(1e100)
    const far = oneWord(1e-30, [0.3], [1e270])
    expect(sweepWords(far.factors, far.buffers, 0)).toBe(true)
    expect(isForcing(far.buffers.message[0])).toBe(false)
    expect(Number.isFinite(far.buffers.odds[0])).toBe(true)
  })
})
