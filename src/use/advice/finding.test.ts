import {expect, test} from 'vitest'
import {type Finding, splitReason, worstFirst} from './finding.ts'

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

test('splitReason(reason) parts what is wrong from what to do', () => {
  expect(splitReason('no label; too few; label more')).toEqual({message: 'no label; too few', remedy: 'label more'})
  expect(splitReason('no label').message).toBe('no label')
  expect(splitReason('no label').remedy).toMatch(/label/)
})
