import {loadLinearSolver} from '../src/base/linear/index.ts'
import {rng} from '../src/base/numeric/index.ts'
import {fit} from '../src/learn/fit.ts'
import {anchorsWithRates, saveModel} from '../src/learn/model/index.ts'
import {recoverMoments} from '../src/learn/moments/index.ts'
import {estimateNoise} from '../src/learn/noise/index.ts'
import type {PolytopeName} from '../src/learn/polytopes/index.ts'
import {countCorpus} from '../src/read/counts/index.ts'
import {buildCorpus} from '../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../src/use/synthetic/index.ts'

const polytopes: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

const structures = ['tree', 'indegree:2', 'degree:3'] as const

/** The text of the model file fitted to documents that are generated from a seed: the same wherever it runs. */
export function fitGenerated(seed: number): string {
  const random = rng(seed)
  const truth = randomModel({concepts: 8, words: 60, structure: 'indegree:2'}, random.stream('model'))
  const documents = generateDocuments(truth, 3000, random.stream('documents'))
  const corpus = buildCorpus(documents, truth.lexicon.anchors)
  return saveModel(
    fit(countCorpus(corpus, {labelShare: 0.5}), {noise: 'labels', structure: structures[seed % 3], seed})
  )
}

/** Pairs and certificates of generated documents over every polytope, as text; 18 concepts are too many to enumerate. */
export function recoverGenerated(seed: number): string {
  const {counts, noise} = generated(seed, 18)
  return JSON.stringify(
    polytopes.map(polytope => {
      const moments = recoverMoments(counts, noise, {polytope, seed})
      return {pair: [...moments.pair(0, 1)], certificate: moments.certificate}
    })
  )
}

/** The objective over the cycle polytope by the paper's method, with linear programs. */
export async function recoverByPrograms(seed: number, wasmUrl?: string): Promise<number> {
  const linearSolver = await loadLinearSolver(wasmUrl === undefined ? {} : {wasmUrl})
  const {counts, noise} = generated(seed, 5)
  const options = {polytope: 'cycle', solver: 'conditional-gradient', gap: 1e-4} as const
  return recoverMoments(counts, noise, options, {linearSolver}).certificate.objective
}

function generated(seed: number, concepts: number) {
  const random = rng(seed)
  const truth = randomModel({concepts, words: 20}, random.stream('model'))
  const documents = generateDocuments(truth, 500, random.stream('documents'))
  const counts = countCorpus(buildCorpus(documents, anchorsWithRates(truth)))
  return {counts, noise: estimateNoise(counts, 'given')}
}
