import {uniformFloat64} from 'pure-rand/distribution/uniformFloat64'
import {xoroshiro128plusFromState} from 'pure-rand/generator/xoroshiro128plus'
import {hashString} from './hash.ts'

/** A source of randomness, always passed as an argument. */
export interface Rng {
  /** Uniform in [0, 1). */
  next(): number
  /** An independent stream that depends on this source's seed and on `name`, not on how much has been drawn. */
  stream(name: string): Rng
}

/** xoroshiro128+; all 128 bits of its state are hashed from the seed, so that neighbouring seeds are unrelated. */
export function rng(seed: number): Rng {
  return sourceOf(String(seed))
}

/** A source with its own key: streams of different names and depths do not overlap. */
function sourceOf(key: string): Rng {
  const generator = xoroshiro128plusFromState([1, 2, 3, 4].map(part => hashString(key, part) | 0))
  return {
    next: () => uniformFloat64(generator),
    stream: name => sourceOf(JSON.stringify([key, name]))
  }
}

/** A whole number, uniform in 0 .. limit - 1. */
export function randomIndex(random: Rng, limit: number): number {
  return Math.floor(random.next() * limit)
}

/** A copy of `items` in random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Rng): T[] {
  const copy = [...items]
  for (let left = copy.length; left > 1; left--) {
    const at = randomIndex(random, left)
    const last = copy[left - 1]
    copy[left - 1] = copy[at]
    copy[at] = last
  }
  return copy
}
