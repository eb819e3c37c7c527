import {expect, test} from 'vitest'
import type {TextPart} from '../../session/index.ts'
import {featureGroups} from './doc-text.tsx'

const list = (...names: string[]): TextPart => ({
  field: 'features',
  isText: false,
  spans: names.map(text => ({text, kind: 'word', feature: text}))
})

const shown = (parts: readonly TextPart[]) =>
  featureGroups(parts).map(({title, spans}) => [title, ...spans.map(({text}) => text)].join(' | '))

test('features of a kind stand together under its name; names and order are those of the data', () => {
  expect(shown([list('abd pain', 'dispensed:iv', 'neg:cp', 'home', 'dispensed:ns', 'neg:sob', 'takes:x')])).toEqual([
    'features | abd pain | home',
    'negated | neg:cp | neg:sob',
    'dispensed | dispensed:iv | dispensed:ns',
    'takes | takes:x'
  ])
})

test('titles without features are left out, and running text is as it is', () => {
  const text: TextPart = {field: 'note', isText: true, spans: [{text: 'cc:pain', kind: 'plain'}]}
  expect(shown([text, list('dispensed:iv')])).toEqual(['note | cc:pain', 'dispensed | dispensed:iv'])
})
