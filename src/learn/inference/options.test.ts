import {describe, expect, it} from 'vitest'
import {checkInferenceOptions, inferenceDefaults} from './options.ts'

describe('checkInferenceOptions(...)', () => {
  it('checkInferenceOptions(...) lays what is given over the defaults', () => {
    expect(checkInferenceOptions({})).toEqual(inferenceDefaults)
    expect(checkInferenceOptions({seed: 3})).toEqual({...inferenceDefaults, seed: 3})
  })

  it.each([
    [{methd: 'exact'}, /did you mean "method"/],
    [{typo: 1}, /has no option "typo"/],
    [{method: 'guess'}, /`method` must be 'auto', 'exact'/],
    [{anchors: true}, /`anchors` must be 'used' or 'hidden'; got true/],
    [{tolerance: 0}, /`tolerance` must be a number above 0/],
    [{damping: 1}, /`damping` must be a number in \[0, 1\)/],
    [{stepLimit: 0}, /`stepLimit` must be a whole number, at least 1/],
    [{exactLimit: 21}, /`exactLimit` must be a whole number from 0 to 20/],
    [{seed: 0.5}, /`seed` must be a whole number/]
  ])('checkInferenceOptions(...) refuses %j', (options, message) => {
    expect(() => checkInferenceOptions(options as object)).toThrow(message)
  })
})
