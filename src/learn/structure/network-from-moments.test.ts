import {expect, test} from 'vitest'
import {isAttractive} from './network-from-moments.ts'

test.each([
  [[0.3], true],
  [[0.2, 0.2], true],
  [[0.2, 0.3], true],
  [[0.3, 0.2], false],
  [[0.1, 0.4, 0.4, 0.4], true],
  [[0.1, 0.6, 0.6, 0.3], false],
  [[0.1, 0.05, 0.6, 0.7], false]
])('isAttractive(%j) is %s: no parent makes the child rarer, whatever the others', (cpt, expected) => {
  expect(isAttractive(Float64Array.from(cpt))).toBe(expected)
})
