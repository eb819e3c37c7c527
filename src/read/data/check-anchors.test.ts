import {describe, expect, test} from 'vitest'
import type {Anchors} from './anchors.ts'
import {checkAnchors, nameHint} from './check-anchors.ts'
import {textDefaults} from './lexicon.ts'
import type {WordSurvey} from './numbered-reader.ts'
import {anchorsOf, messageOf} from './test-rows.ts'

const entries = {
  fine: 'aa',
  half: ['bb', 'never'],
  missing: 'cc',
  always: 'dd',
  vetoed: {any: ['ee'], not: ['ff']},
  left: ['shared', 'gg'],
  right: 'title:shared'
}
const survey = {
  documentCount: 1200,
  frequencies: [],
  conceptHits: [3, 5, 0, 1200, 0, 9, 7],
  memberHits: [3, 5, 0, 0, 1200, 0, 8, 4, 7]
}
const checked = (anchors: Anchors, survey: WordSurvey, skip = true) =>
  checkAnchors({anchors, reading: textDefaults, phrases: [], filter: undefined}, survey, () => [], skip)
const check = (skip: boolean) => checked(anchorsOf(entries), survey, skip)

describe('checkAnchors', () => {
  test('checkAnchors(...) names every bad anchor in one message, with what to do', () => {
    const refused = expect.objectContaining({
      code: 'bad-anchors',
      details: {skipped: expect.arrayContaining([expect.objectContaining({concept: 'missing'})])}
    })
    expect(() => check(false)).toThrow(refused)
    const message = messageOf(() => check(false)) ?? ''
    expect(message).toMatch(/^5 concepts have an anchor that cannot work:\n/)
    expect(message).toMatch(
      /concept "missing": anchor 'cc' does not occur in any of the 1,200 documents; .*check its spelling and field/
    )
    expect(message).toMatch(/concept "always": anchor 'dd' fires in every document; choose a rarer one/)
    expect(message).toMatch(/concept "vetoed": anchor 'ee' does not occur .*vetoed by "not"/)
    expect(message).toMatch(/concept "left": member 'shared' is shared with "right"; .*choose another or merge/)
    expect(message).toMatch(/concept "right": member 'title:shared' is shared with "left"/)
    expect(message).toMatch(/`skipBadAnchors`$/)
    expect(message).not.toMatch(/"fine"|"half"/)
  })

  test('checkAnchors(..., skip) keeps rates and vetoes of a concept that loses a shared feature', () => {
    const given = anchorsOf({a: {any: ['s', 'x'], not: ['n'], truePositive: 0.5, falsePositive: 0.1}, b: ['s', 'y']})
    const found = {...survey, documentCount: 9, conceptHits: [3, 3], memberHits: [2, 1, 2, 1]}
    const {anchors} = checked(given, found)
    expect(anchors).toEqual([
      {...given[0], any: ['x']},
      {...given[1], any: ['y']}
    ])
    expect(given[0].any).toEqual(['s', 'x'])
  })

  test('checkAnchors(..., skip) leaves out a concept whose other features never fire', () => {
    const given = anchorsOf({a: ['s', 'x'], b: ['s', 'y']})
    const found = {...survey, documentCount: 9, conceptHits: [2, 3], memberHits: [2, 0, 2, 1]}
    expect(checked(given, found).anchors.map(({concept}) => concept)).toEqual(['b'])
  })

  test('checkAnchors(..., skip) refuses all the same when no concept is left', () => {
    const found = {...survey, documentCount: 5, conceptHits: [0], memberHits: [0]}
    const call = () => checked(anchorsOf({a: 'x'}), found)
    expect(call).toThrow(expect.objectContaining({code: 'bad-anchors'}))
    expect(call).toThrow(
      /no concept has a working anchor.*\n.*concept "a": anchor 'x' does not occur in any of the 5 documents/
    )
  })
})

const reading = {...textDefaults, text: ['note'], list: ['home_meds']}
const seen = [
  {name: 'note:fever', documents: 40},
  {name: 'note:Metformin', documents: 3},
  {name: 'home_meds:metformin', documents: 120},
  {name: 'lab:glucose', documents: 9},
  {name: 'note:cat', documents: 50}
]

test.each([
  ['metformin', "did you mean 'home_meds:metformin', which occurs in 120 documents?"],
  ['note:metformin', "did you mean 'home_meds:metformin', which occurs in 120 documents?"],
  ['home_meds:fever', "did you mean 'note:fever', which occurs in 40 documents?"],
  ['glucose', "did you mean 'lab:glucose', which occurs in 9 documents?"],
  ['home_meds:metfornin', "did you mean 'home_meds:metformin', which occurs in 120 documents?"],
  ['fevr', "did you mean 'note:fever', which occurs in 40 documents?"],
  ['text:enlarged heart', "there is no field \"text\"; write 'enlarged heart' or 'note:enlarged heart'"],
  ['lab:ph', undefined],
  ['10:30', undefined],
  ['car', undefined],
  ['aspirin', undefined],
  ['/metformi./', undefined]
])('nameHint(%j) is %j', (missing, hint) => {
  expect(nameHint(missing, reading, seen)).toBe(hint)
})
