import {expect, test} from 'vitest'
import {documentsOf, type Finding, listOf, percent, splitReason, worstFirst} from './finding.ts'

test('worstFirst(findings) puts faults before warnings before notes and keeps the order of equals', () => {
  const finding = (concept: string, severity: Finding['severity']): Finding => ({
    concept,
    severity,
    kind: 'rare',
    message: '',
    evidence: {},
    remedy: ''
  })
  const mixed = [finding('a', 'note'), finding('b', 'fault'), finding('c', 'warning'), finding('d', 'fault')]
  expect(worstFirst(mixed).map(({concept}) => concept)).toEqual(['b', 'd', 'c', 'a'])
})

test('percent(share) has two figures below 10%', () => {
  expect([0, 0.00013, 0.042, 0.0996, 0.304, 1].map(percent)).toEqual(['0%', '0.013%', '4.2%', '10%', '30%', '100%'])
})

test('documentsOf(count) counts documents', () => {
  expect([1, 2000].map(documentsOf)).toEqual(['1 document', '2,000 documents'])
})

test('listOf(names) quotes the first few and counts the rest', () => {
  expect(listOf(['a', 'b'])).toBe("'a', 'b'")
  expect(listOf(['a', 'b', 'c'], 2)).toBe("'a', 'b' and 1 more")
})

test('splitReason(reason) parts what is wrong from what to do', () => {
  expect(splitReason('no label; too few; label more')).toEqual({message: 'no label; too few', remedy: 'label more'})
  expect(splitReason('no label').message).toBe('no label')
  expect(splitReason('no label').remedy).toMatch(/label/)
})
