import fc from 'fast-check'
import {expect, test} from 'vitest'
import {addressOf, readAddress, writeAddress} from './address.ts'
import type {PageName} from './store.ts'

const key = '0123456789abcdef0123456789abcdef'

test('readAddress(writeAddress(address)) is the address', () => {
  const address = fc.record({
    page: fc.constantFrom<PageName>('start', 'anchors', 'label', 'documents', 'graph', 'evaluate'),
    concept: fc.option(fc.integer({min: 1, max: 500}), {nil: undefined}),
    files: fc.constantFrom(undefined, key)
  })
  fc.assert(
    fc.property(address, given => {
      expect(readAddress(writeAddress(given))).toEqual(given)
    })
  )
})

test('readAddress(fragment) takes any text for the Start page', () => {
  const nothing = {page: 'start', concept: undefined, files: undefined}
  for (const odd of ['', '#', '#page=nowhere&concept=0', '#concept=-1&files=../x', '#%%%&concept=1e99', '#__proto__=1'])
    expect(readAddress(odd)).toEqual(nothing)
  fc.assert(
    fc.property(fc.string(), text => {
      expect(readAddress(text).page).toMatch(/^(start|anchors|label|documents|graph|evaluate|compare)$/)
    })
  )
})

test('addressOf(view, concepts, files) names a concept by its place, and never writes a word', () => {
  const view = {page: 'anchors', concept: 'secret word', query: {has: 'hidden'}, document: 3} as const
  const address = addressOf(view, ['fall', 'secret word'], undefined)
  expect(writeAddress(address)).toBe('#page=anchors&concept=2')
  expect(addressOf({...view, concept: 'gone'}, ['fall'], key)).toEqual({
    page: 'anchors',
    concept: undefined,
    files: key
  })
})
