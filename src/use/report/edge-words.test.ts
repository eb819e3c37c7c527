import {expect, test} from 'vitest'
import {edgeInWords, shareInWords, strengthInWords} from './edge-words.ts'

const edge = {
  parent: 'flu',
  child: 'fever',
  sign: 'positive',
  mutualInformation: 0.1,
  strength: 2.6,
  childWithout: 0.1,
  childWith: 0.6
} as const

test('edgeInWords(...) says how two concepts hang together, and how often', () => {
  expect(edgeInWords(edge)).toBe(
    'flu and fever: strongly together; fever is in 60% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'negative', strength: -9, childWith: 0.00001})).toBe(
    'flu and fever: very strongly apart; fever is in less than 0.01% of documents with flu, in 10% without'
  )
  expect(edgeInWords({...edge, sign: 'none', strength: 0})).toMatch(/^flu and fever: neither together nor apart; /)
})

test('strengthInWords(...) goes by the odds ratio, whatever the sign', () => {
  const words = [1.2, 2, 5, 20, 100].map(ratio => strengthInWords(Math.log(ratio)))
  expect(words).toEqual(['barely', 'weakly', 'clearly', 'strongly', 'very strongly'])
  expect(strengthInWords(-Math.log(20))).toBe('strongly')
  expect(strengthInWords(Number.POSITIVE_INFINITY)).toBe('very strongly')
})

test('shareInWords(...) has about two digits', () => {
  expect([0, 0.00001, 0.0005, 0.034, 0.0996, 0.5, 1].map(shareInWords)).toEqual([
    '0%',
    'less than 0.01%',
    '0.05%',
    '3.4%',
    '10%',
    '50%',
    '100%'
  ])
})
