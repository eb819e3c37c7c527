import {describe, expect, test} from 'vitest'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import type {Suggestion} from './suggestion.ts'
import {suggestionReason, suggestionWarnings} from './suggestion-text.ts'

const around = (value: number) => ({value, low: value - 0.04, high: value + 0.04})
const sound: Omit<Suggestion, 'reason' | 'warnings'> = {
  word: 'text:python',
  score: 0.5,
  basis: 'documents',
  likeness: 'same',
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
  precision: around(0.9),
  truePositive: 0.5,
  falsePositive: 0.001
}

describe('suggestionReason', () => {
  test('suggestionReason(...) says how often the word occurs, how the anchor fires beside it, and how it is named', () => {
    expect(suggestionReason(sound, undefined)).toBe(
      'in 1,412 documents; where it occurs the anchor fires in 31%, 58 times its usual share; the same name'
    )
    expect(suggestionReason({...sound, lift: around(8.44), likeness: 'stem'}, undefined)).toMatch(
      /31%, 8\.4 times its usual share; a name of the same stem$/
    )
    expect(suggestionReason({...sound, together: 0, likeness: 'none'}, undefined)).toBe(
      'in 1,412 documents; never together with the anchor'
    )
  })

  test('suggestionReason(..., rates) adds how many of its documents have the concept, and how many of the concept it has', () => {
    expect(suggestionReason({...sound, likeness: 'inflected'}, rates)).toMatch(
      /usual share; so if the two are independent about 62% of its documents have the concept \(58% to 66%\), and it is in about 40% of those that have it; another form of its name$/
    )
    expect(suggestionReason({...sound, together: 0}, rates)).not.toMatch(/independent/)
  })
})

describe('suggestionWarnings', () => {
  test('suggestionWarnings(...) of a sound word are none', () => {
    expect(suggestionWarnings(sound, undefined)).toEqual([])
    expect(suggestionWarnings(sound, rates)).toEqual([])
  })

  test('suggestionWarnings(...) say that just the name speaks for it, and why the documents do not', () => {
    expect(suggestionWarnings({...sound, basis: 'name'}, undefined)).toEqual([
      expect.stringMatching(/^just its name speaks for it: the anchor seldom fires beside it/)
    ])
    expect(suggestionWarnings({...sound, basis: 'name', documents: 9}, undefined)).toEqual([
      'just its name speaks for it: it is too rare for the documents to tell'
    ])
  })

  test('suggestionWarnings(...) name the other concept that it speaks for, or is named after', () => {
    const rival = {concept: 'java', share: 0.25, explained: 0.03, strength: 0.7}
    expect(suggestionWarnings({...sound, rival, namesake: 'monty'}, undefined)).toEqual([
      'it is as like a name of "monty"; an anchor must speak for one concept alone',
      'it goes with the anchor of "java" as well, in 25% of its documents, of which this concept would explain 3% at most'
    ])
  })

  test('suggestionWarnings(..., rates) tell of an anchor that fires beside the word more often than in the concept', () => {
    expect(suggestionWarnings({...sound, share: around(0.55)}, rates)).toEqual([
      expect.stringMatching(
        /in more documents \(55%\) than it does in those that have the concept \(50%\): .* one phrase/
      )
    ])
    expect(suggestionWarnings({...sound, share: around(0.53)}, rates)).toEqual([])
    expect(suggestionWarnings({...sound, share: around(0.55)}, undefined)).toEqual([])
  })
})
