import {describe, expect, it} from 'vitest'
import {createJunctionMessages, type NetworkMessages} from './network-messages.ts'
import {drawNetwork} from './test-networks.ts'

/** Two causes of one effect; `heard` is what each concept hears elsewhere, as odds. */
const cpt = [[0.1], [0.3], [0.02, 0.6, 0.5, 0.8]]
const parents = [[], [], [0, 1]]
const unknown = Int8Array.of(-1, -1, -1)

function messagesOf(tables: readonly number[][] = cpt): NetworkMessages {
  const messages = createJunctionMessages({parents, cpt: tables.map(row => Float64Array.from(row))})
  if (messages === undefined) throw new Error('three concepts fit')
  messages.reset()
  return messages
}

/** P(Y) times the odds in `heard`, summed over every state: the odds of each concept. */
function plainOdds(heard: readonly number[], known: ArrayLike<number> = unknown): number[] {
  const sums = heard.map(() => [0, 0])
  for (let state = 0; state < 8; state++) {
    const y = [state >> 2, (state >> 1) & 1, state & 1]
    if (y.some((value, i) => known[i] !== -1 && known[i] !== value)) continue
    const chance = (p: number, value: number) => (value === 1 ? p : 1 - p)
    const prior = chance(cpt[0][0], y[0]) * chance(cpt[1][0], y[1]) * chance(cpt[2][2 * y[0] + y[1]], y[2])
    const weight = y.reduce((product, value, i) => (value === 1 ? product * heard[i] : product), prior)
    for (const [i, value] of y.entries()) sums[i][value] += weight
  }
  return sums.map(([absent, present]) => present / absent)
}

describe('createJunctionMessages(...)', () => {
  it('createJunctionMessages(...) leaves forests, and networks that are too tangled, to others', () => {
    const forest = {parents: [[], [0], []], cpt: [[0.1], [0.2, 0.3], [0.4]].map(row => Float64Array.from(row))}
    expect(createJunctionMessages(forest)).toBeUndefined()
    expect(createJunctionMessages(drawNetwork(8, 1))?.kind).toBe('junction-tree')
    expect(createJunctionMessages(drawNetwork(60, 1))).toBeUndefined()
  })

  it('sweep(...) turns what concepts hear elsewhere into their exact odds, and again when they hear something else', () => {
    const messages = messagesOf()
    const odds = Float64Array.of(2, 0.5, 4)
    expect(messages.sweep(odds, unknown, 0)).toBe(false)
    for (const [i, o] of plainOdds([2, 0.5, 4]).entries()) expect(odds[i]).toBeCloseTo(o, 12)
    messages.sweep(odds, unknown, 0)
    for (const [i, o] of plainOdds([2, 0.5, 4]).entries()) expect(odds[i]).toBeCloseTo(o, 12)
    odds[0] *= 10
    messages.sweep(odds, unknown, 0)
    for (const [i, o] of plainOdds([20, 0.5, 4]).entries()) expect(odds[i]).toBeCloseTo(o, 12)
  })

  it('collect(...) gives what the network said: the odds without what was heard elsewhere', () => {
    const messages = messagesOf()
    const odds = Float64Array.of(2, 0.5, 4)
    messages.sweep(odds, unknown, 0)
    const product = Float64Array.of(1, 1, 10)
    messages.collect(product, new Float64Array(3))
    for (const [i, heard] of [2, 0.5, 0.4].entries()) expect(product[i]).toBeCloseTo(odds[i] / heard, 12)
  })

  it('sweep(..., known) leaves known concepts as they are and conditions the others on them', () => {
    for (const known of [
      [-1, -1, 1],
      [1, -1, 1],
      [0, -1, 0]
    ]) {
      const odds = Float64Array.of(2, 0.5, 4)
      messagesOf().sweep(odds, Int8Array.from(known), 0)
      for (const [i, o] of plainOdds([2, 0.5, 4], known).entries())
        expect(odds[i]).toBeCloseTo(known[i] === -1 ? o : [2, 0.5, 4][i], 12)
    }
  })

  it('sweep(..., damping) goes a share of the way, in logarithms, and less of it than was asked for', () => {
    const free = Float64Array.of(1, 1, 1)
    const slow = free.slice()
    messagesOf().sweep(free, unknown, 0)
    messagesOf().sweep(slow, unknown, 0.5)
    // All three messages are below 1/2, where steps are taken in logarithms.
    for (const [i, o] of slow.entries()) expect(o).toBeCloseTo(free[i] ** 0.25, 12)
  })

  it('sweep(...) says when odds were cut off, and never makes one that is no number', () => {
    const messages = messagesOf([[0.1], [0.3], [1e-40, 0.6, 0.5, 0.8]])
    const odds = Float64Array.of(1e-280, 1e-280, 1e280)
    for (let round = 0; round < 3; round++) {
      expect(messages.sweep(odds, unknown, 0)).toBe(true)
      for (const o of odds) expect(o >= 1e-280 && o <= 1e280).toBe(true)
    }
    const certain = Float64Array.of(1e280, 1, 1e-280)
    expect(messagesOf().sweep(certain, unknown, 0.5)).toBe(true)
    for (const o of certain) expect(o >= 1e-280 && o <= 1e280).toBe(true)
  })
  it('sweep(...) stays a number where the network insists on what is ruled out elsewhere', () => {
    // The effect is known to be there and its other cause to be absent: 1e79 for cause 0, which hears 1e-400 elsewhere.
    const messages = messagesOf([[0.1], [0.3], [1e-80, 0.6, 0.5, 0.8]])
    const odds = Float64Array.of(1e-280, 1, 1)
    for (let round = 0; round < 3; round++) {
      messages.sweep(odds, Int8Array.of(-1, 0, 1), 0)
      expect(odds[0] <= 1e-200).toBe(true)
      odds[0] = 1e-280
    }
  })
})
