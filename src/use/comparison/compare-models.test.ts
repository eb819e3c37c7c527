import fc from 'fast-check'
import {describe, expect, it, test} from 'vitest'
import {edgeList, isPairNetwork} from '../../base/network/index.ts'
import {composeModel, type Model, topWords} from '../../learn/model/index.ts'
import {compareModels, crossedDocuments, type EdgeChange, type Scores, type Verdict, verdictOf} from './index.ts'
import {modelOf, models} from './test-models.ts'

const names = (model: Model) => model.concepts.map(({name}) => name)
const turned = (verdict: Verdict): Verdict =>
  verdict === 'higher' ? 'lower' : verdict === 'lower' ? 'higher' : verdict

/** The model with other names, in its anchors and certificate too. */
function withNames(model: Model, rename: (name: string) => string): Model {
  const {noise} = model.certificate as {noise: {concepts: {concept: string}[]}}
  return composeModel({
    ...model,
    concepts: model.concepts.map(concept => ({...concept, name: rename(concept.name)})),
    lexicon: {
      ...model.lexicon,
      anchors: model.lexicon.anchors.map(anchor => ({...anchor, concept: rename(anchor.concept)}))
    },
    certificate: {
      ...model.certificate,
      noise: {...noise, concepts: noise.concepts.map(each => ({...each, concept: rename(each.concept)}))}
    }
  })
}

describe('verdictOf', () => {
  const figure = (value: number, margin: number) => ({value, low: value - margin, high: value + margin})

  it('is the z-test of two independent estimates where the intervals are symmetric', () => {
    const share = fc.double({min: 0, max: 1, noNaN: true})
    fc.assert(
      fc.property(share, share, share, share, (x, y, sx, sy) => {
        const z = (y - x) / Math.sqrt(sx ** 2 + sy ** 2)
        fc.pre(Math.abs(Math.abs(z) - 1.645) > 1e-6 && sx + sy > 1e-6)
        const expected = Math.abs(z) < 1.645 ? 'no clear change' : z > 0 ? 'higher' : 'lower'
        expect(verdictOf(figure(x, 1.645 * sx), figure(y, 1.645 * sy))).toBe(expected)
      })
    )
  })

  it('counts each margin on the side of the other estimate', () => {
    // Up to 0.3 the first may be, so 0.25 is no clear change; down it cannot go far, so 0.05 is.
    const wide = {value: 0.1, low: 0.09, high: 0.3}
    expect(verdictOf(wide, figure(0.25, 0.01))).toBe('no clear change')
    expect(verdictOf(wide, figure(0.05, 0.01))).toBe('lower')
  })

  it('takes any difference of exact figures for clear, and none without an interval', () => {
    expect(verdictOf(figure(0.1, 0), figure(0.1001, 0))).toBe('higher')
    expect(verdictOf({value: 0.1}, figure(0.9, 0.01))).toBe('no interval')
  })
})

describe('compareModels', () => {
  test('a model and itself differ in nothing', () => {
    fc.assert(
      fc.property(models, model => {
        const {a, b, ...lists} = compareModels(model, model)
        expect(a).toEqual(b)
        for (const list of Object.values(lists)) expect(list).toEqual([])
      })
    )
  })

  test('the other way round everything is mirrored', () => {
    fc.assert(
      fc.property(models, models, (first, second) => {
        const there = compareModels(first, second)
        const back = compareModels(second, first)
        expect({a: there.b, b: there.a, added: there.removed, removed: there.added}).toEqual({
          a: back.a,
          b: back.b,
          added: back.added,
          removed: back.removed
        })
        const kinds = {gained: 'lost', lost: 'gained', turned: 'turned', moved: 'moved'} as const
        const edge = ({kind, between, a, b, verdict}: EdgeChange) => ({
          kind: kinds[kind],
          between: between.toSorted(),
          a: b,
          b: a,
          verdict: turned(verdict)
        })
        const sorted = (edges: readonly {between: readonly string[]}[]) =>
          edges.toSorted((x, y) => (x.between.join() < y.between.join() ? -1 : 1))
        expect(sorted(there.edges.map(edge))).toEqual(
          sorted(
            back.edges.map(change => ({a: undefined, b: undefined, ...change, between: change.between.toSorted()}))
          )
        )
        for (const {concept, anchor, rates, words} of there.concepts) {
          const mirror = back.concepts.find(each => each.concept === concept)
          expect(mirror?.anchor).toEqual({gained: anchor.lost, lost: anchor.gained})
          const mirrored = Object.entries(rates).map(([name, {a, b, verdict}]) => [
            name,
            {a: b, b: a, verdict: turned(verdict)}
          ])
          expect(mirror?.rates).toEqual(Object.fromEntries(mirrored))
          const word = ({word, a, b}: {word: string; a?: number; b?: number}) => `${word} ${a} ${b}`
          expect(words.map(word).sort()).toEqual(
            mirror?.words.map(each => word({word: each.word, a: each.b, b: each.a} as typeof each)).sort()
          )
        }
        expect(back.concepts).toHaveLength(there.concepts.length)
      })
    )
  })

  test('edges and words are those of the obvious search', () => {
    fc.assert(
      fc.property(models, models, (a, b) => {
        const {edges, concepts} = compareModels(a, b)
        const both = names(a).filter(name => names(b).includes(name))
        const edgesOf = (model: Model) =>
          new Map(
            edgeList(model.network, names(model)).map(edge => [
              [edge.parent, edge.child].sort().join('|'),
              edge.strength
            ])
          )
        const [before, after] = [edgesOf(a), edgesOf(b)]
        const expected = both.flatMap(x =>
          both
            .filter(y => x < y)
            .flatMap(y => {
              const [from, to] = [before.get(`${x}|${y}`), after.get(`${x}|${y}`)]
              if (from === undefined) return to === undefined ? [] : [`gained ${x}|${y}`]
              if (to === undefined) return [`lost ${x}|${y}`]
              return from * to < 0 ? [`turned ${x}|${y}`] : []
            })
        )
        const found = edges.filter(({kind}) => kind !== 'moved')
        expect(found.map(({kind, between}) => `${kind} ${between.toSorted().join('|')}`).sort()).toEqual(
          expected.sort()
        )
        for (const {between, a: from = 1, b: to = 1} of edges) {
          const key = between.toSorted().join('|')
          if (before.has(key)) expect(Math.log(from)).toBeCloseTo(before.get(key) ?? 0, 9)
          if (after.has(key)) expect(Math.log(to)).toBeCloseTo(after.get(key) ?? 0, 9)
        }
        // Only networks of pairs have sampling errors.
        if (!isPairNetwork(a.network) || !isPairNetwork(b.network))
          for (const {verdict} of edges) expect(verdict).toBe('no interval')
        for (const name of both) {
          const top = (model: Model) => topWords(model, names(model).indexOf(name), 20).map(({word}) => word)
          const [old, fresh] = [top(a), top(b)]
          const words = concepts.find(({concept}) => concept === name)?.words ?? []
          expect(words.filter(word => word.a === undefined).map(({word}) => word)).toEqual(
            fresh.filter(word => !old.includes(word))
          )
          expect(words.filter(word => word.b === undefined).map(({word}) => word)).toEqual(
            old.filter(word => !fresh.includes(word))
          )
          for (const {word, a: from, b: to} of words) {
            if (from !== undefined) expect(old[from - 1]).toBe(word)
            if (to !== undefined) expect(fresh[to - 1]).toBe(word)
          }
        }
      })
    )
  })

  const model = modelOf({
    seed: 3,
    names: ['fever', 'cough', 'flu', 'fall'],
    isPairs: true,
    basis: ['labels', 'labels', 'labels', 'labels', 'labels', 'labels']
  })

  test('odds that rest on guessed rates have no verdict', () => {
    const basis = ['labels', 'constant', 'constant', 'constant'] as const
    const guessed = modelOf({seed: 4, names: ['fever', 'cough', 'flu', 'fall'], isPairs: true, basis: [...basis]})
    const {edges} = compareModels(model, guessed)
    expect(edges.length).toBeGreaterThan(0)
    expect(new Set(edges.map(({verdict}) => verdict))).toEqual(new Set(['no interval']))
  })

  test('a rename is no deletion: told, or known by an equal anchor', () => {
    const renamed = withNames(model, name => (name === 'flu' ? 'influenza' : name))
    const told = compareModels(model, renamed, {renamed: new Map([['flu', 'influenza']])})
    expect(told).toMatchObject({added: [], removed: [], renamed: [{from: 'flu', to: 'influenza'}], edges: []})
    expect(told.concepts).toEqual([
      {concept: 'influenza', was: 'flu', anchor: {gained: [], lost: []}, rates: {}, words: []}
    ])
    expect(compareModels(model, renamed)).toEqual(told)
  })

  test('a rename is not known by an anchor with one more word, and is told then', () => {
    const renamed = withNames(model, name => (name === 'flu' ? 'influenza' : name))
    const anchors = renamed.lexicon.anchors.map(anchor =>
      anchor.concept === 'influenza' ? {...anchor, any: [...anchor.any, 'grippe']} : anchor
    )
    const more = composeModel({...renamed, lexicon: {...renamed.lexicon, anchors}})
    expect(compareModels(model, more)).toMatchObject({added: ['influenza'], removed: ['flu'], renamed: []})
    const told = compareModels(model, more, {renamed: new Map([['flu', 'influenza']])})
    expect(told.concepts).toMatchObject([{concept: 'influenza', was: 'flu', anchor: {gained: ['grippe'], lost: []}}])
  })

  test('a rename of what is not there is refused', () => {
    expect(() => compareModels(model, model, {renamed: new Map([['gout', 'flu']])})).toThrow(
      'the first model has no concept "gout" to rename'
    )
    expect(() => compareModels(model, model, {renamed: new Map([['flu', 'gout']])})).toThrow('the second model')
  })

  test('what has no certificate reads so, and comes after what has one', () => {
    const bare = composeModel({
      ...model,
      concepts: model.concepts.map(concept => ({...concept, prevalence: concept.prevalence * 1.7})),
      certificate: {}
    })
    const {b, concepts} = compareModels(model, bare)
    expect(b.moments).toBe('no certificate')
    for (const {rates} of concepts) for (const {verdict} of Object.values(rates)) expect(verdict).toBe('no certificate')
    expect(concepts.map(({concept}) => concept)).toEqual(names(model))
  })

  test('clear changes come first, the largest first', () => {
    const {noise} = model.certificate as {noise: {concepts: {concept: string}[]}}
    const exact = (value: number) => ({value, low: value, high: value})
    const given = (shift: readonly number[]) => {
      const concepts = model.concepts.map((concept, i) => ({...concept, prevalence: 0.2 + shift[i]}))
      const rated = noise.concepts.map((each, i) => ({...each, basis: 'given', prevalence: exact(0.2 + shift[i])}))
      return composeModel({...model, concepts, certificate: {noise: {...noise, concepts: rated}}})
    }
    const {concepts} = compareModels(given([0, 0, 0, 0]), given([0, 0.01, -0.1, 0.05]))
    expect(concepts.map(({concept, rates}) => [concept, rates.prevalence?.verdict])).toEqual([
      ['flu', 'lower'],
      ['fall', 'higher'],
      ['cough', 'higher']
    ])
  })

  test('documents that cross the threshold are those of the obvious search', () => {
    const scores = (conceptCount: number, documents: number): fc.Arbitrary<Scores> =>
      fc.record({
        conceptCount: fc.constant(conceptCount),
        threshold: fc.constantFrom(0.3, 0.5),
        probabilities: fc
          .array(fc.constantFrom(0.1, 0.3, 0.4, 0.5, 0.9), {
            minLength: conceptCount * documents,
            maxLength: conceptCount * documents
          })
          .map(values => Float32Array.from(values))
      })
    fc.assert(
      fc.property(scores(4, 7), scores(4, 7), (a, b) => {
        const {crossed} = compareModels(model, model, {scores: [a, b]})
        const has = ({probabilities, conceptCount, threshold}: Scores, at: number, i: number) =>
          probabilities[at * conceptCount + i] >= threshold
        const all = [0, 1, 2, 3, 4, 5, 6]
        const expected = names(model).map((concept, i) => ({
          concept,
          entered: all.filter(at => !has(a, at, i) && has(b, at, i)),
          left: all.filter(at => has(a, at, i) && !has(b, at, i))
        }))
        expect(crossed).toEqual(
          expected
            .filter(({entered, left}) => entered.length + left.length > 0)
            .map(({concept, entered, left}) => ({concept, entered: entered.length, left: left.length}))
        )
        const lists = crossedDocuments([[2, 2]], a, b)
        expect(lists).toEqual([{match: [2, 2], entered: expected[2].entered, left: expected[2].left}])
      })
    )
  })
})
