import {expect, test} from 'vitest'
import {anchorStatistics} from './anchor-statistics.ts'
import {checkCoverage} from './check-coverage.ts'
import {memberProfiles} from './member-profiles.ts'
import {countRows} from './test-faults.ts'

function check(anchors: Record<string, string[]>, rows: readonly (readonly [number, string])[]) {
  const counts = countRows(anchors, rows)
  return checkCoverage(anchorStatistics(counts), memberProfiles(counts))
}

test('checkCoverage(statistics) calls an anchor in fewer than 30 documents a fault', () => {
  const findings = check({rare: ['r'], enough: ['e']}, [
    [29, 'r'],
    [30, 'e'],
    [41, 'x']
  ])
  expect(findings).toMatchObject([
    {concept: 'rare', severity: 'fault', kind: 'rare', evidence: {documents: 29, share: 0.29}}
  ])
  expect(findings[0].message).toBe(
    "its anchor 'r' fires in 29 documents of 100; 30 are needed to learn anything from it"
  )
})

test('checkCoverage(statistics) warns of an anchor in more than half of the documents, and accuses one in more than 9 of 10', () => {
  const findings = check({half: ['h'], most: ['m'], nearly: ['n']}, [
    [50, 'h m n'],
    [1, 'm n'],
    [40, 'n'],
    [9, 'x']
  ])
  expect(findings.map(({concept, severity, kind}) => [concept, severity, kind])).toEqual([
    ['most', 'warning', 'always'],
    ['nearly', 'fault', 'always']
  ])
})

test('checkCoverage(statistics) notes features that never occur beside others that do', () => {
  const findings = check({heart: ['heart', 'hart', 'cor']}, [
    [40, 'heart'],
    [60, 'x']
  ])
  expect(findings).toMatchObject([{severity: 'note', kind: 'dead-member', evidence: {features: ['hart', 'cor']}}])
})
