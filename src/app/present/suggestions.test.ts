import {expect, test} from 'vitest'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import type {Suggestion} from '../../use/advice/index.ts'
import {formReason, suggestionText, suggestionWarnings} from './index.ts'

const around = (value: number) => ({value, low: value - 0.04, high: value + 0.04})
const sound: Suggestion = {
  word: 'text:python',
  score: 0.5,
  basis: 'documents',
  similarity: 'same',
  documents: 1412,
  together: 438,
  share: around(0.31),
  lift: around(58.4),
  precision: around(0.62),
  coverage: around(0.4),
  rival: undefined,
  namesake: undefined
}
const rates: EstimatedRates = {
  concept: 'python',
  prevalence: around(0.1),
  precision: around(0.95),
  truePositive: 0.5,
  falsePositive: 0.001
}
const rival = {concept: 'java', share: 0.25, explained: 0.03, strength: 0.7}

test('suggestionText(...) says how often the word occurs, how the anchor fires beside it, and how it is named', () => {
  expect(suggestionText(sound, undefined)).toMatch(/1,412 documents; .* 31%, 58 times its usual share; the same name$/)
  expect(suggestionText({...sound, together: 0, similarity: 'none'}, rates)).toMatch(/documents; never together/)
  expect(suggestionText({...sound, lift: around(8.44)}, rates)).toMatch(/8\.4 times .* 62% .*58% to 66%.* 40% /)
})

test.each([
  [{basis: 'name'}, /^only its name supports it: the anchor seldom fires/],
  [{basis: 'name', documents: 9}, /^only its name supports it: it is too rare/],
  [{namesake: 'monty'}, /a name of "monty"/],
  [{rival}, /"java" fires in 25% .* 3\.0% at most/],
  [{share: around(0.55)}, /\(55%\) .* \(50%\): .* one phrase/]
] as const)('suggestionWarnings(...) of %j warn of it alone', (part, warning) => {
  expect(suggestionWarnings({...sound, ...part}, rates)).toEqual([expect.stringMatching(warning)])
  expect(suggestionWarnings(sound, rates)).toEqual([])
})

test('formReason(...) says how a form is like the word, and what documents show of the two', () => {
  const form = {feature: 'falls', documents: 9, isSound: true, isSampled: false, goesTogether: undefined}
  const beside = {together: 12, expected: 3.2}
  const parts = [{kind: 'inflected'}, {kind: 'stem', goesTogether: false}, {kind: 'spelling', beside}] as const
  expect(parts.map(part => formReason({...form, ...part}))).toEqual([
    'another form; in 9 documents',
    'the same stem; occurs with other words; in 9 documents',
    'another spelling; 12 documents have both, 3 would by chance; in 9 documents'
  ])
})
