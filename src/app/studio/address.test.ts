import fc from 'fast-check'
import {expect, test} from 'vitest'
import {readAddress, writeAddress} from './address.ts'
import type {PageName} from './store.ts'

const key = '0123456789abcdef0123456789abcdef'

test('readAddress(writeAddress(address)) is the address', () => {
  const address = fc.record({
    page: fc.constantFrom<PageName>('start', 'anchors', 'label', 'documents', 'graph', 'evaluate'),
    files: fc.constantFrom(undefined, key)
  })
  fc.assert(
    fc.property(address, given => {
      expect(readAddress(writeAddress(given))).toEqual(given)
    })
  )
})

test('readAddress(fragment) takes any text for the Start page', () => {
  const nothing = {page: 'start', files: undefined}
  for (const odd of ['', '#', '#page=nowhere&concept=0', '#concept=-1&files=../x', '#%%%&concept=1e99', '#__proto__=1'])
    expect(readAddress(odd)).toEqual(nothing)
  fc.assert(
    fc.property(fc.string(), text => {
      expect(readAddress(text).page).toMatch(/^(start|anchors|label|documents|graph|evaluate|compare)$/)
    })
  )
})
