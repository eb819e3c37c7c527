import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {randomIndex, rng} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseAnchors} from '../../read/data/index.ts'
import {fit} from '../fit.ts'
import type {VotedDocuments} from './fit-votes.ts'
import {krippendorffAlpha, type SourceReliability, sourceFigures, sourceReliability} from './sources.ts'

const CLASSES = ['a', 'b', 'c']
const bySource = (sources: readonly SourceReliability[]) => new Map(sources.map(one => [one.source, one]))

interface VotingWorld {
  readonly balance: readonly number[]
  readonly sources: readonly {readonly accuracy: number; readonly coverage: number}[]
}

/** Documents with votes of sources s0, s1, ... for exclusive classes; every error is equally likely. */
function drawCorpus({balance, sources}: VotingWorld, documents: number) {
  const random = rng(1)
  const classes = CLASSES.slice(0, balance.length)
  const rows = Array.from({length: documents}, (_, id) => {
    const drawn = random.next()
    const truth = balance.findIndex(
      (_, c) => drawn < balance.slice(0, c + 1).reduce((sum, share) => sum + share, 1e-12)
    )
    const votes = sources.flatMap(({accuracy, coverage}, s) => {
      if (random.next() >= coverage) return []
      const wrong = random.next() < accuracy ? 0 : 1 + randomIndex(random, balance.length - 1)
      return [[`s${s}`, classes[(truth + wrong) % balance.length]]]
    })
    return {id, votes: Object.fromEntries(votes), tags: [classes[truth]]}
  })
  const names = sources.map((_, s) => `s${s}`)
  const anchors = Object.fromEntries(classes.map(name => [name, {votes: names}]))
  return buildCorpus(rows, parseAnchors(JSON.stringify({...anchors, $exclusive: [classes]}), 'anchors.json'))
}

describe('with labels', () => {
  const world = {
    balance: [0.5, 0.3, 0.2],
    sources: [
      {accuracy: 0.9, coverage: 1},
      {accuracy: 0.6, coverage: 0.5},
      {accuracy: 0.75, coverage: 0.25}
    ]
  }
  const corpus = drawCorpus(world, 8000)
  const counts = countCorpus(corpus, {labelShare: 1})
  const [group] = sourceReliability(counts, world.balance, corpus)
  const found = bySource(group.sources)

  test('sourceReliability(...) finds the accuracy, coverage and confusion that votes were drawn with', () => {
    world.sources.forEach(({accuracy, coverage}, s) => {
      const one = found.get(`s${s}`)
      if (one === undefined) throw new Error(`no source s${s}`)
      // Five standard errors, and the estimate that counts as two votes.
      const tolerance = (share: number, count: number) => 5 * Math.sqrt((share * (1 - share)) / count) + 2 / count
      expect(one).toMatchObject({basis: 'labels', labelled: one.votes})
      expect(Math.abs(one.accuracy.value - accuracy)).toBeLessThan(tolerance(accuracy, one.votes))
      expect(Math.abs(one.coverage - coverage)).toBeLessThan(tolerance(coverage, 8000))
      one.confusion.forEach(({vote, votes, truth}, v) => {
        expect(vote).toBe(CLASSES[v])
        // Bayes' rule; each wrong class is as likely as any other.
        const joint = world.balance.map((p, c) => p * (c === v ? accuracy : (1 - accuracy) / 2))
        const all = joint.reduce((a, b) => a + b)
        joint.forEach((p, c) => {
          expect(Math.abs(truth[CLASSES[c]] - p / all)).toBeLessThan(tolerance(p / all, votes))
        })
      })
    })
  })
})

describe('without labels', () => {
  test('a source that contradicts the others is worse than they are', () => {
    const world = {
      balance: [0.5, 0.5],
      sources: [0.9, 0.9, 0.9, 0.1].map(accuracy => ({accuracy, coverage: 0.8}))
    }
    const counts = countCorpus(drawCorpus(world, 1000))
    const [{sources, alpha}] = sourceReliability(counts, world.balance)
    expect(sources[0].source).toBe('s3')
    expect(sources[0].accuracy.value).toBeLessThan(sources[1].accuracy.value - 0.2)
    expect(alpha).toBeGreaterThan(-0.5)
  })
})

describe('votes of one concept', () => {
  const anchors = parseAnchors(
    JSON.stringify({flu: {votes: ['gpt', 'nurse'], any: ['text:flu']}, late: 'text:late'}),
    'anchors.json'
  )
  /** gpt is right in 9 of 10 documents, nurse in all that she votes in. */
  const rows = Array.from({length: 100}, (_, id) => {
    const truth = id % 4 === 0
    return {
      id,
      text: `${truth ? 'flu' : 'well'} ${id % 7 === 0 ? 'late' : 'soon'}`,
      votes: {gpt: id % 10 === 0 ? !truth : truth, ...(id % 2 === 0 && {nurse: truth ? 'flu' : 'not flu'})},
      tags: truth ? ['flu'] : []
    }
  })
  const corpus = buildCorpus(rows, anchors, {maxShare: 1})
  const counts = countCorpus(corpus, {labelShare: 1})
  const shares = {prevalence: 0.25, precision: 0.9}

  test('sourceReliability(...) counts `false` and `not flu` as votes against it; other members are no sources', () => {
    const [group, ...others] = sourceReliability(counts, [0.25, 0.1], corpus)
    expect(others).toEqual([])
    expect(group.classes).toEqual(['flu', 'not flu'])
    const found = bySource(group.sources)
    expect([...found.keys()]).toEqual(['gpt', 'nurse'])
    expect(found.get('gpt')).toMatchObject({votes: 100, coverage: 1, labelled: 100})
    // 90 of 100 right, and an estimate of any value that counts as two votes.
    expect(Math.abs((found.get('gpt')?.accuracy.value ?? 0) - 0.9)).toBeLessThan(2 / 102)
    expect(found.get('nurse')).toMatchObject({votes: 50, coverage: 0.5})
    expect(found.get('nurse')?.confusion.map(({vote, votes}) => [vote, votes])).toEqual([
      ['flu', 25],
      ['not flu', 25]
    ])
  })

  test('sourceReliability(...) of a concept with given rates has the same votes', () => {
    const rated = counts.lexicon.anchors.map(anchor => ({...anchor, rates: {kind: 'shares', ...shares} as const}))
    const found = sourceReliability({...counts, lexicon: {...counts.lexicon, anchors: rated}}, [0.25, 0.1], corpus)
    expect(found).toEqual(sourceReliability(counts, [0.25, 0.1], corpus))
  })

  test('counts alone have the same votes, and no agreement between votes against', () => {
    const [group] = sourceReliability(counts, [0.25, 0.1])
    expect(group.sources.map(({votes}) => votes).sort()).toEqual([100, 50])
    expect(group.alpha).toBeUndefined()
    // Without votes against it, which patterns do not have, no interval holds the truth.
    for (const {accuracy, mostWrong} of group.sources) {
      expect(Object.keys(accuracy)).toEqual(['value'])
      expect(mostWrong).toBeUndefined()
    }
  })

  test('a fit keeps rounded figures without tables where there are votes, and nothing elsewhere', async () => {
    const [{sources}] = sourceFigures(counts, [0.25, 0.1], corpus) ?? [{sources: []}]
    expect(sources[0]).not.toHaveProperty('confusion')
    expect(JSON.stringify(sources)).not.toMatch(/\.\d{5}/)
    expect((await fit(counts, {skipBadAnchors: true}, {documents: corpus})).certificate).toHaveProperty('sources')
    const plain = parseAnchors('{"late": "text:late", "soon": "text:soon"}', 'anchors.json')
    expect((await fit(countCorpus(buildCorpus(rows, plain)))).certificate).not.toHaveProperty('sources')
  })
})

/** Votes for C classes, by source; -1 abstains. */
const rowsOf = (votes: readonly (readonly number[])[], C: number, documents = 1): VotedDocuments[] =>
  votes.map(one => ({votes: one.flatMap((vote, source) => (vote < 0 ? [] : [source * C + vote])), documents}))

/** The definition, pair by pair: 1 - mean disagreement within documents / mean disagreement of any two votes. */
function slowAlpha(documents: readonly (readonly number[])[]): number {
  const paired = documents.map(votes => votes.filter(vote => vote >= 0)).filter(({length}) => length > 1)
  const all = paired.flat()
  let [observed, expected] = [0, 0]
  for (const votes of paired)
    votes.forEach((a, i) => {
      votes.forEach((b, j) => {
        if (i !== j && a !== b) observed += 1 / (votes.length - 1) / all.length
      })
    })
  all.forEach((a, i) => {
    all.forEach((b, j) => {
      if (i !== j && a !== b) expected += 1 / (all.length * (all.length - 1))
    })
  })
  return 1 - observed / expected
}

const anyDocuments = fc.array(fc.array(fc.integer({min: -1, max: 2}), {minLength: 4, maxLength: 4}), {
  minLength: 25,
  maxLength: 60
})

describe('krippendorffAlpha', () => {
  test("krippendorffAlpha(...) is Krippendorff's own example: three coders, 12 units with two values or more, alpha .691", () => {
    const coders = [
      [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
      [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4]
    ]
    const units = coders[0].map((_, unit) => coders.map(values => values[unit] - 1))
    // Twice, as few documents have no alpha: n = 26 values become 52, and the factor n - 1 of disagreement 51 instead of 2 x 25.
    const value = krippendorffAlpha(rowsOf(units, 4, 2), 4) ?? 0
    // Three digits are published.
    expect(Math.abs(1 - (1 - value) * (50 / 51) - 0.691)).toBeLessThan(0.0006)
    expect(slowAlpha(units)).toBeCloseTo(0.691, 3)
    expect(krippendorffAlpha(rowsOf(units, 4), 4)).toBeUndefined()
  })

  test('krippendorffAlpha(...) is the mean over pairs, and counts documents by their number', () => {
    fc.assert(
      fc.property(anyDocuments, documents => {
        const slow = slowAlpha([...documents, ...documents])
        const found = krippendorffAlpha(rowsOf(documents, 3, 2), 3)
        if (found !== undefined) expect(found).toBeCloseTo(slow, 9)
      }),
      {numRuns: 30}
    )
  })
})
