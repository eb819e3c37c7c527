import fc from 'fast-check'
import {expect, test} from 'vitest'
import {anchorsFromTags, documentFilter, FieldSurvey, TagSurvey} from './surveys.ts'
import {rowOf} from './test-rows.ts'

const tagged = (tags?: readonly string[]) => rowOf(tags === undefined ? {text: ''} : {text: '', tags})

function surveyOf(lists: readonly (readonly string[])[]): TagSurvey {
  const survey = new TagSurvey()
  for (const tags of lists) survey.add(tagged(tags))
  return survey
}

test('TagSurvey.commonest(n) equals counting and sorting, whatever the order of the rows', () => {
  const lists = fc.array(fc.array(fc.constantFrom('a', '__proto__', 'constructor', 'd', 'É', '🙂'), {maxLength: 4}), {
    minLength: 1,
    maxLength: 20
  })
  fc.assert(
    fc.property(lists, fc.nat(6), (tags, count) => {
      fc.pre(tags.some(list => list.length > 0))
      const names = [...new Set(tags.flat())].sort()
      const counted = names.map(name => ({name, count: tags.filter(list => list.includes(name)).length}))
      const expected = counted.sort((a, b) => b.count - a.count).map(({name}) => name)
      expect(surveyOf(tags).commonest(count)).toEqual(expected.slice(0, count))
      expect(surveyOf(tags.toReversed()).commonest(count)).toEqual(expected.slice(0, count))
    }),
    {seed: 1}
  )
})

test('TagSurvey.commonest(n) refuses documents without tags and says how many it saw', () => {
  const survey = new TagSurvey()
  survey.add(tagged())
  survey.add(tagged([]))
  expect(() => survey.commonest(5)).toThrow(expect.objectContaining({code: 'bad-document'}))
  expect(() => survey.commonest(5)).toThrow(/none of the 2 documents has "tags".*`anchors`/)
})

test('documentFilter(...) wants at least minTags different tags of the list', () => {
  const filter = {minTags: 2, tags: ['a', 'b', 'c']}
  const passes = (tags?: string) => documentFilter(filter)(tagged(tags?.split(' ')))
  expect(['a c', 'c x b a'].map(passes)).toEqual([true, true])
  expect(['a x', 'a a', '', undefined].map(passes)).toEqual([false, false, false, false])
  expect(documentFilter(undefined)(tagged())).toBe(true)
})

test('unseen() names the fields that no row had, text and values alike', () => {
  const fields = {text: ['title', 'text', 'body'], category: ['sex', 'ward'], list: ['__proto__', 'drugs']}
  const survey = new FieldSurvey(fields)
  survey.add(rowOf({title: '', sex: null, drugs: []}, fields))
  expect(survey.unseen()).toEqual(['title', 'text', 'body', 'sex', 'ward', '__proto__', 'drugs'])
  survey.add(rowOf({title: ' b', text: 'a', sex: 'm', drugs: ['x']}, fields))
  survey.add(rowOf({features: ['body:given']}, fields))
  expect(survey.unseen()).toEqual(['ward', '__proto__'])
  expect(new FieldSurvey({text: []}).unseen()).toEqual([])
})

test.each([
  ['python', ['title:python', 'text:python']],
  ['works-with::text', ['title:text', 'text:text']],
  ['a::b::c-d', ['title:c-d', 'text:c-d']],
  ['role:program', ['title:program', 'text:program']],
  ['trailing::', ['title:trailing', 'text:trailing']],
  ['c++', ['title:c++', 'text:c++']]
])('anchorsFromTags([%j], ["title", "text"]) looks for %j', (tag, features) => {
  expect(anchorsFromTags([tag], ['title', 'text'])).toEqual([{concept: tag, any: features, not: [], rates: undefined}])
})
