/**
 * Is the right graph found? Networks with a known graph: the classic binary ones, and parts of two larger ones that are closed
 * under parents, from samples of anchors, by every rule below. A graph is right when it is Markov-equivalent to the true one.
 * Results are kept in structure-recovery.json, from which the tables of structure-recovery.md are made.
 *
 * Command: npx tsx research/figures/structure-recovery.ts FOLDER [--seeds 20] [--networks asia,cancer], FOLDER holding NAME.bif.gz.
 * Without FOLDER only the page is made again.
 */
import {pathToFileURL} from 'node:url'
import {parseArgs} from 'node:util'
import {
  type BayesNetwork,
  type ConceptTables,
  completedGraph,
  forwardSampler,
  isMarkovEquivalent
} from '../../src/base/network/index.ts'
import {readBif} from '../../src/base/network/test-bif.ts'
import {type Rng, rng} from '../../src/base/numeric/index.ts'
import {allRates, recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {searchByTests} from '../../src/learn/structure/degree.ts'
import {bicScores, parameterCount, type StructureScore, searchExact} from '../../src/learn/structure/index.ts'
import {type Counts, countsFromPatterns} from '../../src/read/counts/index.ts'
import {textDefaults} from '../../src/read/data/index.ts'
import {fillPage, markdownTable, readKept, writeKept} from '../page.ts'
import {mean} from '../spread.ts'

const kept = new URL('structure-recovery.json', import.meta.url)
const {positionals, values} = parseArgs({
  allowPositionals: true,
  options: {seeds: {type: 'string', default: '20'}, networks: {type: 'string'}}
})
const sizes = [1e3, 1e4, 1e5, 1e6]
const truePositives = [0.9, 0.7, 0.4]
const falsePositive = 0.01
/** Independence tests use tables of at most six concepts. */
const MOST_DEGREE = 4

/** The classic networks and parts of two larger ones: the named concepts with all their ancestors. */
const chosen: readonly {readonly name: string; readonly file: string; readonly of?: readonly string[]}[] = [
  {name: 'cancer', file: 'cancer'},
  {name: 'earthquake', file: 'earthquake'},
  {name: 'asia', file: 'asia'},
  {name: 'andes-8', file: 'andes', of: ['SNode_8', 'SNode_47']},
  {name: 'andes-13', file: 'andes', of: ['SNode_34', 'SNode_42']},
  {name: 'win95pts-9', file: 'win95pts', of: ['TTOK', 'CmpltPgPrntd', 'NnTTOK']},
  {name: 'win95pts-13', file: 'win95pts', of: ['TTOK', 'CmpltPgPrntd', 'NnTTOK', 'NnPSGrphc', 'PrtStatMem']}
]

type Graph = readonly (readonly number[])[]

/** How a graph is learned: from which tables, and by which score or test. `hidden` observes the concepts themselves. */
const rules = [
  'hidden',
  'simplex, BIC',
  'simplex, penalty 1',
  'simplex, noise-aware',
  'local, BIC',
  'local, noise-aware',
  'degree'
] as const
type Rule = (typeof rules)[number]

/** The runs of one rule on samples that differ by their seed alone: the share that is right, and the mean distance. */
interface SampleRow {
  readonly network: string
  readonly truePositive: number
  readonly documents: number
  readonly rule: Rule
  readonly right: number
  readonly distance: number
}

interface Recorded {
  readonly date: string
  readonly seeds: number
  readonly samples: readonly SampleRow[]
}

if (positionals[0] !== undefined) {
  const wanted = values.networks?.split(',')
  const samples: SampleRow[] = []
  for (const known of knownNetworks(pathToFileURL(`${positionals[0]}/`)))
    if (wanted === undefined || wanted.includes(known.name)) samples.push(...(await samplesOf(known)))
  writeKept(kept, {date: new Date().toISOString().slice(0, 10), seeds: Number(values.seeds), samples}, 4)
}
const {date, seeds, samples} = readKept<Recorded>(kept, {date: '', seeds: 0, samples: []})
const networks = [...new Set(samples.map(({network}) => network))]
fillPage('research/figures/structure-recovery.md', {
  'table: samples': [
    `P(A = 1 | Y = 0) = ${falsePositive}; ${seeds} samples per cell, ${date}. Each cell: share of samples with the right class / mean distance.`,
    ...networks.map(network => `### ${network}\n\n${sampleTable(samples.filter(row => row.network === network))}`)
  ].join('\n\n')
})

async function samplesOf(known: KnownNetwork): Promise<SampleRow[]> {
  const rows: SampleRow[] = []
  for (const truePositive of truePositives)
    for (const documents of sizes) {
      const runs: Recovery[] = []
      for (let seed = 0; seed < Number(values.seeds); seed++)
        runs.push(...(await measureSample(known, {truePositive, falsePositive}, documents, seed)))
      console.error(known.name, truePositive, documents)
      for (const rule of rules) {
        const own = runs.filter(run => run.rule === rule)
        const [right, distance] = [mean(own.map(run => Number(run.right))), mean(own.map(run => run.distance))]
        if (own.length > 0) rows.push({network: known.name, truePositive, documents, rule, right, distance})
      }
    }
  return rows
}

function sampleTable(rows: readonly SampleRow[]): string {
  const used = rules.filter(rule => rows.some(row => row.rule === rule))
  const settings = [...new Map(rows.map(row => [`${row.truePositive} ${row.documents}`, row])).values()]
  const lines = settings.map(({truePositive, documents}) => [
    truePositive,
    `1e${Math.round(Math.log10(documents))}`,
    ...used.map(rule => {
      const own = (row: SampleRow) => row.truePositive === truePositive && row.documents === documents
      const found = rows.find(row => row.rule === rule && own(row))
      return found === undefined ? '-' : `${Math.round(100 * found.right)}% / ${found.distance.toFixed(1)}`
    })
  ])
  return markdownTable(['P(A=1 given Y=1)', 'N', ...used], lines)
}

/** One graph learned from one sample. */
interface Recovery {
  readonly rule: Rule
  /** Is it Markov-equivalent to the true one? */
  readonly right: boolean
  /** Pairs of concepts that the completed graphs join differently. */
  readonly distance: number
}

/** All rules on one sample of anchors, and apart from it as many documents whose concepts are seen. */
export async function measureSample(
  known: KnownNetwork,
  noise: AnchorNoise,
  documents: number,
  seed: number
): Promise<Recovery[]> {
  const {name, network, maxParents, maxDegree} = known
  const m = network.parents.length
  const random = rng(seed).stream(`${name} ${noise.truePositive} ${documents}`)
  const hidden = drawCells(network, documents, random.stream('concepts'))
  const counts = countsOfCells(drawCells(network, documents, random.stream('anchors'), noise), noise)
  const estimated = estimateNoise(counts, 'given')
  const rates = allRates(estimated)
  const tablesOf = async (polytope: 'simplex' | 'local') => (await recoverMoments(counts, estimated, {polytope})).table
  const simplex = await tablesOf('simplex')
  const local = await tablesOf('local')
  const learned = (table: ConceptTables, score: StructureScore, penalty = 0.5) => {
    const parameters = parameterCount(score, table, rates)
    return searchExact(bicScores(table, m, documents, {maxParents, penalty, parameters})).parents
  }
  const graphs: Readonly<Record<Rule, () => Graph>> = {
    hidden: () => learned(concepts => projected(hidden, concepts), 'bic'),
    'simplex, BIC': () => learned(simplex, 'bic'),
    'simplex, penalty 1': () => learned(simplex, 'bic', 1),
    'simplex, noise-aware': () => learned(simplex, 'noise-aware'),
    'local, BIC': () => learned(local, 'bic'),
    'local, noise-aware': () => learned(local, 'noise-aware'),
    degree: () => {
      const moments = {table: simplex, sampleCount: documents}
      const names = rates.map((_, i) => String(i))
      return searchByTests({moments, names, constraints: {}, control: {}}, maxDegree, rates).parents
    }
  }
  const fitting = rules.filter(rule => rule !== 'degree' || maxDegree <= MOST_DEGREE)
  return fitting.map(rule => {
    const graph = graphs[rule]()
    return {rule, right: isMarkovEquivalent(graph, network.parents), distance: distanceOf(graph, network.parents)}
  })
}

function distanceOf(one: Graph, other: Graph): number {
  const [a, b] = [linksOf(one), linksOf(other)]
  return [...new Set([...a.keys(), ...b.keys()])].filter(pair => a.get(pair) !== b.get(pair)).length
}

/** The pairs that the completed graph joins, lower number first, with the child's number if the edge has a direction. */
function linksOf(graph: Graph): Map<string, number> {
  const {directed, undirected} = completedGraph(graph)
  const pair = (i: number, k: number) => `${Math.min(i, k)} ${Math.max(i, k)}`
  return new Map([
    ...directed.map(([parent, child]): [string, number] => [pair(parent, child), child]),
    ...undirected.map(([i, k]): [string, number] => [pair(i, k), -1])
  ])
}

/** A network whose graph is known, to be recovered. */
interface KnownNetwork {
  readonly name: string
  readonly network: BayesNetwork
  readonly maxParents: number
  /** The largest number of neighbours of a concept. */
  readonly maxDegree: number
}

/** Read from the folder of BIF files, gzipped. */
function knownNetworks(folder: URL): KnownNetwork[] {
  return chosen.map(({name, file, of}) => {
    const {names, network: whole} = readBif(new URL(`${file}.bif.gz`, folder))
    const wanted = of?.map(one => names.indexOf(one)) ?? names.keys()
    const network = withAncestors(whole, [...wanted])
    const {parents} = network
    const degrees = parents.map((list, i) => list.length + parents.filter(other => other.includes(i)).length)
    return {name, network, maxParents: Math.max(...parents.map(list => list.length)), maxDegree: Math.max(...degrees)}
  })
}

function withAncestors({parents, cpt}: BayesNetwork, concepts: readonly number[]): BayesNetwork {
  const needed = new Set(concepts)
  for (const i of needed) for (const parent of parents[i]) needed.add(parent)
  const kept = parents.flatMap((_, i) => (needed.has(i) ? [i] : []))
  return {parents: kept.map(i => parents[i].map(k => kept.indexOf(k))), cpt: kept.map(i => cpt[i])}
}

/** Rates of an anchor: P(A = 1 | Y = 1) and P(A = 1 | Y = 0). */
interface AnchorNoise {
  readonly truePositive: number
  readonly falsePositive: number
}

/** How many of `count` documents fall into each cell of the concepts, or of their anchors; the first is the most significant bit. */
function drawCells(network: BayesNetwork, count: number, random: Rng, noise?: AnchorNoise): Float64Array {
  const state = new Uint8Array(network.parents.length)
  const draw = forwardSampler(network, random)
  const seen = (value: number) => {
    if (noise === undefined) return value
    return random.next() < (value === 1 ? noise.truePositive : noise.falsePositive) ? 1 : 0
  }
  const cells = new Float64Array(2 ** state.length)
  for (let n = 0; n < count; n++) {
    draw(state)
    cells[state.reduce((cell, value) => 2 * cell + seen(value), 0)]++
  }
  return cells
}

/** The counts of documents without words that fall into the cells of anchors. */
function countsOfCells(cells: Float64Array, noise: AnchorNoise): Counts {
  const m = Math.log2(cells.length)
  const rates = {kind: 'rates', ...noise} as const
  const anchors = Array.from({length: m}, (_, i) => ({concept: `y${i}`, any: [`a${i}`], not: [], rates}))
  const lexicon = {anchors, words: [], phrases: [], reading: textDefaults, filter: undefined, skipped: []}
  const filled = [...cells.keys()].filter(cell => cells[cell] > 0)
  const patterns = filled.map(cell => ({
    members: [...anchors.keys()].filter(i => (cell >> (m - 1 - i)) & 1),
    documents: cells[cell],
    ...{wordIds: [], wordCounts: []}
  }))
  return countsFromPatterns({lexicon, labelShare: 0, seed: 0}, patterns)
}

/** The table of some concepts, rising, out of that of all. */
function projected(cells: Float64Array, concepts: readonly number[]): Float64Array {
  const m = Math.log2(cells.length)
  const total = cells.reduce((sum, cell) => sum + cell, 0)
  const table = new Float64Array(2 ** concepts.length)
  for (let cell = 0; cell < cells.length; cell++) {
    let at = 0
    for (const i of concepts) at = 2 * at + ((cell >> (m - 1 - i)) & 1)
    table[at] += cells[cell] / total
  }
  return table
}
