/**
 * Claim: the best network in which a concept has at most two parents, proven, for 50 concepts of real corpora in seconds.
 * Compared with the same problem as one integer program, solved by HiGHS without cluster rows (the better of two forms, see
 * plain-program.ts), and with all graphs one by one for five concepts. `subsets` is dynamic programming, `program`
 * the integer program with cluster rows, `climbing` hill climbing over orders, which proves nothing: `behind` is how many nats it lacks.
 * Everything is stopped after a minute and then shows its proven gap, in nats. Seconds are processor time, since a machine is seldom
 * idle for minutes of search. The penalty of BIC is 1/2 unless stated. Corpora, score files and the samples of alarm are
 * left out if they are not next to the checkout.
 */

import {loadLinearSolver} from '../../src/base/linear/index.ts'
import {rng} from '../../src/base/numeric/index.ts'
import {type FamilyScores, searchExact, searchGreedy} from '../../src/learn/structure/index.ts'
import {searchInteger} from '../../src/learn/structure/search-integer.ts'
import {bestByBruteForce} from '../../src/learn/structure/test-scores.ts'
import {type PlainResult, processorSeconds, solvePlain} from './plain-program.ts'
import {type BenchRow, record, rounded} from './record.ts'
import {alarm, generated, libraryIsThere, type Problem, realCorpus, scoreFile} from './structure-problems.ts'

const LIMIT = 60
/** The most concepts for dynamic programming, and for the exact search. */
const SUBSETS = 22
const PROVEN = 60

const solver = await loadLinearSolver()
const rows: BenchRow[] = []
for await (const {isPlain, ...problem} of problems()) {
  rows.push(measure(problem, isPlain))
  console.log(JSON.stringify(rows.at(-1)))
}
record('structure', 'The best network of in-degree 2 for 50 concepts of real corpora, proven, in seconds', rows)

/** One at a time: the scores of large problems take much memory. `isPlain`: run the plain program, which takes two minutes? */
async function* problems(): AsyncGenerator<Problem & {readonly isPlain: boolean}> {
  for (const concepts of [5, 10, 20, 30, 40, 50]) yield {...(await generated(concepts, 0.5)), isPlain: true}
  for (const concepts of [30, 50]) yield {...(await generated(concepts, 1)), isPlain: false}
  for (const concepts of [100, 200]) yield {...(await generated(concepts, 0.5)), isPlain: false}
  if (!libraryIsThere) return
  for (const file of ['asia_10000.dat.3.jkl', 'wine.BIC.3']) yield {...scoreFile(file), isPlain: true}
  yield {...alarm(2), isPlain: true}
  for (const concepts of [10, 20, 30, 50])
    yield {...(await realCorpus('stackoverflow-titles', concepts)), isPlain: concepts === 50}
  for (const corpus of ['stackoverflow-bodies', 'cooking', 'debian-packages', 'npm-packages', 'robotics'])
    yield {...(await realCorpus(corpus, 50)), isPlain: false}
  for (const corpus of ['stackoverflow-titles', 'npm-packages'])
    yield {...(await realCorpus(corpus, 50, 'noise-aware')), isPlain: false}
}

function measure({problem, scores}: Problem, isPlain: boolean): BenchRow {
  const climbing = timed(() => searchGreedy(scores, rng(0)))
  const subsets = scores.length <= SUBSETS ? timed(() => searchExact(scores)) : undefined
  const program = scores.length <= PROVEN ? timed(() => searchProgram(scores)) : undefined
  const graphs = scores.length <= 5 ? timed(() => bestByBruteForce(scores)) : undefined
  const best = program?.result.score ?? climbing.result.score
  for (const other of [subsets?.result.score ?? best, graphs?.result ?? best])
    if (Math.abs(other - best) > 1e-6 * Math.abs(best)) throw new Error(`${problem}: scores differ: ${best}, ${other}`)
  const plain = isPlain
    ? better(solvePlain(scores, 'places', solver, LIMIT), solvePlain(scores, 'pairs', solver, LIMIT))
    : undefined
  return {
    problem,
    concepts: scores.length,
    families: scores.reduce((sum, families) => sum + families.length, 0),
    'subsets s': subsets === undefined ? '-' : rounded(subsets.seconds),
    'program s': program === undefined ? '-' : rounded(program.seconds),
    gap: program === undefined ? '-' : rounded(program.result.gap),
    'simplex steps': program === undefined ? '-' : program.result.steps,
    'climbing s': rounded(climbing.seconds),
    behind: program === undefined ? '-' : rounded(Math.max(0, best - climbing.result.score)),
    ...besides(
      plain,
      graphs?.seconds,
      Math.min(subsets?.seconds ?? Number.POSITIVE_INFINITY, program?.seconds ?? LIMIT),
      best
    )
  }
}

/** The columns of the others; `ours` is the faster of the two exact searches. */
function besides(plain: PlainResult | undefined, graphs: number | undefined, ours: number, best: number): BenchRow {
  const all = {'all graphs s': graphs === undefined ? '-' : rounded(graphs)}
  if (plain === undefined) return {'plain program s': '-', 'plain gap': '-', 'plain behind': '-', ratio: '-', ...all}
  const behind = rounded(Math.max(0, best - plain.score))
  if (plain.proven)
    return {
      'plain program s': rounded(plain.seconds),
      'plain gap': 0,
      'plain behind': behind,
      ratio: rounded(plain.seconds / ours),
      ...all
    }
  const ratio = ours < LIMIT ? `> ${rounded(LIMIT / ours)}` : '-'
  return {'plain program s': `> ${LIMIT}`, 'plain gap': rounded(plain.gap), 'plain behind': behind, ratio, ...all}
}

function searchProgram(scores: FamilyScores) {
  const end = processorSeconds() + LIMIT
  return searchInteger(scores, solver, {stop: () => processorSeconds() > end})
}

function better(a: PlainResult, b: PlainResult): PlainResult {
  if (a.proven !== b.proven) return a.proven ? a : b
  return (a.proven ? a.seconds <= b.seconds : a.gap <= b.gap) ? a : b
}

function timed<T>(work: () => T): {result: T; seconds: number} {
  const started = processorSeconds()
  return {result: work(), seconds: processorSeconds() - started}
}
