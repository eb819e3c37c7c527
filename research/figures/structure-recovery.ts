/**
 * Is the right graph found? Networks with a known graph: the classic binary ones, and parts of two larger ones that are closed
 * under parents. First from their exact tables, then from samples of anchors, by every rule of structure-recovery-measure.ts.
 * Results are kept in structure-recovery.json, from which structure-recovery.md is made.
 *
 * Command: npx tsx research/figures/structure-recovery.ts FOLDER [--seeds 20] [--networks asia,cancer], FOLDER holding NAME.bif.gz.
 * Without FOLDER only the page is made again.
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import {loadLinearSolver} from '../../src/base/linear/index.ts'
import {measureExact, weakestEdge} from './structure-recovery-exact.ts'
import {measureSample, type Recovery, rules} from './structure-recovery-measure.ts'
import {type KnownNetwork, knownNetworks} from './structure-recovery-networks.ts'
import {page, type Recorded, type SampleRow} from './structure-recovery-tables.ts'

const kept = new URL('structure-recovery.json', import.meta.url)
const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {seeds: {type: 'string', default: '20'}, networks: {type: 'string'}}
})
const sizes = [1e3, 1e4, 1e5, 1e6]
const truePositives = [0.9, 0.7, 0.4]
const falsePositive = 0.01

if (positionals[0] !== undefined) await record(positionals[0])
writeFileSync(new URL('structure-recovery.md', import.meta.url), page(JSON.parse(readFileSync(kept, 'utf8'))))

async function record(folder: string): Promise<void> {
  const solver = await loadLinearSolver()
  const wanted = values.networks?.split(',')
  const all = knownNetworks(pathToFileURL(`${folder}/`))
  const networks = all.filter(({name}) => wanted === undefined || wanted.includes(name))
  const recorded: Recorded = {
    date: new Date().toISOString().slice(0, 10),
    seeds: Number(values.seeds),
    falsePositive,
    weakest: Object.fromEntries(networks.map(({name, network}) => [name, weakestEdge(network)])),
    exact: networks.flatMap(known => [...sizes, 1e8].map(documents => measureExact(known, documents, solver))),
    samples: (await Promise.all(networks.map(samplesOf))).flat()
  }
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
  writeFileSync(kept, `${JSON.stringify(recorded, rounded, 2)}\n`)
}

async function samplesOf(known: KnownNetwork): Promise<SampleRow[]> {
  const cases = truePositives.flatMap(truePositive => sizes.map(documents => ({truePositive, documents})))
  const rows = await Promise.all(
    cases.map(async ({truePositive, documents}) => {
      const noise = {truePositive, falsePositive}
      const seeds = Array.from({length: Number(values.seeds)}, (_, seed) => seed)
      const runs = (await Promise.all(seeds.map(seed => measureSample(known, noise, documents, seed)))).flat()
      console.error(known.name, truePositive, documents)
      return rules.flatMap(rule => {
        const chosen = runs.filter(run => run.rule === rule)
        return chosen.length === 0 ? [] : [{...summary(chosen), network: known.name, truePositive, documents, rule}]
      })
    })
  )
  return rows.flat()
}

function summary(runs: readonly Recovery[]): Pick<SampleRow, 'right' | 'distance' | 'missing' | 'extra'> {
  const mean = (value: (run: Recovery) => number) => runs.reduce((sum, run) => sum + value(run), 0) / runs.length
  return {
    right: mean(run => (run.right ? 1 : 0)),
    distance: mean(run => run.distance),
    missing: mean(run => run.missing),
    extra: mean(run => run.extra)
  }
}
