/**
 * What readers can find out from releases of random corpora, by the exact attack of `read/pooling`: withheld numbers and small
 * cells with a single possible value. There should be none; two releases of growing data made separately are there to compare.
 *
 *     npx tsx research/release-attack.ts [corpora] [variant ...]
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import fc from 'fast-check'
import {loadLinearSolver} from '../src/base/linear/index.ts'
import {attackGrowing, attackSite, partitionedSites, plainSites} from '../src/read/pooling/test-attack.ts'

const solver = await loadLinearSolver()
const variants = {
  plain: {sites: plainSites, attack: attackSite},
  partitioned: {sites: partitionedSites, attack: attackSite},
  'growing, continued': {
    sites: partitionedSites,
    attack: (...[solver, site]: Parameters<typeof attackSite>) => attackGrowing(solver, site, true)
  },
  'growing, made separately': {
    sites: partitionedSites,
    attack: (...[solver, site]: Parameters<typeof attackSite>) => attackGrowing(solver, site, false)
  }
}
type Variant = keyof typeof variants

const [size = '1000', ...chosen] = process.argv.slice(2)
const names = (chosen.length > 0 ? chosen : Object.keys(variants)) as Variant[]
const file = new URL('results/release-attack.json', import.meta.url)
for (const name of names) {
  const {sites, attack} = variants[name]
  const total = {corpora: 0, attacked: 0, open: 0, pinned: 0, corporaWithPinned: 0}
  for (let seed = 1; total.corpora < Number(size); seed++)
    for (const site of fc.sample(sites, {numRuns: 50, seed})) {
      const found = attack(solver, site)
      if (found === undefined || total.corpora >= Number(size)) continue
      if (found.method !== 'exact' || !found.isConsistent) throw new Error(`${name}, seed ${seed}: not attacked`)
      total.corpora++
      total.attacked += found.attacked
      total.open += found.open
      total.pinned += found.pinned.length
      total.corporaWithPinned += found.pinned.length > 0 ? 1 : 0
      if (total.corpora % 50 === 0) console.error(name, total)
    }
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, `${JSON.stringify({...results, [name]: total}, undefined, 2)}\n`)
}
