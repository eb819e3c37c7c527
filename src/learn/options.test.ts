import {describe, expect, test} from 'vitest'
import {checkFitOptions, type FitOptions, fitChoices, presets, savedOptions} from './presets.ts'

describe('presets', () => {
  test('presets.paper has the published shrinkages and no leak floor', () => {
    expect(presets.paper).toEqual({
      noise: 'given',
      conceptsPerDocument: undefined,
      falseAnchors: 'noise',
      polytope: 'simplex',
      solver: 'newton',
      correction: 'every-step',
      gap: undefined,
      timeLimit: undefined,
      structure: 'tree',
      score: 'bic',
      penalty: 1,
      edges: {},
      attractive: false,
      search: 'exact',
      divergence: 'kl',
      shrinkage: 0.01,
      wordSigmas: 0,
      wordShrinkage: 0.1,
      leakFloor: 0,
      blanketLimit: 3,
      words: 'noisy-or',
      skipBadAnchors: false,
      seed: 0
    })
  })

  test('presets.robust differs in the noise rates, what false anchors are taken for, the polytope, the structure, the shrinkages, the gate, the leak floor, the penalty for parents, the blankets and the words alone', () => {
    expect(presets.robust).toEqual({
      ...presets.paper,
      noise: 'auto',
      falseAnchors: 'related',
      polytope: 'local',
      structure: 'pairs',
      shrinkage: '10/N',
      wordSigmas: 3,
      wordShrinkage: 1,
      leakFloor: 0.3,
      blanketLimit: 0,
      words: 'weights',
      score: 'noise-aware',
      penalty: 0.5
    })
  })
})

describe('checkFitOptions', () => {
  test('checkFitOptions(...) fills up from the preset; undefined counts as not given', () => {
    expect(checkFitOptions('paper', {})).toEqual(presets.paper)
    const given = {leakFloor: 0, seed: 3, structure: undefined} as unknown as Partial<FitOptions>
    expect(checkFitOptions('robust', given)).toEqual({...presets.robust, leakFloor: 0, seed: 3})
  })

  const graphOptions: Partial<FitOptions>[] = [
    {shrinkage: 0},
    {polytope: 'cycle'},
    {divergence: 'l2'},
    {penalty: 2},
    {search: 'greedy'},
    {attractive: false}
  ]
  test.each(graphOptions)(
    'checkFitOptions("robust", %j) asks for a directed graph, and is refused with pairs',
    given => {
      const [name] = Object.keys(given)
      expect(checkFitOptions('robust', given)).toEqual({...presets.robust, ...given, structure: 'indegree:1'})
      expect(checkFitOptions('robust', {...given, network: 'tree'}).network).toBe('tree')
      expect(checkFitOptions('paper', given).network).toBe('tree')
      expect(() => checkFitOptions('robust', {...given, network: 'pairs'})).toThrow(
        expect.objectContaining({
          code: 'bad-option',
          message: `fit: \`${name}\` is for directed graphs and has no effect on \`structure\` 'pairs'; leave one of them out`,
          details: {option: name}
        })
      )
    }
  )

  test('checkFitOptions(...) takes edge rules with pairs, and tiers with directed graphs alone', () => {
    const rules = {edges: {forbid: [['a', 'b']]}} as const
    expect(checkFitOptions('robust', rules)).toEqual({...presets.robust, ...rules})
    expect(savedOptions(checkFitOptions('robust', rules))).toMatchObject({structure: 'pairs', ...rules})
    expect(savedOptions(checkFitOptions('robust', {edges: {require: [], tiers: []}}))).not.toHaveProperty('edges')
    const tiers = {edges: {tiers: [['a'], ['b']]}}
    expect(checkFitOptions('robust', tiers).network).toBe('indegree:1')
    expect(checkFitOptions('paper', tiers).network).toBe('tree')
    expect(() => checkFitOptions('robust', {...tiers, network: 'pairs'})).toThrow(
      "fit: tiers in `edges` are for directed graphs and have no effect on `structure` 'pairs'; leave one of them out"
    )
  })

  test('savedOptions(...) keeps the options of directed graphs only where there is one', () => {
    const pairs = savedOptions(presets.robust)
    expect(pairs).toMatchObject({structure: 'pairs', noise: 'auto', wordSigmas: 3})
    for (const name of ['polytope', 'shrinkage', 'score', 'penalty', 'search', 'edges'])
      expect(pairs).not.toHaveProperty(name)
    expect(savedOptions({...presets.robust, network: 'indegree:1'})).toMatchObject({polytope: 'local', penalty: 0.5})
  })

  test('checkFitOptions(...) leaves the presets as they are', () => {
    const before = structuredClone(presets)
    checkFitOptions('paper', {shrinkage: 7, noise: 'labels'})
    expect(presets).toEqual(before)
  })

  test('checkFitOptions(...) accepts every choice that fitChoices offers, and each preset makes one', () => {
    for (const [name, choices] of Object.entries(fitChoices))
      for (const choice of choices) expect(checkFitOptions('paper', {[name]: choice})).toMatchObject({[name]: choice})
    for (const preset of Object.values(presets))
      for (const [name, choices] of Object.entries(fitChoices))
        expect(choices).toContain(preset[name as keyof typeof fitChoices])
  })

  test.each([
    [
      {structure: 'ring'},
      '`structure` must be pairs, independent, tree, indegree:K or degree:K with K from 1 to 6, a known graph or a search of your own; got "ring"'
    ],
    [
      {noise: null},
      "fit: `noise` must be 'given', 'labels', 'pair', 'positive-only', 'irreducible' or 'auto'; got null"
    ],
    [{divergence: ''}, "fit: `divergence` must be 'kl' or 'l2'; got \"\""]
  ])('checkFitOptions("paper", %j) is refused', (given, message) => {
    expect(() => checkFitOptions('paper', given as object)).toThrow(
      expect.objectContaining({code: 'bad-option', message})
    )
  })
})
