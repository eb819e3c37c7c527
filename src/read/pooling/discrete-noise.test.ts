import {describe, expect, test} from 'vitest'
import {chiSquareTail, rng} from '../../base/numeric/index.ts'
import {NoiseSource} from './discrete-noise.ts'

const seeded = (seed: number) => {
  const random = rng(seed)
  return new NoiseSource(() => Math.floor(random.next() * 2 ** 32))
}

/** P-value of draws against a closed form, cells with an expectation below 10 put together at both ends. */
function goodness(draw: () => number, weight: (x: number) => number, reach: number, count: number): number {
  const observed = new Map<number, number>()
  const clip = (x: number) => Math.max(-reach, Math.min(reach, x))
  for (let at = 0; at < count; at++) {
    const x = clip(draw())
    observed.set(x, (observed.get(x) ?? 0) + 1)
  }
  const expected = new Map<number, number>()
  let total = 0
  for (let x = -60 * reach; x <= 60 * reach; x++) {
    total += weight(x)
    expected.set(clip(x), (expected.get(clip(x)) ?? 0) + weight(x))
  }
  let statistic = 0
  for (const [x, mass] of expected) {
    const wanted = (count * mass) / total
    expect(wanted).toBeGreaterThan(10)
    statistic += ((observed.get(x) ?? 0) - wanted) ** 2 / wanted
  }
  return chiSquareTail(statistic, expected.size - 1)
}

describe('NoiseSource', () => {
  test.each([1, 2, 5, 37])('laplace(%i) has the weights exp(-|x| / t): no cell is off, by chi-square', scale => {
    const noise = seeded(scale)
    const value = goodness(
      () => noise.laplace(scale),
      x => Math.exp(-Math.abs(x) / scale),
      4 * scale,
      40_000
    )
    expect(value).toBeGreaterThan(0.001)
  })

  test.each([1, 2, 7, 30, 400])(
    'gaussian(%i) has the weights exp(-x^2 / (2 v)): no cell is off, by chi-square',
    variance => {
      const noise = seeded(variance)
      const reach = Math.max(2, Math.floor(2.2 * Math.sqrt(variance)))
      const value = goodness(
        () => noise.gaussian(variance),
        x => Math.exp(-(x * x) / (2 * variance)),
        reach,
        40_000
      )
      expect(value).toBeGreaterThan(0.001)
    }
  )

  test('laplace(scale) and gaussian(variance) of large parameters have their variances, within 5 standard errors', () => {
    const count = 20_000
    const spread = (draw: () => number) => {
      let sum = 0
      for (let at = 0; at < count; at++) sum += draw() ** 2
      return sum / count
    }
    const noise = seeded(5)
    // Of x^2 the relative standard error is sqrt(5 / n) for Laplace (kurtosis 6) and sqrt(2 / n) for Gauss (kurtosis 3).
    expect(Math.abs(spread(() => noise.laplace(1e9)) / 2e18 - 1)).toBeLessThan(5 * Math.sqrt(5 / count))
    expect(Math.abs(spread(() => noise.gaussian(1e12)) / 1e12 - 1)).toBeLessThan(5 * Math.sqrt(2 / count))
  })

  test('laplace(...) uses every bit of its words, and the same words give the same noise', () => {
    const words = [0xdeadbeef, 0x12345678, 0x0badcafe, 0x80000001, 0x7fffffff, 0x55555555, 0xaaaaaaaa, 0x13579bdf]
    const draw = (flip: number) => {
      let at = 0
      const noise = new NoiseSource(() => words[at++ % words.length] ^ flip)
      return Array.from({length: 20}, () => noise.laplace(1000))
    }
    expect(draw(0)).toEqual(draw(0))
    for (const bit of [0, 15, 31]) expect(draw(1 << bit)).not.toEqual(draw(0))
  })
})
