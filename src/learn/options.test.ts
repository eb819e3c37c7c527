import {describe, expect, test} from 'vitest'
import {checkFitOptions, type FitOptions, presets, savedOptions} from './options.ts'

describe('checkFitOptions', () => {
  test('checkFitOptions(...) fills up from the preset, robust unless another is named; undefined counts as not given', () => {
    expect(checkFitOptions({})).toEqual(presets.robust)
    expect(checkFitOptions({preset: 'paper'})).toEqual(presets.paper)
    const given = {noise: 'given', seed: 3, network: undefined} as unknown as FitOptions
    expect(checkFitOptions(given)).toEqual({...presets.robust, noise: 'given', seed: 3})
  })

  test.each([
    ['shrinkage', 0],
    ['polytope', 'cycle'],
    ['solver', 'conditional-gradient'],
    ['divergence', 'l2'],
    ['search', 'greedy'],
    ['gap', 0.1],
    ['timeLimit', 1]
  ])('checkFitOptions({%s: %o}) needs a directed graph, and never makes one of pairs', (option, value) => {
    const given = {[option]: value} as FitOptions
    for (const pairs of [given, {...given, network: 'pairs'}])
      expect(() => checkFitOptions(pairs as FitOptions)).toThrow(
        expect.objectContaining({code: 'bad-option', details: {option}})
      )
    expect(checkFitOptions({...given, network: 'tree'} as FitOptions)).toMatchObject({network: 'tree', [option]: value})
    expect(checkFitOptions({...given, preset: 'paper'} as FitOptions)).toMatchObject({network: 'tree', [option]: value})
  })

  test('savedOptions(...) keeps the options that had an effect', () => {
    const pairs = savedOptions(presets.robust)
    expect(pairs).toMatchObject({preset: 'robust', network: 'pairs', noise: 'auto', wordShrinkage: 'gated'})
    for (const name of ['polytope', 'shrinkage', 'search', 'edges']) expect(pairs).not.toHaveProperty(name)
    expect(savedOptions({...presets.robust, network: 'indegree:1'})).toMatchObject({polytope: 'local'})
    const rules = {edges: {forbid: [['a', 'b']]}} as const
    expect(savedOptions(checkFitOptions(rules))).toMatchObject({network: 'pairs', ...rules})
  })

  test.each([
    {wordshrinkage: 1},
    {network: 'ring'},
    {noise: null},
    {network: 'tree', polytope: 'cube'},
    {preset: 'toString'},
    {preset: 'paper', divergence: ''},
    {wordShrinkage: 'x/N'},
    {wordShrinkage: -1},
    {network: 'tree', shrinkage: 'x/N'},
    {seed: Number.NaN},
    {seed: 1.5},
    {skipBadAnchors: 'no'}
  ])('checkFitOptions(%j) is refused', given => {
    expect(() => checkFitOptions(given as unknown as FitOptions)).toThrow(expect.objectContaining({code: 'bad-option'}))
  })
})
