import {expect, test} from 'vitest'
import {rng} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {buildCorpus} from '../read/data/index.ts'
import {generateDocuments, randomModel} from '../use/synthetic/index.ts'
import {fit} from './fit.ts'
import {anchorsWithRates} from './model/index.ts'
import type {FitOptions, Preset} from './presets.ts'
import {loadSolvers, solversFor} from './solvers.ts'

type Options = Partial<FitOptions> & {readonly preset?: Preset}

const own = {name: 'own', open: () => expect.unreachable()}
const known = {names: ['a'], parents: [[]]}

/** Options, the smallest number of concepts from which they need solvers, and what the error without them says. */
const cases: readonly [Options, number, RegExp?][] = [
  [{}, Number.POSITIVE_INFINITY],
  [{preset: 'paper'}, Number.POSITIVE_INFINITY],
  [{structure: 'pairs'}, Number.POSITIVE_INFINITY],
  [{structure: 'indegree:1'}, Number.POSITIVE_INFINITY],
  [{structure: known}, Number.POSITIVE_INFINITY],
  [{polytope: 'cycle'}, Number.POSITIVE_INFINITY],
  [{structure: 'indegree:2', search: 'greedy', polytope: 'cycle'}, Number.POSITIVE_INFINITY],
  [{structure: 'indegree:2', search: 'greedy'}, 2, /`polytope` 'local' with tables of three concepts needs solvers/],
  [{attractive: true}, 23, /`search` 'exact' of 23 concepts needs solvers/],
  [{structure: 'tree', attractive: true}, 23, /`search` 'exact' of 23 concepts needs solvers/],
  [{structure: 'indegree:2', polytope: 'simplex'}, 23, /`search` 'exact' of 23 concepts needs solvers/],
  [{structure: 'degree:1', polytope: 'simplex'}, 2, /`structure` 'degree:1' needs solvers/],
  [{polytope: 'marginal'}, 2, /`polytope` 'marginal' needs solvers/],
  [{polytope: own}, 2, /`polytope` of your own needs solvers/],
  [{solver: 'conditional-gradient'}, 2, /`solver` 'conditional-gradient' needs solvers/]
]

const corpora = new Map([2, 22, 23].map(concepts => [concepts, countsOf(concepts)]))

test.each(cases)('solversFor(%o, counts) loads them from %f concepts on', async (options, least) => {
  for (const [concepts, counts] of corpora)
    expect((await solversFor(options, counts)) !== undefined).toBe(concepts >= least)
})

test.each(cases.filter(([, least]) => Number.isFinite(least)))(
  'fit(counts, %o) of %i concepts without solvers says what needs them, and the way out',
  (options, least, message) => {
    const counts = corpora.get(least) ?? countsOf(least)
    const run = () => fit(counts, {noise: 'given', words: 'noisy-or', ...options})
    expect(run).toThrow(expect.objectContaining({code: 'bad-option', message: expect.stringMatching(message ?? /^$/)}))
    expect(run).toThrow('pass `solvers: await loadSolvers()`')
  }
)

test('loadSolvers() gives all that a fit may need', async () => {
  const solvers = await loadSolvers()
  const options = {noise: 'given', words: 'noisy-or', polytope: 'marginal', structure: 'degree:1'} as const
  expect(fit(countsOf(4), options, {solvers}).certificate.moments.status).toBe('optimal')
})

function countsOf(concepts: number) {
  const truth = randomModel({concepts, words: 30}, rng(concepts))
  return countCorpus(buildCorpus(generateDocuments(truth, 300, rng(1)), anchorsWithRates(truth)))
}
