import {expect, test} from 'vitest'
import {namedFeature, readableFeature} from './document-views.ts'

test('a feature is named by its group and its name', () => {
  expect(namedFeature('dispensed:folic acid')).toEqual({group: 'dispensed', name: 'folic acid', isNegated: false})
  expect(namedFeature('med-history:a:b')).toEqual({group: 'med-history', name: 'a:b', isNegated: false})
  expect(namedFeature('neg:fevers')).toEqual({group: 'neg', name: 'fevers', isNegated: true})
})

test.each(['age 50', '10:30', 'https://example.org', 'note: none', 'dispensed:', ':x', ''])('%j has no group', name => {
  expect(namedFeature(name)).toEqual({group: undefined, name, isNegated: false})
})

test('what is negated reads as such', () => {
  expect(['neg:fevers', 'dispensed:thiamine', 'etoh'].map(readableFeature)).toEqual(['no fevers', 'thiamine', 'etoh'])
})
