import {expect, test} from 'vitest'
import type {SourcedRates} from '../../../learn/noise/index.ts'
import type {Finding, Severity} from '../../../use/advice/index.ts'
import type {SessionState} from '../../session/index.ts'
import {emptyState} from '../store.ts'
import {readyState} from '../test-session.ts'
import {conceptMark, greatestShare, isExamined, openFindings} from './concept-marks.ts'

const around = (value: number) => ({value, low: value * 0.86, high: value * 1.18})
const ratesAround = (concept: string, share: number): SourcedRates => {
  const rates = {prevalence: around(share), precision: around(0.8), truePositive: 0.7, falsePositive: 0.01}
  return {concept, ...rates, basis: 'labels', sources: ['pooled']}
}
const evidence = {of: 100, least: 30, features: ['x'], hasVeto: false, documents: 2, share: 0.02}
const finding = (concept: string, severity: Severity): Finding => ({concept, severity, kind: 'rare', evidence})
const state: SessionState = {
  ...readyState,
  concepts: [
    {name: 'a', documents: 1, rates: ratesAround('a', 0.2)},
    {name: 'b', documents: 1, rates: {...ratesAround('b', 0.1), prevalence: {value: 0.1, low: 0.05, high: 0.4}}},
    {name: 'c', documents: 1, refused: 'too few'},
    {name: 'd', documents: 1}
  ],
  findings: [finding('a', 'warning'), finding('a', 'note'), finding('a', 'note'), finding('c', 'note')]
}

test('the worst finding is the mark, and all are counted in words', () => {
  const markOf = (concept: string) => conceptMark(state, state.findings, concept)
  expect(markOf('a')).toMatchObject({is: 'warning', words: '1 warning, 2 notes'})
  expect(markOf('b')).toMatchObject({is: 'ok', words: 'nothing found'})
  expect(markOf('c')).toMatchObject({is: 'fault', words: 'left out of the model, 1 note'})
})

test('every mark has a sign of its own', () => {
  const signs = ['a', 'b', 'c', 'd'].map(concept => {
    const {is, sign} = conceptMark(state, state.findings, concept)
    return `${is} ${sign}`
  })
  expect(new Set(signs.map(text => text.split(' ')[1])).size).toBe(new Set(signs).size)
})

test('without counts nothing is said to be well', () => {
  expect(conceptMark({...emptyState, concepts: [{name: 'a', documents: 0}]}, [], 'a').is).toBe('unknown')
  expect(conceptMark(state, [], 'nowhere').is).toBe('unknown')
})

test('tracks end at the greatest share of all', () => {
  expect(greatestShare(state)).toBe(0.4)
  expect(greatestShare(emptyState)).toBe(0.01)
})

test('what is mended is no longer found, before the doctor looks again', () => {
  const dead: Finding = {
    concept: 'alcohol',
    severity: 'note',
    kind: 'dead-member',
    evidence: {features: ['alcohol intoxicaton']}
  }
  const foreign: Finding = {
    concept: 'severe sepsis',
    severity: 'fault',
    kind: 'foreign-member',
    evidence: {
      feature: 'admit medicine',
      otherFeature: 'pneumonia',
      other: 'pneumonia',
      ownFeature: 'severe sepsis',
      foreignLikeness: 1,
      ownLikeness: 0.6,
      standardErrors: 9
    }
  }
  const found = {...readyState, findings: [dead, foreign]}
  const anchor = (concept: string, ...any: string[]) => ({concept, any, not: [], rates: undefined})
  const before = [anchor('alcohol', 'etoh', 'alcohol intoxicaton'), anchor('severe sepsis', 'admit medicine')]
  expect(openFindings(found, before)).toEqual([dead, foreign])
  expect(openFindings(found, [anchor('alcohol', 'etoh'), before[1]])).toEqual([foreign])
  expect(openFindings(found, [before[0], anchor('pneumonia', 'admit medicine')])).toEqual([dead])
  expect(openFindings(state, [])).toEqual(state.findings)
})

test('nothing is said of anchors before they are examined', () => {
  const computing = {is: 'computing', words: 'w'} as const
  expect(isExamined(readyState)).toBe(true)
  expect(isExamined({...readyState, numbers: computing})).toBe(true)
  expect(isExamined({...readyState, numbers: computing, isExamined: false})).toBe(false)
  expect(isExamined(emptyState)).toBe(false)
  const failed = {is: 'failed', message: 'no'} as const
  expect(isExamined({...readyState, numbers: failed})).toBe(true)
  expect(isExamined({...readyState, numbers: failed, isExamined: false})).toBe(false)
})
