import {expect, test} from 'vitest'
import {composeModel, type Model} from './model.ts'
import {smallModel, smallPairs, smallParts} from './test-small-model.ts'

test('composeModel(...) keeps its parts, adds the noisy-or wordModel, and moves the rates to the concepts', () => {
  const model = composeModel(smallParts)
  const {lexicon, ...rest} = smallParts
  expect(model).toMatchObject({...rest, wordModel: {kind: 'noisy-or'}})
  const anchors = lexicon.anchors.map(anchor => ({...anchor, rates: undefined}))
  expect(model.lexicon).toEqual({...lexicon, anchors})
})

const {concepts, network, loadings, lexicon} = smallParts

function withConcept(change: Partial<Model['concepts'][number]>): Partial<Model> {
  return {concepts: [{...concepts[0], ...change}, ...concepts.slice(1)]}
}

function withCpt(...first: number[]): Partial<Model> {
  return {network: {...network, cpt: [Float64Array.from(first), ...network.cpt.slice(1)]}}
}

function withPairs(name: 'prevalence' | 'couplings' | 'low' | 'high', value: number): Partial<Model> {
  return {network: {...smallPairs, [name]: smallPairs[name].map((old, at) => (at === 1 ? value : old))}}
}

function withLoadings(name: 'failure' | 'leak', at: number, value: number): Partial<Model> {
  return {loadings: {...loadings, [name]: loadings[name].map((old, cell) => (cell === at ? value : old))}}
}

const nothing: Partial<Model> = {
  concepts: [],
  network: {parents: [], cpt: []},
  loadings: {conceptCount: 0, wordCount: 2, failure: new Float64Array(0), leak: loadings.leak},
  lexicon: {...lexicon, anchors: []}
}

const sizes = /must be of 3 concepts and 2 words/
const faults: readonly (readonly [string, Partial<Model>, RegExp])[] = [
  ['no concept', nothing, /at least one concept/],
  ['two concepts of one name', withConcept({name: 'flu'}), /two concepts have the same name/],
  ['fewer concepts', {concepts: concepts.slice(1)}, sizes],
  ['fewer anchors', {lexicon: {...lexicon, anchors: lexicon.anchors.slice(1)}}, sizes],
  ['fewer parents', {network: {...network, parents: [[], []]}}, sizes],
  ['five failures', {loadings: {...loadings, failure: new Float64Array(5).fill(1)}}, sizes],
  ['a word more', {lexicon: {...lexicon, words: ['a', 'b', 'c']}}, sizes],
  [
    'equal rates',
    withConcept({truePositive: 0.01, falsePositive: 0.01}),
    /"fever" needs falsePositive and truePositive between 0 and 1 that differ/
  ],
  ['a rate of 1', withConcept({truePositive: 1}), /got 0\.0\d* and 1/],
  ['a prevalence above 1', withConcept({prevalence: 1.5}), /"fever" has prevalence 1\.5, not in \[0, 1\]/],
  ['a row too many', withCpt(0.1, 0.2, 0.3), /table of concept "fever" must have length 2; got 3/],
  ['a probability of 1', withCpt(0.2, 1), /table of concept "fever" must hold .* got 1/],
  [
    'a cycle',
    {network: {parents: [[1], [2], [0]], cpt: network.cpt.map(() => Float64Array.of(0.1, 0.2))}},
    /the network has a cycle/
  ],
  [
    'a parent that is not a concept',
    {network: {parents: [[], [7], []], cpt: [1, 2, 1].map(rows => new Float64Array(rows).fill(0.1))}},
    /the parents of concept "cough" must be concepts of the model, each once/
  ],
  [
    'a pair of a concept that is never there',
    withPairs('prevalence', 0),
    /prevalence of concept "cough" must lie strictly between 0 and 1; got 0/
  ],
  ['a coupling too strong', withPairs('couplings', -21), /coupling of "fever" and "cough" .* at most 20 .*; got -21/],
  ['an interval upside down', withPairs('low', 2), /an interval above 0; got 0\.3\d* \(2 to 1\.6\d*\)/],
  ['a failure of 0', withLoadings('failure', 3, 0), /failure of concept "cough", word 1 must lie in \(0, 1\]; got 0/],
  ['a leak of 1', withLoadings('leak', 1, 1), /leak of word 1 must lie in \[0, 1\); got 1/]
]

test('composeModel(...) accepts a network of pairs, and a model without words', () => {
  const wordless: Partial<Model> = {
    lexicon: {...lexicon, words: []},
    loadings: {conceptCount: 3, wordCount: 0, failure: new Float64Array(0), leak: new Float64Array(0)}
  }
  for (const change of [{network: smallPairs}, wordless])
    expect(() => composeModel({...smallModel(), ...change})).not.toThrow()
})

test.each(faults)('composeModel(...) refuses %s, and says what to do', (_, change, message) => {
  const refuse = () => composeModel({...smallModel(), ...change})
  expect(refuse).toThrow(expect.objectContaining({name: 'AdfaError', code: 'bad-model'}))
  expect(refuse).toThrow(message)
})
