/**
 * The paper's robustness figure: held-out tag log-likelihood of trees learned from anchors, by polytope and number of
 * training documents, on real documents and on documents drawn from a fitted tree, where the anchors keep their word.
 * Noise rates are given, as in the paper: those of the tags of all training documents. Results of each corpus are kept in
 * polytopes.json; polytopes.md and polytopes.svg are made from it.
 *
 * Command: npx tsx docs/figures/polytopes.ts FILE (--anchors-from-tags FIELDS | --anchors A.json) [options below]
 * With --gaps 0.1,0.01,... it measures instead what the gap of the marginal polytope does to the figure, and adds that to
 * the corpus. Without FILE the tables and the figure are only made again.
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {basename} from 'node:path'
import {parseArgs} from 'node:util'
import {type LatentNetwork, type Pull, parseAnchors} from 'adfa'
import {type AnchorSource, readTextFile} from 'adfa/node'
import {anchorsWithTagRates, drawDocuments, readTagged, split, type TaggedDocument} from './polytopes-data.ts'
import {drawFigure} from './polytopes-draw.ts'
import {measureGaps} from './polytopes-gaps.ts'
import {measureOracle, measurePolytope, oracles, polytopes, type Result, type Setting} from './polytopes-measure.ts'
import {type CorpusResults, type Recorded, tables} from './polytopes-tables.ts'

const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {
    anchors: {type: 'string'},
    'anchors-from-tags': {type: 'string'},
    latents: {type: 'string', default: '50'},
    'min-tags': {type: 'string', default: '2'},
    'least-difference': {type: 'string', default: '0.05'},
    seeds: {type: 'string', default: '0,1,2,3,4,5,6,7'},
    sizes: {type: 'string', default: '500,1000,2000,4000,8000'},
    pulls: {type: 'string', default: '0,0.001,0.01'},
    gap: {type: 'string', default: '0.001'},
    'time-limit': {type: 'string', default: '60'},
    gaps: {type: 'string'},
    'tables-only': {type: 'boolean', default: false}
  }
})
const kept = new URL('polytopes.json', import.meta.url)
const figurePull: Pull = '10/N'
const fixedPulls = values.pulls.split(',').map(Number)
const seeds = values.seeds.split(',').map(Number)
const limits = {gap: Number(values.gap), timeLimit: Number(values['time-limit'])}

if (positionals[0] !== undefined) await record(positionals[0])
const recorded = readRecorded()
writeFileSync(new URL('polytopes.md', import.meta.url), tables(recorded))
const figure = drawFigure(recorded)
if (figure === undefined)
  console.log('no picture: no corpus was measured on generated documents, without --tables-only')
else writeFileSync(new URL('polytopes.svg', import.meta.url), figure)

async function record(path: string): Promise<void> {
  const {concepts, leftOut, documents} = await readTagged(path, await anchorSource(), {
    minTags: Number(values['min-tags']),
    leastDifference: Number(values['least-difference'])
  })
  console.error(`${documents.length} documents, ${concepts.length} concepts, ${leftOut.length} left out`)
  const corpus = basename(path).replace(/\.jsonl(\.gz)?$/, '')
  const run = {
    command: `npx tsx docs/figures/polytopes.ts ${process.argv.slice(2).map(shown).join(' ')}`,
    date: new Date().toISOString().slice(0, 10),
    versions: {adfa: packageVersion(), node: process.version},
    ...limits
  }
  const settings = seeds.map(seed => settingOf(concepts, documents, seed))
  const gaps = values.gaps?.split(',').map(Number)
  if (gaps === undefined) {
    const results = settings.flatMap(measureSplit)
    keep(corpus, {corpus, ...run, documents: documents.length, concepts, leftOut, results})
  } else {
    const pulls = [...fixedPulls, figurePull]
    const byGap = {...run, results: settings.flatMap(setting => measureGaps(setting, pulls, gaps))}
    const before = readRecorded().find(other => other.corpus === corpus)
    if (before === undefined) throw new Error(`${corpus} is not measured yet; run without --gaps first`)
    keep(corpus, {...before, byGap})
  }
}

function keep(name: string, results: CorpusResults): void {
  const others = readRecorded().filter(({corpus}) => corpus !== name)
  const all = [...others, results].sort((a, b) => (a.corpus < b.corpus ? -1 : 1))
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(7)) : value)
  writeFileSync(kept, `${JSON.stringify(all, rounded, 2)}\n`)
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

async function anchorSource(): Promise<AnchorSource> {
  const fields = values['anchors-from-tags']
  if (fields !== undefined) return {kind: 'tags', fields: fields.split(','), latents: Number(values.latents)}
  if (values.anchors === undefined) throw new Error('give --anchors-from-tags FIELDS or --anchors FILE')
  return {kind: 'given', anchors: parseAnchors(await readTextFile(values.anchors), values.anchors)}
}

/** All training documents of a split, with the figure's pull. */
function settingOf(concepts: readonly string[], documents: readonly TaggedDocument[], seed: number): Setting {
  const {training, heldOut} = split(documents, seed)
  const anchors = anchorsWithTagRates(concepts, training)
  return {data: 'real', seed, pull: figurePull, anchors, training, heldOut, ...limits}
}

/** Both panels of the figure for one split, and every pull on all its training documents. */
function measureSplit(setting: Setting): Result[] {
  const {anchors, training, heldOut, seed} = setting
  const fixed = fixedPulls.flatMap(pull => compare({...setting, pull}).results)
  if (values['tables-only']) return [...fixed, ...compare(setting).results]
  const real = growth(setting)
  const drawn = drawDocuments(real.network, anchors, training.length + heldOut.length, seed)
  const generated = growth({
    ...setting,
    data: 'generated',
    training: drawn.slice(0, training.length),
    heldOut: drawn.slice(training.length)
  })
  return [...fixed, ...real.results, ...generated.results]
}

/** All methods on larger and larger shares of the training documents; the last network is the marginal one of them all. */
function growth(setting: Setting): {results: Result[]; network: LatentNetwork} {
  const {training} = setting
  const sizes = values.sizes.split(',').map(Number)
  const fitting = [...sizes.filter(size => size < training.length), training.length]
  const steps = fitting.map(size => compare({...setting, training: training.slice(0, size)}))
  return {results: steps.flatMap(({results}) => results), network: steps[steps.length - 1].network}
}

function compare(setting: Setting): {results: Result[]; network: LatentNetwork} {
  const learned = polytopes.map(polytope => {
    const {result, network} = measurePolytope(setting, polytope)
    const {data, seed, size, pull, method, logLikelihood, gap, status, seconds} = result
    console.error(data, seed, size, pull, method, logLikelihood.toFixed(4), gap.toExponential(1), status, seconds)
    return {result, network}
  })
  const results = [...learned.map(({result}) => result), ...oracles.map(method => measureOracle(setting, method))]
  return {results, network: learned[learned.length - 1].network}
}

function readRecorded(): Recorded {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** An argument as it is shown: files by name alone. */
function shown(argument: string): string {
  return argument.includes('/') ? basename(argument) : argument
}
