import {describe, expect, test} from 'vitest'
import {checkPrivacyRules, concentration, type PrivacyRules, privacyBudget} from './privacy-budget.ts'

const laplace: PrivacyRules = {mechanism: 'laplace', epsilon: 1, delta: 0, mostAnchors: 4, mostWords: 30}
const sizes = {maxOrder: 2, concepts: 23, words: 500, hasLabels: false}

describe('privacyBudget', () => {
  test('privacyBudget(...) of Laplace noise: changes and scales as by hand', () => {
    // 1 + 4 + 6 = 11 and 30 * (1 + 4) = 150, half of the budget each: 11 / 0.5 and 150 / 0.5.
    expect(privacyBudget(laplace, sizes)).toEqual([
      {name: 'anchors', changes: 11, scale: 22},
      {name: 'words', changes: 150, scale: 300}
    ])
    // With labels a third each: 11 / (0.3 / 3), 150 / 0.1, 23 / 0.1.
    expect(privacyBudget({...laplace, epsilon: 0.3}, {...sizes, hasLabels: true}).map(({scale}) => scale)).toEqual([
      110, 1500, 230
    ])
  })

  test('privacyBudget(...) of Gaussian noise: variances as by hand', () => {
    // delta = 1e-6: L = 13.815511; rho = (sqrt(14.815511) - sqrt(13.815511))^2 = 0.0174689; half of it for each part.
    // 11 / (2 * 0.00873445) = 629.69 and 150 / (2 * 0.00873445) = 8586.69.
    expect(privacyBudget({...laplace, mechanism: 'gaussian', delta: 1e-6}, sizes).map(({scale}) => scale)).toEqual([
      630, 8587
    ])
  })

  test.each([
    [1, 5, 30],
    [2, 11, 150],
    [3, 15, 330]
  ])('privacyBudget(...) of order %i counts %i numbers of anchors and %i of words', (maxOrder, anchors, words) => {
    expect(privacyBudget(laplace, {...sizes, maxOrder}).map(({changes}) => changes)).toEqual([anchors, words])
  })

  test('privacyBudget(...) knows that there are no more concepts and words than there are, and no part without numbers', () => {
    expect(privacyBudget(laplace, {maxOrder: 3, concepts: 2, words: 7, hasLabels: false})).toMatchObject([
      {changes: 4},
      {changes: 28}
    ])
    expect(privacyBudget(laplace, {...sizes, words: 0})).toEqual([{name: 'anchors', changes: 11, scale: 11}])
  })

  test('concentration(epsilon, delta) is the rho with epsilon = rho + 2 sqrt(rho log(1 / delta))', () => {
    for (const epsilon of [1e-6, 0.1, 1, 8])
      for (const delta of [1e-12, 1e-6, 0.01]) {
        const rho = concentration(epsilon, delta)
        expect((rho + 2 * Math.sqrt(rho * Math.log(1 / delta))) / epsilon).toBeCloseTo(1, 12)
      }
  })

  test.each([
    [{epsilon: 0}, /epsilon is a number above 0.*got 0/],
    [{epsilon: Number.NaN}, /epsilon/],
    [{epsilon: 101}, /at most 100/],
    [{delta: 1e-6}, /delta is 0 with laplace/],
    [{mechanism: 'gaussian'}, /delta of gaussian noise is above 0/],
    [{mechanism: 'gaussian', delta: 0.1}, /at most 0.01/],
    [{mechanism: 'uniform'}, /laplace or gaussian; got "uniform"/],
    [{mostAnchors: 0}, /most-anchors is a whole number/],
    [{mostWords: 1.5}, /most-words is a whole number/]
  ])('checkPrivacyRules(%j) refuses what promises nothing', (wrong, message) => {
    expect(() => checkPrivacyRules({...laplace, ...(wrong as Partial<PrivacyRules>)})).toThrow(message)
  })
})
