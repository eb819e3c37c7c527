import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {jointTable, pairNetwork} from '../../base/network/index.ts'
import {randomPairs} from '../../base/network/test-pairs.ts'
import {log, logit, rng, sigmoid} from '../../base/numeric/index.ts'
import {createInference, WeightReader} from '../../learn/inference/index.ts'
import {type LogOddsModel, logOddsModel, withMembers} from '../../learn/inference/test-weights.ts'
import {documentScale} from '../../learn/robust/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Contribution} from './contributions.ts'
import {explain} from './explain.ts'

const m = 6
const n = 20
const concepts = Array.from({length: m}, (_, k) => k)
/** Random word weights over a random network of pairs, or over a random tree. */
const drawnModel = (seed: number, kind: 'pairs' | 'tree' = 'pairs', size = m): LogOddsModel => {
  const tree = logOddsModel(seed, size, n)
  if (kind === 'tree') return tree
  const network = randomPairs(size, rng(seed))
  return {
    ...tree,
    network,
    concepts: tree.concepts.map((concept, k) => ({...concept, prevalence: network.prevalence[k]}))
  }
}
const model = drawnModel(71)
const {prevalence, couplings} = randomPairs(m, rng(71))
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
    members: fc.subarray(Array.from({length: 12}, (_, k) => k))
  }),
  tags: fc.tuple(...concepts.map(() => fc.constantFrom(-1, -1, 0, 1))),
  anchors: use,
  words: use
})

describe('explain(...), word weights', () => {
  it('explain(...) adds up to the log-odds that createInference(...) predicts, over either network and by either word model', () => {
    const anyKind = fc.constantFrom('pairs' as const, 'tree' as const)
    const anyWords = fc.constantFrom('model' as const, 'noisy-or' as const)
    fc.assert(
      fc.property(anyCase, fc.nat(40), anyKind, anyWords, ({i, evidence, tags, ...options}, seed, kind, wordModel) => {
        const drawn = withMembers(drawnModel(seed, kind), seed)
        const known = tags.with(i, -1)
        const asked = {...options, wordModel, known}
        const found = explain(drawn, evidence, drawn.concepts[i].name, asked)
        const {anchors, words} = options
        const {probabilities} = createInference(drawn, {wordModel, anchors, words}).posterior(evidence, known)
        expect(found.probability).toBeCloseTo(probabilities[i], 12)
        expect(found.posterior.probabilities).toEqual(probabilities)
        expect(total(found.contributions)).toBeCloseTo(found.logOdds, 9)
        expect(sigmoid(found.logOdds)).toBeCloseTo(probabilities[i], 9)
        // Probabilities here lie between 1e-6 and 1 - 1e-6: their log-odds have ten digits.
        if (wordModel === 'model') expect(found.logOdds).toBeCloseTo(logit(probabilities[i]), 8)
        expect(found.posterior.certificate.method).toBe(wordModel === 'model' ? 'weights' : 'exact')
      }),
      {numRuns: 200}
    )
  })

  it('explain(...) has a figure for the members of an anchor that fired, where it has several', () => {
    const drawn = withMembers(model, 9)
    const [, pair] = drawn.wordModel.members ?? []
    const of = (members: number[]) =>
      explain(drawn, {words: [], anchors: [1], members}, nameOf(1)).contributions.filter(({kind}) => kind === 'members')
    const [a, b] = drawn.lexicon.anchors[1].any
    expect(of([1])).toEqual([{kind: 'members', fired: [a], silent: [b], logOdds: pair[0]}])
    expect(of([2])).toMatchObject([{fired: [b], silent: [a]}])
    const both = expect.closeTo((pair[0] + pair[1]) / 2 + log(1.5), 12)
    expect(of([1, 2])).toEqual([{kind: 'members', fired: [a, b], silent: [], logOdds: both}])
    const silent = explain(drawn, documentOf([], [0]), nameOf(0)).contributions
    expect(silent.some(({kind}) => kind === 'members')).toBe(false)
  })

  it('explain(...) gives every figure its meaning, and the probability if it were reversed', () => {
    const {weights, errors, silent, fired, hidden, firedShare, scale} = model.wordModel
    fc.assert(
      fc.property(anyCase, ({i, evidence, tags, ...options}) => {
        const known = tags.with(i, -1)
        const {anchors, words} = options
        const {contributions, posterior} = explain(model, evidence, nameOf(i), {...options, known})
        const hasFired = anchors === 'used' && evidence.anchors.includes(i)
        const again = (changed: Partial<Evidence>, tags = known) =>
          createInference(model, {anchors, words}).posterior({...evidence, ...changed}, tags).probabilities[i]
        const {truePositive: t, falsePositive: e} = model.concepts[i]
        const bayes = anchors === 'hidden' ? 0 : log(hasFired ? t / e : (1 - t) / (1 - e))
        const prior = logit(prevalence[i])
        for (const item of contributions) {
          if (item.kind === 'prior')
            expect(item).toEqual({
              kind: 'prior',
              logOdds: expect.closeTo(prior, 12),
              probability: expect.closeTo(prevalence[i], 12)
            })
          if (item.kind === 'anchor') {
            const otherwise = again({anchors: toggle(evidence.anchors, i)})
            // Left out where it contradicts the step.
            const isShown = (otherwise - posterior.probabilities[i]) * bayes <= 0
            expect(item).toEqual({
              kind: 'anchor',
              fired: hasFired,
              logOdds: expect.closeTo(bayes, 12),
              ...(isShown && {otherwise: expect.closeTo(otherwise, 12)})
            })
          }
          if (item.kind === 'word') {
            const j = model.lexicon.words.indexOf(item.word)
            expect([item.present, evidence.words.includes(j)]).toEqual([true, true])
            const factor = documentScale(scale, evidence.words)
            const share = (hasFired ? firedShare : 1) * factor
            expect(item.logOdds).toBeCloseTo(share * weights[i][j], 12)
            const error = errors?.[i][j] ?? 0
            const {low = item.logOdds, high = item.logOdds} = item
            expect([item.low === undefined, item.high === undefined]).toEqual([error === 0, error === 0])
            // 1.644853627: the 95% quantile of the normal distribution.
            for (const margin of [high - item.logOdds, item.logOdds - low])
              expect(margin).toBeCloseTo(share * 1.644853627 * error, 8)
            expect(item.otherwise).toBeCloseTo(again({words: toggle(evidence.words, j)}), 12)
          }
          if (item.kind === 'known') {
            const k = numberOf(item.concept)
            expect([hasFired, item.present]).toEqual([false, known[k] === 1])
            // A label counts by Bayes' rule in the table of the two concepts.
            const [none, onlyK, onlyI, both] = jointTable(prevalence[i], prevalence[k], couplings[i * m + k])
            const [present, absent] = item.present ? [both, onlyK] : [onlyI, none]
            expect(item.logOdds).toBeCloseTo(log(present / absent) - prior, 9)
            expect(item.otherwise).toBeCloseTo(again({}, known.with(k, item.present ? 0 : 1)), 12)
          }
          if (item.kind === 'concept') {
            const k = numberOf(item.concept)
            expect([hasFired, known[k], item.sharedWords]).toEqual([false, -1, []])
            expect(item.probability).toBe(posterior.probabilities[k])
            expect(item.fired).toBe(anchors === 'hidden' ? undefined : evidence.anchors.includes(k))
            expect(item.linked).toBe(Math.abs(couplings[i * m + k]) > 0.3)
            expect(item.otherwise).toBeCloseTo(again({}, known.with(k, item.probability < 0.5 ? 1 : 0)), 12)
          }
          if (item.kind === 'balance') {
            expect(words).toBe('used')
            const constant = anchors === 'hidden' ? hidden[i] : hasFired ? fired[i] - prior : silent[i]
            expect(item.logOdds).toBeCloseTo(constant - bayes, 12)
          }
          expect(item).not.toMatchObject({of: 'concepts-jointly'})
        }
      })
    )
  })

  it('explain(...) over a directed network names the effect that other concepts only have together', () => {
    const jointly = concepts.flatMap(seed => {
      const tree = drawnModel(seed, 'tree')
      return explain(tree, documentOf([1, 3, 8], []), tree.concepts[1].name).contributions.filter(
        item => item.kind === 'rest' && item.of === 'concepts-jointly'
      )
    })
    expect(jointly.length).toBeGreaterThan(0)
    for (const item of jointly) expect(item).toMatchObject({count: m - 1, logOdds: expect.toSatisfy(Number.isFinite)})
  })

  it('explain(...) names the eight strongest concepts, and sums up the others', () => {
    const many = drawnModel(5, 'pairs', 14)
    const {contributions} = explain(many, documentOf([2, 3, 5], []), many.concepts[0].name)
    const reader = new WeightReader(many, many.wordModel, {anchors: 'used', words: 'used'})
    reader.logOdds(documentOf([2, 3, 5], []), new Int8Array(14).fill(-1))
    const sizes = Array.from(reader.parts(0).slice(1), Math.abs).sort((a, b) => b - a)
    const strongest = sizes.slice(0, 8).filter(size => size >= 0.02)
    expect(strongest.length).toBeGreaterThan(5)
    const named = contributions.filter(({kind}) => kind === 'concept')
    expect(named.map(({logOdds}) => Math.abs(logOdds))).toEqual(strongest.map(size => expect.closeTo(size, 12)))
    expect(contributions).toContainEqual(expect.objectContaining({of: 'concepts', count: 13 - strongest.length}))
  })

  it('explain(...) does not name what hardly counts, counts the words without a weight, and puts the strongest first', () => {
    const {wordModel} = model
    const weights = wordModel.weights.map(row => row.map((weight, j) => (j < 5 ? 0 : weight)))
    const network = pairNetwork({...randomPairs(m, rng(71)), couplings: couplings.map(value => value / 1000)})
    const plain: LogOddsModel = {...model, network, wordModel: {...wordModel, weights}}
    const {contributions, otherWords} = explain(plain, documentOf([0, 2, 7, 9, 11], []), nameOf(1))
    expect(contributions.map(label).toSorted()).toEqual([
      'anchor',
      'balance',
      'concepts',
      'prior',
      'word 11',
      'word 7',
      'word 9'
    ])
    expect(otherWords).toBe(2)
    expect(explain(plain, documentOf([0, 2, 7, 9], []), nameOf(1), {words: 'hidden'}).otherWords).toBe(0)
    const sizes = contributions.filter(({kind}) => kind === 'word').map(({logOdds}) => Math.abs(logOdds))
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  })

  it('explain(...) explains by the links when it is asked to, as a model without word weights does', () => {
    const evidence = documentOf([1, 5, 7], [2])
    const plain = {...model, wordModel: {kind: 'noisy-or'} as const}
    const asked = explain(model, evidence, nameOf(0), {wordModel: 'noisy-or'})
    expect(asked).toEqual(explain(plain, evidence, nameOf(0)))
    expect(asked.contributions.map(({kind}) => kind)).toContain('concept')
  })

  it('explain(...) refuses a method, with the way out, and keeps its digits near certainty', () => {
    for (const method of ['exact', 'message-passing'] as const)
      expect(() => explain(model, documentOf([], []), nameOf(0), {method})).toThrow(
        `\`method\` '${method}' is for noisy-or words, and this model has word weights; leave it out`
      )
    const {wordModel} = model
    const loud = {...model, wordModel: {...wordModel, weights: wordModel.weights.map(row => row.map(() => 30))}}
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
    case 'concept':
      return `${item.fired ? 'fired' : 'silent'} ${numberOf(item.concept)}`
    case 'rest':
      return item.of
    default:
      return item.kind
  }
}
