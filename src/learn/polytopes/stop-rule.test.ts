import {describe, expect, test} from 'vitest'
import {type SolveProgress, StopRule} from './stop-rule.ts'

const limits = {gap: 0.01, stepLimit: 5, timeLimit: Number.POSITIVE_INFINITY}
const far = {objective: 1, gap: 1, steps: 0}

describe('StopRule', () => {
  test('StopRule.check(...) is optimal as soon as the gap is as small as was asked for, whatever else holds', () => {
    const rule = new StopRule(limits, {signal: {aborted: true}})
    expect(rule.check({...far, gap: 0.01, steps: 9})).toBe('optimal')
    expect(rule.check({...far, gap: 0, steps: 9})).toBe('optimal')
    expect(rule.check({...far, gap: 0.010001})).toBe('cancelled')
  })

  test('StopRule.check(...) does not take a gap that is not a number for a small one', () => {
    expect(new StopRule(limits, {}).check({...far, gap: Number.NaN})).toBeUndefined()
  })

  test('StopRule.check(...) lets the solver go on until the last step', () => {
    const rule = new StopRule(limits, {})
    expect(rule.check({...far, steps: 4})).toBeUndefined()
    expect(rule.check({...far, steps: 5})).toBe('step-limit')
    expect(new StopRule({...limits, stepLimit: 0}, {}).check(far)).toBe('step-limit')
  })

  test('StopRule.check(...) tells progress every time, and nothing but progress', () => {
    const told: SolveProgress[] = []
    const rule = new StopRule(limits, {onProgress: progress => told.push(progress)})
    const more = {...far, secret: 3}
    rule.check(more)
    rule.check({...far, gap: 0, steps: 2})
    rule.report({...far, steps: 3})
    expect(told).toEqual([far, {...far, gap: 0, steps: 2}, {...far, steps: 3}])
  })

  test('StopRule.interruption(...) is over time only once more than the limit has passed since it was made', () => {
    let now = 100
    const rule = new StopRule({...limits, timeLimit: 2}, {clock: () => now})
    expect(rule.interruption(0)).toBeUndefined()
    now = 102
    expect(rule.interruption(0)).toBeUndefined()
    expect(rule.seconds()).toBe(2)
    now = 102.5
    expect(rule.interruption(0)).toBe('time-limit')
    expect(rule.seconds()).toBe(2.5)
  })

  test('StopRule.interruption(...) looks at the signal anew each time, and it comes first', () => {
    const signal = {aborted: false}
    const rule = new StopRule(limits, {signal})
    expect(rule.interruption(1)).toBeUndefined()
    signal.aborted = true
    expect(rule.interruption(9)).toBe('cancelled')
    const controller = new AbortController()
    const other = new StopRule(limits, {signal: controller.signal})
    controller.abort()
    expect(other.interruption(0)).toBe('cancelled')
  })

  test('new StopRule(...) refuses a time limit without a clock', () => {
    expect(() => new StopRule({...limits, timeLimit: 1}, {})).toThrow(
      expect.objectContaining({code: 'bad-option', message: expect.stringMatching(/time limit needs a clock/)})
    )
    expect(new StopRule(limits, {}).seconds()).toBeUndefined()
  })
})
