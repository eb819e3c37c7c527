import {expect, test} from 'vitest'
import {nameHint} from './check-anchors.ts'
import {textDefaults} from './lexicon.ts'

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
