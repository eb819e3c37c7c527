/**
 * Claim: the best network in which a concept has at most two parents, proven, for 50 concepts of real corpora in seconds.
 * `subsets` is dynamic programming, `program` the integer program with cluster rows, `all graphs` one by one for five concepts: they
 * must agree. `climbing` is hill climbing over orders, which proves nothing: `behind` is how many nats it lacks. Everything is stopped
 * after a minute and then shows its proven gap, in nats. Seconds are processor time, since a machine is seldom idle for minutes of
 * search. The penalty of BIC is 1/2 unless stated. Corpora are left out if they are not next to the checkout.
 */
import {existsSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {loadLinearSolver} from '../../src/base/linear/index.ts'
import {rng} from '../../src/base/numeric/index.ts'
import {allRates, recoverMoments} from '../../src/learn/moments/index.ts'
import {usableNoise} from '../../src/learn/noise/index.ts'
import {
  bicScores,
  type FamilyScores,
  parameterCount,
  type StructureScore,
  searchExact,
  searchGreedy
} from '../../src/learn/structure/index.ts'
import {searchInteger} from '../../src/learn/structure/search-integer.ts'
import {bestByBruteForce} from '../../src/learn/structure/test-scores.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments} from '../../src/read/files/index.ts'
import {dataFolder} from '../quality/corpora.ts'
import {type BenchRow, processorSeconds, record, rounded, strayCounts, timed} from './bench.ts'

const LIMIT = 60
/** The most concepts for dynamic programming, and for the exact search. */
const SUBSETS = 22
const PROVEN = 60

interface Problem {
  readonly problem: string
  readonly scores: FamilyScores
}

const solver = await loadLinearSolver()
const rows: BenchRow[] = []
// One at a time: the scores of large problems take much memory.
for await (const problem of problems()) {
  rows.push(await measure(problem))
  console.log(JSON.stringify(rows.at(-1)))
}
record('structure', 'The best network of in-degree 2 for 50 concepts of real corpora, proven, in seconds', rows)

async function* problems(): AsyncGenerator<Problem> {
  for (const concepts of [5, 10, 20, 30, 40, 50]) yield generated(concepts, 0.5)
  for (const concepts of [30, 50]) yield generated(concepts, 1)
  for (const concepts of [100, 200]) yield generated(concepts, 0.5)
  if (!existsSync(dataFolder)) return
  for (const concepts of [10, 20, 30, 50]) yield realCorpus('stackoverflow-titles', concepts)
  for (const corpus of ['stackoverflow-bodies', 'cooking', 'debian-packages', 'npm-packages', 'robotics'])
    yield realCorpus(corpus, 50)
  for (const corpus of ['stackoverflow-titles', 'npm-packages']) yield realCorpus(corpus, 50, 'noise-aware')
}

/** Anchors of a random tree of concepts, well specified; moments of order 3 over the simplex. */
async function generated(concepts: number, penalty: number): Promise<Problem> {
  const problem = penalty === 1 ? 'generated, penalty 1' : 'generated'
  return {problem, scores: await scoresOf(strayCounts(concepts, 20_000, 0), penalty)}
}

/** The commonest tags of a corpus, each with its own name in a field as its anchor, rates from the tags. */
async function realCorpus(name: string, concepts: number, score: StructureScore = 'bic'): Promise<Problem> {
  const fields = name === 'npm-packages' ? ['title', 'text'] : ['title']
  const source = openDocuments([fileURLToPath(new URL(`${name}.jsonl.gz`, dataFolder))], {text: fields})
  const options = {text: fields, labelShare: 1, vocabulary: 1, skipBadAnchors: true}
  const counts = await countDocuments(source, {kind: 'tags', fields, topTags: concepts}, options)
  await source.close()
  return {problem: score === 'bic' ? name : `${name}, ${score}`, scores: await scoresOf(counts, 0.5, score)}
}

/** Plain BIC on tables of the simplex; the noise-aware score of `fit` on those of the local polytope. */
async function scoresOf(given: Counts, penalty: number, score: StructureScore = 'bic'): Promise<FamilyScores> {
  const {counts, noise} = usableNoise(given, 'labels', {})
  const {table} = await recoverMoments(counts, noise, {polytope: score === 'bic' ? 'simplex' : 'local'})
  const rates = allRates(noise)
  const parameters = parameterCount(score, table, rates)
  return bicScores(table, rates.length, counts.documentCount, {penalty, parameters})
}

async function measure({problem, scores}: Problem): Promise<BenchRow> {
  const climbing = await timed(() => searchGreedy(scores, rng(0)))
  const subsets = scores.length <= SUBSETS ? await timed(() => searchExact(scores)) : undefined
  const program = scores.length <= PROVEN ? await timed(() => searchProgram(scores)) : undefined
  const graphs = scores.length <= 5 ? await timed(() => bestByBruteForce(scores)) : undefined
  const best = program?.value.score ?? climbing.value.score
  for (const other of [subsets?.value.score ?? best, graphs?.value ?? best])
    if (Math.abs(other - best) > 1e-6 * Math.abs(best)) throw new Error(`${problem}: scores differ: ${best}, ${other}`)
  const shown = (value: number | undefined) => (value === undefined ? '-' : rounded(value))
  return {
    problem,
    concepts: scores.length,
    families: scores.reduce((sum, families) => sum + families.length, 0),
    'subsets s': shown(subsets?.seconds),
    'program s': shown(program?.seconds),
    gap: shown(program?.value.gap),
    'simplex steps': program?.value.steps ?? '-',
    'climbing s': rounded(climbing.seconds),
    behind: program === undefined ? '-' : rounded(Math.max(0, best - climbing.value.score)),
    'all graphs s': shown(graphs?.seconds)
  }
}

function searchProgram(scores: FamilyScores) {
  const end = processorSeconds() + LIMIT
  return searchInteger(scores, solver, {stop: () => processorSeconds() > end})
}
