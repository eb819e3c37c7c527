import type {LinearSolverOptions} from '../src/base/linear/index.ts'
import {rng} from '../src/base/numeric/index.ts'
import {fit} from '../src/learn/fit.ts'
import {learn} from '../src/learn/learn.ts'
import {anchorsWithRates, saveModel} from '../src/learn/model/index.ts'
import type {PolytopeName} from '../src/learn/moments/index.ts'
import {recoverMoments} from '../src/learn/moments/index.ts'
import {estimateNoise} from '../src/learn/noise/index.ts'
import {countCorpus} from '../src/read/counts/index.ts'
import {buildCorpus} from '../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../src/use/synthetic/index.ts'

const polytopes: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']

const structures = ['tree', 'indegree:2', 'degree:3'] as const

/** The text of the model file fitted to documents generated from a seed: the same on every platform. */
export async function fitGenerated(seed: number): Promise<string> {
  const random = rng(seed)
  const truth = randomModel({concepts: 8, words: 60, structure: 'indegree:2'}, random.stream('model'))
  const documents = generateDocuments(truth, 3000, random.stream('documents'))
  const corpus = buildCorpus(documents, truth.lexicon.anchors)
  const options = {noise: 'labels', network: structures[seed % 3], seed} as const
  return saveModel(await fit(countCorpus(corpus, {labelShare: 0.5}), options))
}

/** Rows with text and tags, drawn from a seed, their anchors without rates. */
export function textRows(seed: number) {
  const random = rng(seed)
  const truth = randomModel({concepts: 5, words: 40, prevalence: [0.1, 0.3]}, random.stream('model'))
  const rows = Array.from(generateDocuments(truth, 1200, random.stream('documents')), ({id, features, tags}, at) => ({
    id,
    text: [...features, ...(at % 2 === 0 ? tags : [])].join(' '),
    ward: at % 3 === 0 ? 'north' : 'south',
    tags
  }))
  const anchors = Object.fromEntries(
    truth.lexicon.anchors.map(({concept, any}) => [concept, any.map(name => `text:${name}`)])
  )
  return {rows, anchors}
}

/** Options of `learn`, each with the flags of `adfa fit` that mean the same. */
export const learnCases = [
  {flags: '', options: {}},
  {flags: '--noise labels --structure tree --seed 3', options: {noise: 'labels', network: 'tree', seed: 3}},
  {flags: '--preset paper --noise labels', options: {preset: 'paper', noise: 'labels'}},
  {
    flags: '--category ward --vocabulary 30 --max-share 0.4 --label-share 0.2 --intervals 4',
    options: {category: ['ward'], vocabulary: 30, maxShare: 0.4, labelShare: 0.2, intervals: 4}
  },
  {
    flags: '--anchors-from-tags text --top-tags 3 --min-tags 1 --of-top 4 --noise labels --skip-bad-anchors',
    options: {
      anchorsFromTags: ['text'],
      topTags: 3,
      minTags: 1,
      ofTop: 4,
      noise: 'labels',
      skipBadAnchors: true
    }
  }
] as const

/** The model file of one of the cases. */
export async function learnCase(at: number): Promise<string> {
  const {rows, anchors} = textRows(at)
  const {options} = learnCases[at]
  return saveModel(await learn(rows, 'anchorsFromTags' in options ? undefined : anchors, options))
}

/** Pairs and certificates of generated documents over every polytope, as text; 18 concepts are too many to enumerate. */
export async function recoverGenerated(seed: number): Promise<string> {
  const {counts, noise} = generated(seed, 18)
  return JSON.stringify(
    await Promise.all(
      polytopes.map(async polytope => {
        const moments = await recoverMoments(counts, noise, {polytope, seed})
        return {pair: [...moments.pair(0, 1)], certificate: moments.certificate}
      })
    )
  )
}

/** The objective over the cycle polytope by the paper's method, with linear programs by HiGHS where the page serves it. */
export async function recoverByPrograms(seed: number, control: LinearSolverOptions = {}): Promise<number> {
  const {counts, noise} = generated(seed, 5)
  const options = {polytope: 'cycle', solver: 'conditional-gradient', gap: 1e-4} as const
  return (await recoverMoments(counts, noise, options, control)).certificate.objective
}

function generated(seed: number, concepts: number) {
  const random = rng(seed)
  const truth = randomModel({concepts, words: 20}, random.stream('model'))
  const documents = generateDocuments(truth, 500, random.stream('documents'))
  const counts = countCorpus(buildCorpus(documents, anchorsWithRates(truth)))
  return {counts, noise: estimateNoise(counts, 'given')}
}
