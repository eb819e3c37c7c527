import {expect} from 'vitest'

/** The same number of values, each within `tolerance` of its twin. */
export function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length)
  for (let at = 0; at < expected.length; at++)
    expect(Math.abs(found[at] - expected[at]), `number ${at}: ${found[at]} for ${expected[at]}`).toBeLessThanOrEqual(
      tolerance
    )
}

/** The message of the error that `work` throws, now or later. */
export async function errorOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('expected an error, but none was thrown')
}
