/**
 * Claim: the best network in which a concept has at most two parents, proven, for 50 concepts of real corpora in seconds.
 * Beside it: the same problem as one integer program, handed to HiGHS without cluster cuts (the better of two forms, see
 * plain-program.ts), and all graphs one by one where there are five concepts. `subsets` is dynamic programming, `program`
 * branch and cut, `climbing` hill climbing over orders, which proves nothing: `behind` is how many nats it lacks.
 * Everything is stopped after a minute and then shows the gap that is proven, in nats. Corpora, score files and the samples of
 * alarm are left out where they do not lie beside the checkout.
 */
import {type FamilyScores, loadLinearSolver, rng, searchExact, searchGreedy, searchInteger} from 'adfa'
import {bestByBruteForce} from '../src/structure/test-scores.ts'
import {type PlainResult, solvePlain} from './plain-program.ts'
import {type BenchRow, record, rounded} from './record.ts'
import {alarm, generated, libraryIsThere, type Problem, realCorpus, scoreFile} from './structure-problems.ts'

const LIMIT = 60
/** The most concepts that dynamic programming takes, and that the exact search is tried on. */
const SUBSETS = 22
const PROVEN = 60

const solver = await loadLinearSolver()
const rows: BenchRow[] = []
for await (const {name, isPlain, ...problem} of problems()) {
  rows.push(measure(problem, name, isPlain))
  console.log(JSON.stringify(rows.at(-1)))
}
record('structure', 'The best network of in-degree 2 for 50 concepts of real corpora, proven, in seconds', rows)

/** One at a time: the scores of large problems take much memory. `isPlain`: is it worth minutes of the plain program? */
async function* problems(): AsyncGenerator<Problem & {readonly name: string; readonly isPlain: boolean}> {
  for (const concepts of [5, 10, 20, 30, 50]) yield {...generated(concepts, 0.5), name: '1/2', isPlain: true}
  for (const concepts of [30, 50]) yield {...generated(concepts, 1), name: '1', isPlain: true}
  for (const concepts of [100, 200]) yield {...generated(concepts, 0.5), name: '1/2', isPlain: concepts === 100}
  if (!libraryIsThere) return
  for (const file of ['asia_10000.dat.3.jkl', 'wine.BIC.3']) yield {...scoreFile(file), name: 'file', isPlain: true}
  yield {...alarm(2), name: '1/2', isPlain: true}
  for (const concepts of [10, 20, 30, 50])
    yield {...(await realCorpus('stackoverflow-titles', concepts, 0.5)), name: '1/2', isPlain: true}
  for (const corpus of ['stackoverflow-bodies', 'cooking', 'debian-packages', 'npm-packages', 'robotics'])
    yield {...(await realCorpus(corpus, 50, 0.5)), name: '1/2', isPlain: false}
}

function measure({problem, scores}: Problem, penalty: string, isPlain: boolean): BenchRow {
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
    penalty,
    concepts: scores.length,
    families: scores.reduce((sum, families) => sum + families.length, 0),
    'subsets s': subsets === undefined ? '-' : rounded(subsets.seconds),
    'program s': program === undefined ? '-' : rounded(program.seconds),
    gap: program === undefined ? '-' : rounded(program.result.gap),
    'simplex steps': program === undefined ? '-' : program.result.steps,
    'climbing s': rounded(climbing.seconds),
    behind: program === undefined ? '-' : rounded(Math.max(0, best - climbing.result.score)),
    ...besides(plain, graphs?.seconds, program?.seconds, best)
  }
}

function besides(
  plain: PlainResult | undefined,
  graphs: number | undefined,
  program: number | undefined,
  best: number
): BenchRow {
  const limit = `> ${LIMIT}`
  return {
    'plain program s': plain === undefined ? '-' : plain.proven ? rounded(plain.seconds) : limit,
    'plain gap': plain === undefined ? '-' : plain.proven ? 0 : rounded(plain.gap),
    'plain behind': plain === undefined ? '-' : rounded(Math.max(0, best - plain.score)),
    ratio:
      plain === undefined || program === undefined
        ? '-'
        : plain.proven
          ? rounded(plain.seconds / program)
          : program < LIMIT
            ? `> ${rounded(LIMIT / program)}`
            : '-',
    'all graphs s': graphs === undefined ? '-' : rounded(graphs)
  }
}

function searchProgram(scores: FamilyScores) {
  const end = performance.now() + 1000 * LIMIT
  return searchInteger(scores, solver, rng(0), {stop: () => performance.now() > end})
}

function better(a: PlainResult, b: PlainResult): PlainResult {
  if (a.proven !== b.proven) return a.proven ? a : b
  return (a.proven ? a.seconds <= b.seconds : a.gap <= b.gap) ? a : b
}

function timed<T>(work: () => T): {result: T; seconds: number} {
  const started = performance.now()
  return {result: work(), seconds: (performance.now() - started) / 1000}
}
