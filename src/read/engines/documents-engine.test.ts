import {expect, test} from 'vitest'
import {usualWorkers} from './worker-engine.ts'

test('usualWorkers(...) is one thread a core, at most 8, and none for small files, unknown sizes or a single core', () => {
  expect([undefined, 0, 19_999_999].map(size => usualWorkers(size, 4))).toEqual([0, 0, 0])
  expect([1, 2, 4, 16].map(cores => usualWorkers(20_000_000, cores))).toEqual([0, 2, 4, 8])
})
