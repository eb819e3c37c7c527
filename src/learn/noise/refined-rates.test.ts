import {describe, expect, test} from 'vitest'
import {log, type Rng, rng, sigmoid} from '../../base/numeric/index.ts'
import type {AnchorScores, ConceptScores} from './anchor-scores.ts'
import type {LabelledSample} from './labelled-sample.ts'
import {pooledRates} from './pooled-rates.ts'
import type {RateInterval} from './rates.ts'
import {refinedRates} from './refined-rates.ts'

describe('refinedRates', () => {
  test('refinedRates(...) covers the truth in 90% of its intervals where its model holds', () => {
    let [hits, precisionHits, count] = [0, 0, 0]
    for (let replicate = 0; replicate < 200; replicate++) {
      const world = drawWorld(3, 400, rng(1).stream(`replicate ${replicate}`))
      const {sample, names, scores} = label(world, 100)
      refinedRates(sample, names, scores).concepts.forEach(({prevalence, precision, source}, i) => {
        expect(source).toBe('refined')
        const {p, r} = truthOf(world[i])
        count++
        if (prevalence.low <= p && p <= prevalence.high) hits++
        if (precision.low <= r && r <= precision.high) precisionHits++
      })
    }
    // 600 intervals: the standard error is 1.2 points.
    for (const covered of [hits, precisionHits]) {
      expect(covered / count).toBeGreaterThan(0.85)
      expect(covered / count).toBeLessThan(0.98)
    }
  })

  test('refinedRates(...) comes nearer to the truth as labels grow, and is nearer than what does not look at words', () => {
    const errors = (D: number) => {
      const sums = {refined: 0, pooled: 0}
      for (let replicate = 0; replicate < 12; replicate++) {
        const world = drawWorld(8, 1200, rng(2).stream(`replicate ${replicate}`))
        const {sample, names, scores} = label(world, D)
        const refined = refinedRates(sample, names, scores).concepts
        const pooled = pooledRates(sample).concepts
        world.forEach((concept, i) => {
          const {p} = truthOf(concept)
          sums.refined += log(refined[i].prevalence.value / p) ** 2
          sums.pooled += log(pooled[i].prevalence.value / p) ** 2
        })
      }
      return sums
    }
    const [few, some] = [50, 200].map(errors)
    // 96 squared errors a sum: the ratio of two has a standard error of 0.2, of the same documents far less.
    expect(some.refined).toBeLessThan(0.5 * few.refined)
    expect(some.refined).toBeLessThan(0.95 * some.pooled)
  })

  test('refinedRates(...) of documents that are all labelled is what was counted', () => {
    const world = drawWorld(3, 500, rng(3))
    const {sample, names, scores} = label(world, 500)
    refinedRates(sample, names, scores).concepts.forEach(({concept, prevalence, precision}, i) => {
      const {p, r} = truthOf(world[i])
      expect(concept).toBe(`concept ${i}`)
      for (const value of [prevalence.low, prevalence.value, prevalence.high]) expect(value).toBeCloseTo(p, 10)
      expect(precision.value).toBeCloseTo(r, 10)
    })
  })

  test('refinedRates(...) lets scores of a sample stand for all documents', () => {
    const world = drawWorld(5, 4000, rng(4))
    const {sample, names, scores} = label(world, 200)
    const whole = refinedRates(sample, names, scores).concepts
    // Labelled documents are the first 200 and stay; of the others nine in ten are left out.
    const tenth = new Map(
      [...scores.concepts].map(([name, {logOdds, fired, labels}]) => {
        const isKept = (_: number, d: number) => d < 200 || d % 10 === 0
        return [name, {logOdds: logOdds.filter(isKept), fired: fired.filter(isKept), labels: labels.filter(isKept)}]
      })
    )
    const sampled = refinedRates(sample, names, {documentCount: 580, concepts: tenth}).concepts
    const width = ({low, high}: RateInterval) => log(high / low)
    sampled.forEach(({prevalence, source}, i) => {
      expect(source).toBe('refined')
      // 380 documents whose chances differ by their size: a standard error of six per cent or so.
      expect(Math.abs(log(prevalence.value / whole[i].prevalence.value))).toBeLessThan(0.3)
      // Not as narrow as if the 580 were all there are, and a third of them labelled.
      expect(width(prevalence) / width(whole[i].prevalence)).toBeGreaterThan(0.9)
    })
  })

  test('refinedRates(...) falls back on pooled rates, and says so, where scores or labels of scores are missing', () => {
    const world = drawWorld(4, 600, rng(5))
    const {sample, names, scores} = label(world, 100)
    const unscored = new Map(scores.concepts)
    unscored.delete('concept 1')
    const other = scores.concepts.get('concept 2')
    if (other === undefined) throw new Error('drawn above')
    const silent = other.labels.findIndex((truth, d) => truth === 0 && other.fired[d] === 0)
    unscored.set('concept 2', {...other, labels: other.labels.map((truth, d) => (d === silent ? -1 : truth))})
    const {concepts, certificate} = refinedRates(sample, names, {...scores, concepts: unscored})
    const pooled = pooledRates(sample).concepts
    expect(concepts.map(({source}) => source)).toEqual(['refined', 'pooled', 'pooled', 'refined'])
    for (const i of [1, 2]) expect(concepts[i]).toEqual({...pooled[i], concept: names[i], source: 'pooled'})
    expect(certificate?.missed.parameters).toHaveLength(2)
    const none = refinedRates(sample, names, {documentCount: 600, concepts: new Map()})
    expect(none.concepts.every(({source}) => source === 'pooled')).toBe(true)
    expect(none.certificate).toBeUndefined()
  })

  test('refinedRates(...) finds the level and the slope of the scores when labels are many', () => {
    const world = drawWorld(12, 3000, rng(6), {slope: 1.2})
    const {sample, names, scores} = label(world, 2900)
    const found = refinedRates(sample, names, scores).certificate?.missed.parameters
    // Levels are drawn about -2.9 with a deviation of 1.2; 12 of them have a mean known to 0.35, slopes to 0.06.
    expect(Math.abs((found?.[0].coefficients[0] ?? 0) + 2.9)).toBeLessThan(1.2)
    expect(Math.abs((found?.[1].coefficients[0] ?? 0) - 1.2)).toBeLessThan(0.2)
  })

  test('refinedRates(...) learns whether concepts that words tell well are missed less', () => {
    const slopes = [-0.6, 0.6].map(clarity => {
      const world = drawWorld(25, 600, rng(8), {clarity})
      const {sample, names, scores} = label(world, 590)
      return refinedRates(sample, names, scores).certificate?.missed.parameters[0].coefficients[2]
    })
    expect(slopes[0]).toBeLessThan(-0.2)
    expect(slopes[1]).toBeGreaterThan(0.2)
  })

  test('refinedRates(...) throws where the counts cannot be, or names are not one a concept', () => {
    const {sample, names, scores} = label(drawWorld(2, 300, rng(7)), 50)
    expect(() => refinedRates({...sample, labelled: [1]}, names, scores)).toThrow('1 counts of labelled documents')
    expect(() => refinedRates(sample, ['one'], scores)).toThrow('1 names for 2 concepts')
    expect(() => refinedRates(sample, names, scores, 0)).toThrow('`level` must be')
  })
})

interface Concept {
  readonly logOdds: Float32Array
  readonly fired: Uint8Array
  readonly has: Uint8Array
}

interface WorldOptions {
  readonly slope?: number
  /** How the level goes with the score of documents that look as if the anchor fired. */
  readonly clarity?: number
}

/** Documents in random order of concepts for which the model holds, with the scores of a perfect classifier. */
function drawWorld(m: number, N: number, random: Rng, {slope, clarity}: WorldOptions = {}): Concept[] {
  return Array.from({length: m}, () => {
    const firing = -3.2 + random.next()
    const alike = clarity === undefined ? 2 : 0.5 + 3 * random.next()
    const level = firing - 0.2 + (clarity === undefined ? 1.2 * bell(random) : clarity * (alike - 2))
    const own = slope ?? 0.8 + 0.3 * bell(random)
    const precision = sigmoid(1.4 + bell(random))
    // Few documents look like those where the anchor fires, and those do by far.
    const z = Array.from({length: N}, () => (random.next() < 0.1 ? alike + bell(random) : -1 + 0.5 * bell(random)))
    const fired = Uint8Array.from(z, score => Number(random.next() < sigmoid(firing + score)))
    const has = Uint8Array.from(z, (score, d) =>
      Number(random.next() < (fired[d] === 1 ? precision : sigmoid(level + own * score)))
    )
    return {logOdds: Float32Array.from(z, score => firing + score), fired, has}
  })
}

/** Nearly normal. */
function bell(random: Rng): number {
  return Array.from({length: 12}, () => random.next()).reduce((sum, u) => sum + u, -6)
}

/** The first D documents labelled. */
function label(world: readonly Concept[], D: number) {
  const labelled = world.flatMap(({fired, has}) => {
    const cells = [0, 0, 0, 0]
    for (let d = 0; d < D; d++) cells[2 * has[d] + fired[d]]++
    return cells
  })
  const N = world[0].fired.length
  const anchoredCounts = world.map(({fired}) => fired.reduce((sum, one) => sum + one, 0))
  const sample: LabelledSample = {documentCount: N, anchoredCounts, labelled}
  const names = world.map((_, i) => `concept ${i}`)
  const concepts = new Map(
    world.map(({logOdds, fired, has}, i): [string, ConceptScores] => [
      names[i],
      {logOdds, fired, labels: Int8Array.from(has, (one, d) => (d < D ? one : -1))}
    ])
  )
  const scores: AnchorScores = {documentCount: N, concepts}
  return {sample, names, scores}
}

function truthOf({fired, has}: Concept): {p: number; r: number} {
  let [positives, anchored, hits] = [0, 0, 0]
  for (let d = 0; d < has.length; d++) {
    positives += has[d]
    anchored += fired[d]
    hits += has[d] * fired[d]
  }
  return {p: positives / has.length, r: hits / anchored}
}
