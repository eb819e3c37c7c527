import {describe, expect, test} from 'vitest'
import type {Presentation} from '../experiment.ts'
import {testMaterial, testPictures} from '../test-material.ts'
import type {LikelihoodCell, LikelihoodMethod, LikelihoodRun, MethodResult} from './measure.ts'
import {heldoutLikelihood} from './present.ts'

const {material} = testMaterial(20)

/** Log-likelihoods of all methods as functions of the cell; -5 where nothing is said. */
type Made = Partial<Record<LikelihoodMethod, (cell: LikelihoodCell) => number>>

function runsOf(
  made: Made,
  {splits = 3, shrinkages = ['0.01'], sizes = [500, 1000], marginal = {}} = {}
): LikelihoodRun[] {
  const result = (method: LikelihoodMethod, cell: LikelihoodCell): MethodResult => ({
    logLikelihood: made[method]?.(cell) ?? -5,
    constantError: method === 'pairs' ? 0.0123 : 0,
    objective: 0.1,
    gap: 1e-6,
    status: 'optimal',
    steps: 9,
    ...(method === 'marginal' ? marginal : {})
  })
  return shrinkages.flatMap(shrinkage =>
    (['real', 'generated'] as const).flatMap(data =>
      sizes.flatMap(size =>
        Array.from({length: splits}, (_, split) => {
          const cell = {data, shrinkage, split, seed: 7 + split, size}
          const methods = {
            simplex: result('simplex', cell),
            local: result('local', cell),
            cycle: result('cycle', cell),
            marginal: result('marginal', cell),
            pairs: result('pairs', cell),
            'oracle-tree': result('oracle-tree', cell),
            'oracle-independent': result('oracle-independent', cell)
          }
          return {cell, result: {training: size, heldOut: 250, methods}}
        })
      )
    )
  )
}

const present = (runs: readonly LikelihoodRun[]) => heldoutLikelihood.present(runs, material, testPictures)
const textOf = ({html}: Presentation) => html.text.replace(/<svg.*?<\/svg>/gs, '')
/** Better than simplex by about 0.3 on real documents, by chance on generated ones. */
const asInThePaper: Made = {
  local: ({split}) => -4.98 + split / 1000,
  cycle: ({split}) => -4.9 + split / 1000,
  marginal: ({data, split, size}) => (data === 'real' ? -4.7 + (size - 1000) / 5000 : -5.01) + split / 100
}

describe('presentLikelihood', () => {
  test('presentLikelihood(...) says what the results say of each claim', () => {
    const text = textOf(present(runsOf(asInThePaper)))
    expect(text).toContain(
      'Real documents: with all 1,000 training documents the marginal polytope is 0.310 nats per document better than simplex (mean of 3 splits, standard error 0.006; better in 3), and with 500 documents 0.210 nats'
    )
    expect(text).toContain('persists in the large sample, as in the paper')
    expect(text).toContain('local polytope minus simplex +0.021, cycle polytope minus local polytope +0.080')
    expect(text).toContain('every tighter polytope is at least as good as the one before within two standard errors')
    expect(text).toContain('the difference disappears (0.000 against +0.310 on real documents), as in the paper')
    expect(text).toContain('always solved to a certified gap of 0.00001')
    expect(text).toContain('250 held-out documents judge each tree')
  })

  test('presentLikelihood(...) says the contrary of contrary results', () => {
    const worse: Made = {
      local: () => -5.2,
      marginal: ({data}) => (data === 'real' ? -5.4 : -4.5),
      'oracle-tree': () => -3.25,
      'oracle-independent': () => -3.75
    }
    const text = textOf(present(runsOf(worse)))
    expect(text).toContain('is 0.400 nats per document worse than simplex')
    expect(text).toContain('in the large sample the tighter constraints are worse, unlike in the paper')
    expect(text).toContain('the local polytope is worse than the simplex, and the marginal polytope is worse than the')
    expect(text).toContain(
      'a difference remains (+0.500 against -0.400 on real documents), which in the paper disappears'
    )
    expect(text).toContain(
      'reaches -5.400 nats per document without seeing a tag; a tree from the true tags reaches -3.250'
    )
    expect(text).toContain('the true prevalences without edges -3.750')
    const equal = textOf(present(runsOf({marginal: ({split, data}) => (data === 'real' ? -6 + split : -6)})))
    expect(equal).toContain('in the large sample neither is clearly better, unlike in the paper')
    expect(equal).toContain('the tighter constraints are worse (-1.000 against 0.000 on real documents)')
  })

  test('presentLikelihood(...) tells of moments that were stopped before their gap', () => {
    const text = textOf(present(runsOf(asInThePaper, {marginal: {status: 'step-limit', gap: 0.034}})))
    expect(text).toContain('in 12 of 12 recoveries')
    expect(text).toContain('the largest gap is 0.034')
    expect(text).not.toContain('always solved')
  })

  test('presentLikelihood(...) of one split and one size claims no standard error', () => {
    const text = textOf(present(runsOf(asInThePaper, {splits: 1, sizes: [600]})))
    expect(text).toContain('with all 600 training documents')
    expect(text).toContain('(one split)')
    expect(text).not.toContain('NaN')
    expect(text).not.toContain('undefined')
    expect(text).not.toContain('one before within')
    expect(text).not.toContain('and with')
  })

  test('presentLikelihood(...) states the error of the constant of a network of pairs', () => {
    const sentence = (text: string) => /With all training documents a network of pairs[^)]*\)/.exec(text)?.[0]
    const runs = runsOf({...asInThePaper, pairs: () => -4})
    expect(sentence(textOf(present(runs)))).toMatch(
      /better than the marginal polytope \(\+0\.690 .* at most 0\.012 nats\)/
    )
    const exact = runs.map(({cell, result}) => ({
      cell,
      result: {...result, methods: {...result.methods, pairs: {...result.methods.pairs, constantError: 0}}}
    }))
    expect(sentence(textOf(present(exact)))).toContain('the constant of its probabilities is exact')
  })

  test('presentLikelihood(...) has two pictures a shrinkage, with every split as a mark', () => {
    const {figures} = present(runsOf(asInThePaper, {shrinkages: ['0.01', '10/N']}))
    expect(figures.map(({name}) => name)).toEqual([
      'heldout-likelihood-shrinkage-0.01',
      'heldout-gain-shrinkage-0.01',
      'heldout-likelihood-shrinkage-10-N',
      'heldout-gain-shrinkage-10-N'
    ])
    const [likelihood, gain] = figures.map(({svg}) => JSON.parse(/<desc>(.*)<\/desc>/s.exec(svg)?.[1] ?? ''))
    expect(likelihood.panels.map(({title}: {title: string}) => title)).toEqual(['generated', 'generated documents'])
    expect(likelihood.panels[0].series).toHaveLength(7)
    expect(likelihood.panels[0].series[3].marks).toHaveLength(6)
    expect(likelihood.panels[0].series[3].points[1]).toEqual({x: 1000, y: expect.closeTo(-4.69, 9)})
    const [simplex, , , marginal] = gain.panels[0].series
    expect(simplex.points.map(({y}: {y: number}) => y)).toEqual([0, 0])
    expect(marginal.name).toBe('marginal polytope')
    expect(marginal.points[1]).toEqual({
      x: 1000,
      y: expect.closeTo(0.31, 9),
      low: expect.closeTo(0.31 - 0.02 / Math.sqrt(3), 9),
      high: expect.closeTo(0.31 + 0.02 / Math.sqrt(3), 9)
    })
    expect(marginal.marks.at(-1)).toEqual({x: 1000, y: expect.closeTo(0.32, 9)})
  })

  test('presentLikelihood(...) gives every raw result as a row, with its split and seed', () => {
    const runs = runsOf(asInThePaper)
    const [{name, head, rows}] = present(runs).tables
    expect(name).toBe('heldout-likelihood')
    expect(rows).toHaveLength(7 * runs.length)
    expect(rows.every(row => row.length === head.length)).toBe(true)
    const at = (column: string) => head.indexOf(column)
    const row = rows.find(each => each[at('method')] === 'marginal' && each[at('split')] === 2)
    expect(row?.[at('seed')]).toBe(9)
    expect(row?.[at('log_likelihood')]).toBeCloseTo(-4.78, 9)
    expect(row?.[at('training_documents')]).toBe(500)
  })

  test('presentLikelihood(...) has tables of means with standard errors for both kinds of documents', () => {
    const text = textOf(present(runsOf(asInThePaper)))
    expect(text.match(/<table/g)).toHaveLength(2)
    expect(text).toContain('>-4.690 (6)<')
    expect(text).toContain('>0.310 (6)<')
    expect(text).toContain('>3 of 3<')
  })
})
