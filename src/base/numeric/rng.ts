import {hashString} from './hash.ts'

/** A source of randomness, always passed as an argument. */
export interface Rng {
  /** Returns a number that is uniform in [0, 1). */
  next(): number
  /** Returns an independent source, which depends on the seed of this one and on `name`, not on how much was drawn. */
  stream(name: string): Rng
}

/**
 * Creates a source of randomness: the lower 32 bits of the outputs of xoroshiro128+ (Blackman and Vigna 2016, rotations 24, 16, 37).
 * All 128 bits of its state are hashed from the seed, so that the sources of neighbouring seeds are unrelated.
 */
export function rng(seed: number): Rng {
  return createSource(String(seed))
}

function createSource(key: string): Rng {
  // The state is two words of 64 bits, each kept as a high and a low half of 32 bits.
  let [high0, low0, high1, low1] = [1, 2, 3, 4].map(part => hashString(key, part) | 0)
  const draw = () => {
    const sum = (low0 + low1) | 0
    const low = low0 ^ low1
    const high = high0 ^ high1
    const rotated = (low0 << 24) | (high0 >>> 8)
    high0 = ((high0 << 24) | (low0 >>> 8)) ^ high ^ ((high << 16) | (low >>> 16))
    low0 = rotated ^ low ^ (low << 16)
    low1 = (high << 5) | (low >>> 27)
    high1 = (low << 5) | (high >>> 27)
    return sum
  }
  return {
    // 26 bits of one draw and 27 of the next make the 53 bits of a double.
    next: () => (draw() & 0x3ffffff) / 2 ** 26 + (draw() & 0x7ffffff) / 2 ** 53,
    stream: name => createSource(JSON.stringify([key, name]))
  }
}

/** Returns a whole number that is uniform in 0 .. limit - 1. */
export function randomIndex(random: Rng, limit: number): number {
  return Math.floor(random.next() * limit)
}

/** Returns a copy of `items` in random order (Fisher-Yates). */
export function shuffled<T>(items: readonly T[], random: Rng): T[] {
  const copy = [...items]
  for (let left = copy.length; left > 1; left--) {
    const chosen = randomIndex(random, left)
    const last = copy[left - 1]
    copy[left - 1] = copy[chosen]
    copy[chosen] = last
  }
  return copy
}
