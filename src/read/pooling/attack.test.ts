import fc from 'fast-check'
import {beforeAll, describe, expect, test} from 'vitest'
import {type LinearSolver, loadLinearSolver} from '../../base/linear/index.ts'
import {attackReleases} from './attack.ts'
import {releaseCounts} from './release-counts.ts'
import {anyPartitionedSite, countSite} from './test-sites.ts'
import {completeFields} from './test-sites.ts'

let solver: LinearSolver
beforeAll(async () => {
  solver = await loadLinearSolver()
})

describe('attackReleases', () => {
  test('nothing is pinned', () => {
    let withheld = 0
    let bad = 0
    let open = 0
    let n = 0
    fc.assert(
      fc.property(anyPartitionedSite, fc.integer({min: 1, max: 3}), fc.integer({min: 2, max: 8}), (site, maxOrder, minCell) => {
        fc.pre(site.documents.length >= minCell)
        const release = releaseCounts(countSite(site), {maxOrder, minCell})
        const found = attackReleases(solver, {releases: [release], complete: completeFields(site)})
        withheld += found.withheld
        bad += found.pinned.length
        open += found.open
        n += found.pinned.length>0?1:0
        expect(found.isConsistent).toBe(true)
      }),
      {seed: 1, numRuns: 60}
    )
    console.log({withheld, bad, open, n})
  }, 300000)
})
