import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {log, sigmoid} from '../../base/numeric/index.ts'
import {createInference} from '../../learn/inference/index.ts'
import {type LogOddsModel, logOddsModel} from '../../learn/inference/test-weights.ts'
import type {Evidence} from '../../read/data/index.ts'
import {type ExplainOptions, explain} from './explain.ts'
import type {Contribution} from './explain-parts.ts'

const m = 6
const n = 20
const concepts = Array.from({length: m}, (_, k) => k)
const model = logOddsModel(71, m, n)
const nameOf = (k: number) => model.concepts[k].name
const numberOf = (concept: string) => model.concepts.findIndex(({name}) => name === concept)
const total = (contributions: readonly Contribution[]) => contributions.reduce((sum, {logOdds}) => sum + logOdds, 0)
const documentOf = (words: readonly number[], anchors: readonly number[]): Evidence => ({words, anchors, members: []})
const use = fc.constantFrom('used' as const, 'hidden' as const)
/** What any document, concept and options may be; concept i is never known. */
const anyCase = fc.record({
  i: fc.nat(m - 1),
  evidence: fc.record({
    words: fc.subarray(Array.from({length: n}, (_, j) => j)),
    anchors: fc.subarray(concepts),
    members: fc.constant([])
  }),
  tags: fc.tuple(...concepts.map(() => fc.constantFrom(-1, -1, 0, 1))),
  anchors: use,
  words: use,
  absentLimit: fc.constantFrom(0, 2, 99),
  conceptLimit: fc.constantFrom(0, 1, 8)
})

describe('explain(...), words in log-odds', () => {
  it('explain(...) adds up to the log-odds of what createInference(...) says, by either channel', () => {
    const anyChannel = fc.constantFrom('model' as const, 'noisy-or' as const)
    fc.assert(
      fc.property(anyCase, fc.nat(40), anyChannel, ({i, evidence, tags, ...options}, seed, wordModel) => {
        const drawn = logOddsModel(seed, m, n)
        const known = tags.with(i, -1)
        const asked = {...options, wordModel, known}
        const found = explain(drawn, evidence, drawn.concepts[i].name, asked)
        const {anchors, words} = options
        const {probabilities} = createInference(drawn, {wordModel, anchors, words}).posterior(evidence, known)
        expect(found.probability).toBeCloseTo(probabilities[i], 12)
        expect(found.posterior.probabilities).toEqual(probabilities)
        expect(total(found.contributions)).toBeCloseTo(found.logOdds, 9)
        expect(sigmoid(found.logOdds)).toBeCloseTo(probabilities[i], 9)
        expect(found.posterior.certificate.method).toBe(wordModel === 'model' ? 'weights' : 'exact')
      }),
      {numRuns: 100}
    )
  })

  it('explain(...) gives every figure its meaning, and says what would be believed otherwise', () => {
    const {company, weights, withWords, withoutWords, firedShare} = model.wordModel
    fc.assert(
      fc.property(anyCase, ({i, evidence, tags, ...options}) => {
        const known = tags.with(i, -1)
        const {anchors, words} = options
        const {contributions} = explain(model, evidence, nameOf(i), {...options, known})
        const hasFired = anchors === 'used' && evidence.anchors.includes(i)
        const again = (changed: Partial<Evidence>, tags = known) =>
          createInference(model, {anchors, words}).posterior({...evidence, ...changed}, tags).probabilities[i]
        const {truePositive: t, falsePositive: e} = model.concepts[i]
        const bayes = anchors === 'hidden' ? 0 : log(hasFired ? t / e : (1 - t) / (1 - e))
        for (const item of contributions) {
          if (item.kind === 'prior')
            expect(item).toEqual({
              kind: 'prior',
              logOdds: company.prior[i],
              probability: expect.closeTo(sigmoid(company.prior[i]), 12)
            })
          if (item.kind === 'anchor')
            expect(item).toEqual({
              kind: 'anchor',
              fired: hasFired,
              logOdds: expect.closeTo(bayes, 12),
              otherwise: expect.closeTo(again({anchors: toggle(evidence.anchors, i)}), 12)
            })
          if (item.kind === 'word') {
            const j = model.lexicon.words.indexOf(item.word)
            expect([item.present, evidence.words.includes(j)]).toEqual([true, true])
            const {length} = model.wordModel
            const factor = (evidence.words.length / length.typical) ** -length.power
            expect(item.logOdds).toBeCloseTo((hasFired ? firedShare : 1) * factor * weights[i][j], 12)
            expect(item.otherwise).toBeCloseTo(again({words: toggle(evidence.words, j)}), 12)
          }
          if (item.kind === 'known') {
            const k = numberOf(item.concept)
            expect(item.present).toBe(known[k] === 1)
            expect(item.logOdds).toBe((item.present ? company.presentTag : company.absentTag)[i][k])
            expect(item.otherwise).toBeCloseTo(again({}, known.with(k, item.present ? 0 : 1)), 12)
          }
          if (item.kind === 'other-anchor') {
            const k = numberOf(item.concept)
            expect([item.fired, known[k]]).toEqual([evidence.anchors.includes(k), -1])
            expect(item.logOdds).toBe((item.fired ? company.firedAnchor : company.silentAnchor)[i][k])
            expect(item.otherwise).toBeCloseTo(again({anchors: toggle(evidence.anchors, k)}), 12)
          }
          if (item.kind === 'balance') {
            const {silent, fired, hidden} = words === 'used' ? withWords : withoutWords
            const constant = anchors === 'hidden' ? hidden[i] : hasFired ? fired[i] - company.prior[i] : silent[i]
            expect(item.logOdds).toBeCloseTo(constant - bayes, 12)
          }
        }
      })
    )
  })

  it('explain(...) lists everything that contributes, once, and nothing that is hidden', () => {
    const evidence = documentOf([1, 3, 8], [0, 2, 4])
    const known = [-1, -1, -1, 1, 0, -1]
    const said = (concept: number, options: Partial<ExplainOptions> = {}) =>
      new Set(explain(model, evidence, nameOf(concept), {known, ...options}).contributions.map(label))
    const words = ['word 1', 'word 3', 'word 8']
    const tags = ['known 3', 'known 4']
    const anchors = ['anchor', 'fires 0', 'fires 2', 'silent 5']
    expect(said(1)).toEqual(new Set(['prior', ...tags, ...anchors, ...words, 'balance']))
    expect(said(1, {words: 'hidden'})).toEqual(new Set(['prior', ...tags, ...anchors, 'balance']))
    expect(said(1, {anchors: 'hidden'})).toEqual(new Set(['prior', ...tags, ...words, 'balance']))
    // A fired anchor is believed at its precision, whatever known tags and other anchors say.
    expect(said(0)).toEqual(new Set(['prior', 'anchor', ...words, 'balance']))
    const {contributions} = explain(model, evidence, nameOf(1), {known})
    expect([...new Set(contributions.map(({kind}) => kind))]).toEqual([
      'prior',
      'known',
      'anchor',
      'word',
      'other-anchor',
      'balance'
    ])
  })

  it('explain(...) names the strongest known tags and silent anchors, and sums up the others', () => {
    const evidence = documentOf([], [2])
    const {silentAnchor, absentTag} = model.wordModel.company
    const options = {absentLimit: 2, conceptLimit: 1}
    const silent = explain(model, evidence, nameOf(0), options).contributions.slice(2, -1)
    const byStrength = [1, 3, 4, 5].toSorted((a, b) => Math.abs(silentAnchor[0][b]) - Math.abs(silentAnchor[0][a]))
    expect(silent.map(label)).toEqual(['fires 2', ...byStrength.slice(0, 2).map(k => `silent ${k}`), 'silent-anchors'])
    const left = byStrength.slice(2).reduce((sum, k) => sum + silentAnchor[0][k], 0)
    expect(silent.at(-1)).toEqual({
      kind: 'rest',
      of: 'silent-anchors',
      count: 2,
      logOdds: expect.closeTo(left, 12)
    })
    const known = [-1, 0, -1, 0, -1, -1]
    const tagged = explain(model, evidence, nameOf(0), {...options, known}).contributions.slice(1, 3)
    const [first, second] = [1, 3].toSorted((a, b) => Math.abs(absentTag[0][b]) - Math.abs(absentTag[0][a]))
    expect(tagged).toMatchObject([
      {kind: 'known', concept: nameOf(first), present: false},
      {kind: 'rest', of: 'known-tags', count: 1, logOdds: absentTag[0][second]}
    ])
  })

  it('explain(...) does not name what says next to nothing, and counts the words that say nothing', () => {
    const {wordModel} = model
    const quiet: LogOddsModel = {
      ...model,
      wordModel: {
        ...wordModel,
        company: {
          ...wordModel.company,
          silentAnchor: wordModel.company.silentAnchor.map(row => row.map(say => say / 100))
        },
        weights: wordModel.weights.map(row => row.map((weight, j) => (j < 5 ? 0 : weight)))
      }
    }
    const {contributions, otherWords} = explain(quiet, documentOf([0, 2, 7, 9], []), nameOf(1))
    expect(contributions.map(label).toSorted()).toEqual([
      'anchor',
      'balance',
      'prior',
      'silent-anchors',
      'word 7',
      'word 9'
    ])
    expect(otherWords).toBe(2)
    expect(explain(quiet, documentOf([0, 2, 7, 9], []), nameOf(1), {words: 'hidden'}).otherWords).toBe(0)
  })

  it('explain(...) puts the strongest first, for or against', () => {
    const {contributions} = explain(model, documentOf([0, 3, 5, 6, 11, 12, 17], [1, 2, 3]), nameOf(5))
    for (const kind of ['word', 'other-anchor'] as const) {
      const strengths = contributions.filter(item => item.kind === kind).map(({logOdds}) => Math.abs(logOdds))
      const fired = kind === 'word' ? strengths : strengths.slice(0, 3)
      expect(fired.length).toBeGreaterThan(2)
      expect(fired).toEqual(fired.toSorted((a, b) => b - a))
    }
  })

  it('explain(...) explains by the links when it is asked to, as a model without log-odds does', () => {
    const evidence = documentOf([1, 5, 7], [2])
    const plain = {...model, wordModel: {kind: 'noisy-or'} as const}
    const asked = explain(model, evidence, nameOf(0), {wordModel: 'noisy-or'})
    expect(asked).toEqual(explain(plain, evidence, nameOf(0)))
    expect(asked.contributions.map(({kind}) => kind)).toContain('concept')
  })

  it('explain(...) refuses a method, with the way out, and keeps its digits near certainty', () => {
    for (const method of ['exact', 'gibbs'] as const)
      expect(() => explain(model, documentOf([], []), nameOf(0), {method})).toThrow(
        `\`method\` '${method}' is for noisy-or words, and this model has word weights; leave it out`
      )
    const {wordModel} = model
    const loud = {...model, wordModel: {...wordModel, weights: wordModel.weights.map(row => row.map(() => 12))}}
    const {logOdds, probability} = explain(loud, documentOf([1, 2, 3, 4], []), nameOf(0))
    expect([probability, Number.isFinite(logOdds)]).toEqual([1, true])
    expect(logOdds).toBeGreaterThan(40)
  })
})

function toggle(list: readonly number[], at: number): number[] {
  return list.includes(at) ? list.filter(other => other !== at) : [...list, at].sort((a, b) => a - b)
}

function label(item: Contribution): string {
  switch (item.kind) {
    case 'word':
      return `word ${model.lexicon.words.indexOf(item.word)}`
    case 'known':
      return `known ${numberOf(item.concept)}`
    case 'other-anchor':
      return `${item.fired ? 'fires' : 'silent'} ${numberOf(item.concept)}`
    case 'rest':
      return item.of
    default:
      return item.kind
  }
}
