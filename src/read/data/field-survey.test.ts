import {expect, test} from 'vitest'
import {FieldSurvey} from './field-survey.ts'
import {rowOf} from './test-rows.ts'

test('unseen() names the fields that no row had, text and values alike', () => {
  const fields = {fields: ['title', 'text', 'body'], categories: ['sex', 'ward'], lists: ['__proto__', 'drugs']}
  const survey = new FieldSurvey(fields)
  survey.add(rowOf({title: '', sex: null, drugs: []}, fields))
  expect(survey.unseen()).toEqual(['text', 'body', 'sex', 'ward', '__proto__', 'drugs'])
  survey.add(rowOf({text: 'a', sex: 'm', drugs: ['x']}, fields))
  survey.add(rowOf({features: ['body:given']}, fields))
  expect(survey.unseen()).toEqual(['ward', '__proto__'])
  expect(new FieldSurvey({fields: []}).unseen()).toEqual([])
})
