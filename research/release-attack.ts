/**
 * What readers can find out from releases of random corpora, by the integer program of `read/pooling/test-attack.ts`: withheld
 * numbers and small cells with a single possible value. There should be none; two releases of growing data made separately are
 * there to compare.
 *
 *     npx tsx research/release-attack.ts [corpora] [variant ...]
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import fc from 'fast-check'
import {loadLinearSolver} from '../src/base/linear/index.ts'
import {attackGrowing, attackSite} from '../src/read/pooling/test-attack.ts'
import {anyAttackedCorpus} from '../src/read/pooling/test-sites.ts'

const solver = await loadLinearSolver()
const anyRules = fc.record({maxOrder: fc.integer({min: 1, max: 3}), minCell: fc.integer({min: 2, max: 8})})
type Attack = (...[solver, corpus, rules]: Parameters<typeof attackSite>) => ReturnType<typeof attackGrowing>
const variants: Readonly<Record<string, Attack>> = {
  one: attackSite,
  'growing, a site of its own': (solver, corpus, rules) => attackGrowing(solver, corpus, rules, true),
  'growing, made separately': (solver, corpus, rules) => attackGrowing(solver, corpus, rules, false)
}

const [size = '300', ...chosen] = process.argv.slice(2)
const file = new URL('results/release-attack.json', import.meta.url)
for (const name of chosen.length > 0 ? chosen : Object.keys(variants)) {
  const total = {corpora: 0, attacked: 0, open: 0, pinned: 0, corporaWithPinned: 0}
  for (let seed = 1; total.corpora < Number(size); seed++)
    for (const [corpus, rules] of fc.sample(fc.tuple(anyAttackedCorpus, anyRules), {numRuns: 50, seed})) {
      if (corpus.site.documents.length < Math.max(3, rules.minCell)) continue
      const found = variants[name](solver, corpus, rules)
      if (found === undefined || total.corpora >= Number(size)) continue
      total.corpora++
      total.attacked += found.attacked
      total.open += found.open
      total.pinned += found.pinned.length
      total.corporaWithPinned += found.pinned.length > 0 ? 1 : 0
      if (process.env.ADFA_SHOW !== undefined && found.pinned.length > 0)
        console.error(
          JSON.stringify({rules, anchors: corpus.site.lexicon.anchors, words: corpus.site.lexicon.words}),
          found.pinned
        )
      if (total.corpora % 50 === 0) console.error(name, total)
    }
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  writeFileSync(file, `${JSON.stringify({...results, [name]: total}, undefined, 2)}\n`)
}
