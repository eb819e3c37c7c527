import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {AdfaError} from '../../base/checks/index.ts'
import {pairNetwork} from '../../base/network/index.ts'
import {rng} from '../../base/numeric/index.ts'
import {randomModel} from '../../use/synthetic/index.ts'
import type {Model} from './model.ts'
import {loadModel, saveModel} from './model-file.ts'
import {smallErrors, smallModel, smallPairs, smallParts, smallWeights} from './test-small-model.ts'

const text = saveModel(smallModel())

/** Loads the file without its check sum, changed by hand. */
function loadEdited(change: (file: Record<string, unknown>) => unknown): Model {
  const {checksum: _, ...file} = JSON.parse(text) as Record<string, unknown>
  return loadModel(JSON.stringify({...file, ...(change(file) as object)}), 'm.json')
}

/** Damage must be noticed or harmless: the load is refused, or gives the very same model. */
function refusedOrSame(damaged: string): boolean {
  try {
    expect(saveModel(loadModel(damaged, 'm.json'))).toBe(text)
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(AdfaError)
    expect(error).toMatchObject({code: 'bad-model', message: expect.stringMatching(/^m\.json: /)})
    return true
  }
}

describe('saveModel', () => {
  test('saveModel(...) then loadModel(...) is exact for random models', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('tree' as const, 'independent' as const), (seed, structure) => {
        const model = randomModel({concepts: 5, words: 8, wordsPerConcept: 3, structure}, rng(seed))
        expect(loadModel(saveModel(model), 'm.json')).toStrictEqual(model)
      }),
      {numRuns: 30}
    )
  })

  test('saveModel(...) then loadModel(...) keeps groups of exclusive concepts, under their names', () => {
    const {lexicon} = smallModel()
    const [first, second] = lexicon.anchors.map(({concept}) => concept)
    const grouped = lexicon.anchors.map((anchor, i) =>
      i > 1 ? anchor : {...anchor, exclusive: {group: 0, size: 2, atMostOne: true as const}}
    )
    const saved = saveModel(smallModel({lexicon: {...lexicon, anchors: grouped}}))
    expect(JSON.parse(saved).exclusive).toEqual([{group: [first, second], atMostOne: true}])
    expect(loadModel(saved, 'm.json').lexicon.anchors).toStrictEqual(grouped)
    expect(text).not.toContain('exclusive')
    expect(() => loadEdited(() => ({exclusive: [[first, 'nothing']]}))).toThrow('no concept "nothing"')
  })

  test('saveModel(...) then loadModel(...) keeps words in log-odds and their errors, one line a concept', () => {
    const {kind, weights, ...rest} = smallWeights
    const wordModel = {kind, weights, errors: smallErrors, ...rest}
    const saved = saveModel(smallModel({wordModel}))
    expect(loadModel(saved, 'm.json').wordModel).toStrictEqual(wordModel)
    expect(saveModel(loadModel(saved, 'm.json'))).toBe(saved)
    // A word and its number in turn, without those that are 0.
    for (const row of [[0, 0.25], [0, 1 / 7, 1, -1], []]) expect(saved.split(/,?\n/)).toContain(JSON.stringify(row))
    expect(saved).toContain('"errors": [\n[0,0.05],\n[1,0.2],\n[]\n]')
  })

  test('saveModel(...) then loadModel(...) keeps the weights of members', () => {
    const {certificate, ...rest} = smallWeights
    const memberPrecisions = [[0.8, 0.7], [0.6], [0.5]]
    const memberDocuments = [[31, 0], [4], [5]]
    const wordModel = {
      ...rest,
      members: [[1 / 3, -0.2], [0], [0]],
      certificate: {...certificate, memberPrecisions, memberDocuments}
    }
    const saved = saveModel(smallModel({wordModel}))
    expect(loadModel(saved, 'm.json').wordModel).toStrictEqual(wordModel)
    expect(saveModel(smallModel({wordModel: smallWeights}))).not.toContain('member')
    const {checksum: _, ...file} = JSON.parse(saved)
    file.wordModel.certificate.memberDocuments[0].pop()
    expect(() => loadModel(JSON.stringify(file), 'm.json')).toThrow(
      /wordModel\.certificate\.memberDocuments\[0\] has 1 numbers, not 2/
    )
  })

  test('saveModel(...) then loadModel(...) keeps pairs, as the rows of their lower triangle', () => {
    const network = {...smallPairs, required: [[2, 1] as const]}
    const model = smallModel({network, wordModel: smallWeights})
    const saved = saveModel(model)
    expect(loadModel(saved, 'm.json')).toStrictEqual(model)
    expect(saveModel(loadModel(saved, 'm.json'))).toBe(saved)
    expect(JSON.parse(saved).network).toEqual({
      kind: 'pairs',
      biases: [...smallPairs.biases],
      couplings: [[], [1 / 3], [-0.7, 0]],
      low: [[], [1.1], [0.3, 0.9]],
      high: [[], [5 / 3], [0.8, 1.2]],
      required: [['flu', 'cough']]
    })
    // One line per concept.
    expect(saved.split(/,?\n/)).toContain('[-0.7,0]')
  })

  test('saveModel(...) then loadModel(...) is exact for any pairs, biases too', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = rng(seed)
        const [a, b, c] = [0, 0, 0].map(() => 8 * random.next() - 4)
        const couplings = Float64Array.of(0, a, b, a, 0, c, b, c, 0)
        const ratios = couplings.map(value => Math.exp(value))
        const network = pairNetwork({...smallPairs, couplings, low: ratios, high: ratios})
        const model = smallModel({network})
        expect(loadModel(saveModel(model), 'm.json')).toStrictEqual(model)
      }),
      {numRuns: 30}
    )
  })

  const pairs = {
    kind: 'pairs',
    biases: [0, 0, 0],
    couplings: [[], [0.3], [0, 0]],
    low: [[], [1], [1, 1]],
    high: [[], [2], [2, 2]]
  }
  test.each([
    [{...pairs, kind: 'triples'}, /network\.kind must be "pairs", not "triples"/],
    [{...pairs, couplings: [[], [0.3]]}, /network\.couplings must have 3 rows, not 2/],
    [{...pairs, low: [[], ['1'], [1, 1]]}, /network\.low\[1\]/],
    [{...pairs, required: [['flu', 'flu']]}, /network\.required\[0\] must name two concepts/],
    [{...pairs, required: [['flu', 'gout']]}, /names "gout", which is not a concept/],
    [{...pairs, biases: [1, 2]}, /a part of the model is missing/],
    ['pairs', /network must be an object/]
  ])('loadModel(...) refuses damaged pairs (case %#)', (network, message) => {
    const load = () => loadEdited(() => ({network}))
    expect(load).toThrow(message)
    expect(load).toThrow(expect.objectContaining({name: 'AdfaError', code: 'bad-model'}))
  })

  const savedWeights = {...smallWeights, weights: [[0, 0.25], [0, 1 / 7, 1, -1], []]}
  const savedErrors = [[0, 0.05], [1, 0.2], []]
  test.each([
    [{kind: 'loud'}, /wordModel\.kind must be "noisy-or" or "weights"/],
    [{...savedWeights, weights: [[0, 0.25]]}, /wordModel\.weights must have 3 rows, not 1/],
    [{...savedWeights, weights: [[1, 0.25, 0, 1], [], []]}, /weights\[0\] must list words below 2 in ascending order/],
    [{...savedWeights, scale: undefined}, /a part of the model is missing or malformed/],
    [{...savedWeights, scale: {idf: [1], typical: 5, usualIdf: 1}}, /wordModel\.scale\.idf has 1 numbers, not 2/],
    [{...savedWeights, threshold: 2}, /the threshold must lie in/],
    [{...savedWeights, hidden: ['a', 0, 0]}, /wordModel\.hidden must be a list of numbers/],
    [{...savedWeights, silent: [0, 0]}, /wordModel\.silent has 2 numbers, not 3/],
    [{...savedWeights, errors: savedErrors.slice(1)}, /wordModel\.errors must have 3 rows, not 2/],
    [{...savedWeights, members: [[0], [0], [0]]}, /wordModel\.members\[0\] has 1 numbers, not 2/],
    [{...savedWeights, votes: 5}, /a part of the model is missing or malformed/],
    [{...savedWeights, certificate: {}}, /certificate\.source must be/]
  ])('loadModel(...) refuses damaged word weights (case %#)', (wordModel, message) => {
    expect(() => loadEdited(() => ({wordModel}))).toThrow(message)
  })

  test('saveModel(...) has the fields of the contract, in a file that people can read', () => {
    const file = JSON.parse(text)
    const {seed, options, certificate} = smallParts
    expect(file).toMatchObject({format: 'adfa-model', version: 5, seed, options, certificate, leak: [0, 0.1]})
    expect(file).toMatchObject({words: ['text:pale', 'text:tired'], wordModel: {kind: 'noisy-or'}})
    expect(file.failure).toEqual([
      [0, 0.9],
      [0, Math.SQRT1_2, 1, 1e-3],
      [1, 0.3]
    ])
    expect(file.concepts[0]).toEqual({
      ...smallParts.concepts[0],
      anchors: ['text:fever', '/t(emp)? 39/'],
      not: ['text:no fever']
    })
    expect(file.network[0]).toEqual({concept: 'fever', parents: ['flu'], probabilities: [0.1, 2 / 3]})
    // One line for each concept in both lists, and for the anchor left out.
    expect(text.split('\n').filter(line => /^\{"(name|concept)":/.test(line))).toHaveLength(7)
  })

  test('saveModel(...) lists the words that people are not shown, and nothing where they are not known', () => {
    const model = {...smallModel(), unshownWords: [1]}
    expect(saveModel(model)).toContain('"unshownWords": [1],\n')
    expect(loadModel(saveModel(model), 'm.json')).toStrictEqual(model)
    expect(text).not.toContain('unshownWords')
  })

  test('saveModel(...) takes names that are traps elsewhere', () => {
    const traps = ['__proto__', 'constructor', 'toString', '', '\u{1F600}', 'a "quoted"\nline', '\ud800']
    const names = traps.filter(name => name !== '' && !name.includes('\n'))
    const m = names.length
    const model = smallModel({
      concepts: names.map(name => ({...smallParts.concepts[0], name})),
      network: {
        parents: names.map((_, i) => (i === 0 ? [] : [i - 1])),
        cpt: names.map((_, i) => Float64Array.from(i === 0 ? [0.1] : [0.1, 0.2]))
      },
      loadings: {
        conceptCount: m,
        wordCount: traps.length,
        failure: new Float64Array(m * traps.length).fill(0.5),
        leak: new Float64Array(traps.length).fill(0.1)
      },
      lexicon: {
        ...smallParts.lexicon,
        anchors: names.map(concept => ({concept, any: [concept], not: [], rates: undefined})),
        words: traps
      },
      options: JSON.parse('{"__proto__": {"polluted": true}, "toString": 1}')
    })
    const loaded = loadModel(saveModel(model), 'm.json')
    expect(loaded).toStrictEqual(model)
    expect(loaded.concepts.map(({name}) => name)).toEqual(names)
    expect(Object.hasOwn(loaded.options, '__proto__')).toBe(true)
    expect('polluted' in {}).toBe(false)
  })
})

describe('loadModel of a damaged file', () => {
  test('loadModel(...) refuses a file cut short at any place', () => {
    for (let length = 0; length < text.trimEnd().length; length++)
      expect(refusedOrSame(text.slice(0, length))).toBe(true)
    expect(() => loadModel(text.slice(0, 300), 'm.json')).toThrow(/the file seems cut short; fit the model again/)
  })

  test('loadModel(...) notices every flipped bit, or is not harmed by it', () => {
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] ^= 1 << (at % 8)
      refusedOrSame(new TextDecoder().decode(damaged))
    }
  })

  test('loadModel(...) tells a damaged file from one that is not a model, and both from one of another version', () => {
    const damaged = text.replace('"seed": 7', '"seed": 8')
    expect(() => loadModel(damaged, 'm.json')).toThrow(/^m\.json: the file is damaged \(its check sum is wrong\)/)
    const other = text.replace('"version": 5', '"version": 6')
    expect(() => loadModel(other, 'm.json')).toThrow(
      /^m\.json: version 6 of the format, and this adfa reads version 5;/
    )
    for (const bare of ['{}', '[]', 'null', '3', '"adfa-model"', '{"format": "adfa-counts"}', '{"version": 1}'])
      expect(() => loadModel(bare, 'm.json')).toThrow(/^m\.json: not a model file; expected "format": "adfa-model"/)
    for (const garbage of ['', 'hello', '\u0000\u0001', '{"format": "adfa-model",}', '{"format": "adfa-model"'])
      expect(() => loadModel(garbage, 'm.json')).toThrow(/^m\.json: not a model file \(not valid JSON\)/)
  })
})

describe('loadModel of a file edited by hand', () => {
  test('loadModel(...) accepts it without its check sum, and in any layout', () => {
    expect(loadEdited(() => ({}))).toStrictEqual(smallModel())
    expect(loadModel(JSON.stringify(JSON.parse(text), undefined, 4), 'm.json')).toStrictEqual(smallModel())
    const changed = loadEdited(() => ({leak: [0.05, 0.1]}))
    expect([...changed.loadings.leak]).toEqual([0.05, 0.1])
  })

  const rows = (file: Record<string, unknown>, name: string) => file[name] as Record<string, unknown>[]
  const first = (file: Record<string, unknown>, name: string, change: object) => ({
    [name]: [{...rows(file, name)[0], ...change}, ...rows(file, name).slice(1)]
  })
  type Change = (file: Record<string, unknown>) => unknown
  const faults: readonly (readonly [string, Change, RegExp])[] = [
    ['a parent that is not a concept', file => first(file, 'network', {parents: ['gout']}), /names "gout", which is/],
    ['a node that is not a concept', file => first(file, 'network', {concept: 'gout'}), /names "gout", which is not/],
    ['a concept without a node', file => ({network: rows(file, 'network').slice(1)}), /must have length 1; got 0/],
    ...['concepts', 'network', 'words', 'leak', 'failure', 'reading'].map((part): [string, Change, RegExp] => [
      `no ${part}`,
      () => ({[part]: undefined}),
      /part of the model is missing or malformed/
    ]),
    ['a word too many', () => ({words: ['a', 'b', 'c']}), /leak has 2 numbers, not 3/],
    ['a leak too few', () => ({leak: [0]}), /leak has 1 numbers, not 2/],
    ['no version', () => ({version: undefined}), /version undefined of the format/]
  ]

  test.each(faults)('loadModel(...) refuses %s', (_, change, message) => {
    const load = () => loadEdited(change)
    expect(load).toThrow(expect.objectContaining({name: 'AdfaError', code: 'bad-model'}))
    expect(load).toThrow(message)
    expect(load).toThrow(/^m\.json: /)
  })

  const wrongTypes: readonly (readonly [string, Change])[] = [
    ['rows of failures of different lengths', () => ({failure: [[0.9], [1, 0.7, 0.1], [1, 0.3]]})],
    ['a leak that is null', () => ({leak: [null, 0.1]})],
    ['a rate that is text', file => first(file, 'concepts', {truePositive: '0.7'})],
    ['no word model', () => ({wordModel: undefined})],
    ...[{negation: 'yes'}, {category: 'sex'}, {number: ['age:2,1']}, {list: [5]}, {phrases: undefined}].map(
      (given): (typeof wrongTypes)[number] => [
        `reading options such as ${Object.keys(given)} of the wrong type`,
        ({reading}) => ({reading: {...(reading as object), ...given}})
      ]
    )
  ]

  test.each(wrongTypes)('loadModel(...) refuses %s', (_, change) => {
    expect(() => loadEdited(change)).toThrow(expect.objectContaining({code: 'bad-model'}))
  })
})
