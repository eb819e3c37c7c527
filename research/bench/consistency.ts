/**
 * Claim: with shrinkage 10/N the errors of pairs, failures and leaks fall like 1/sqrt(N), from a thousand documents to a million.
 * Compared with the fixed shrinkages of the paper (0.01 and 0.1), whose errors stop falling. `slope` is that of log rms error
 * over log N since the row above: -0.5 is 1/sqrt(N), 0 a plateau. Both are fitted to the same documents.
 */

import {directedNetwork, networkEdges, networkTable} from '../../src/base/network/index.ts'
import {rng} from '../../src/base/numeric/index.ts'
import {fit} from '../../src/learn/fit.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {anchorsWithRates} from '../../src/learn/model/index.ts'
import {recoverMoments} from '../../src/learn/moments/index.ts'
import {estimateNoise} from '../../src/learn/noise/index.ts'
import {type Counts, countCorpus, mergeCounts} from '../../src/read/counts/index.ts'
import {encodeCorpus, parseRow} from '../../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'
import {type BenchRow, record, rounded} from './record.ts'

const SHARD = 50_000

const sizes = [
  {documents: 1_000, replicates: 20},
  {documents: 10_000, replicates: 10},
  {documents: 100_000, replicates: 4},
  {documents: 1_000_000, replicates: 1}
]

const shrinkages = [
  {name: '10/N', shrinkage: '10/N', wordShrinkage: '10/N'},
  {name: 'fixed', shrinkage: 0.01, wordShrinkage: 0.1}
] as const

const truth = knownModel()

const measured = await Promise.all(
  sizes.map(async ({documents, replicates}) => {
    const samples = Array.from({length: replicates}, (_, replicate) => countDocuments(documents, replicate * documents))
    return {
      documents,
      replicates,
      errors: await Promise.all(
        shrinkages.map(async options => await Promise.all(samples.map(counts => errorsOf(counts, options))))
      )
    }
  })
)

const rows = shrinkages.flatMap(({name}, at) =>
  measured.map(({documents, replicates, errors}, row): BenchRow => {
    const above = row === 0 ? undefined : measured[row - 1]
    const slope = (part: Part) => {
      if (above === undefined) return '-'
      const fall = Math.log(rms(errors[at], part) / rms(above.errors[at], part))
      return (fall / Math.log(documents / above.documents)).toFixed(2)
    }
    return {
      shrinkage: name,
      documents,
      replicates,
      'pairs rms': rounded(rms(errors[at], 'pairs')),
      'pairs slope': slope('pairs'),
      'failures rms': rounded(rms(errors[at], 'failures')),
      'failures slope': slope('failures'),
      'leaks rms': rounded(rms(errors[at], 'leaks')),
      'leaks slope': slope('leaks'),
      'true trees': `${errors[at].filter(({isTrueTree}) => isTrueTree).length} of ${replicates}`
    }
  })
)

record('consistency', 'Errors fall like 1/sqrt(N) with shrinkage 10/N, and stop falling with a fixed one', rows)

function knownModel(): Model {
  const model = randomModel(
    {
      concepts: 8,
      words: 40,
      wordsPerConcept: 10,
      prevalence: [0.1, 0.3],
      edgeStrength: [1, 2.5],
      truePositive: [0.5, 0.9],
      falsePositive: [0.01, 0.05],
      failure: [0.3, 0.9],
      leak: [0.02, 0.2]
    },
    rng(1)
  )
  return {...model, lexicon: {...model.lexicon, anchors: anchorsWithRates(model)}}
}

/** Counts of documents `first` .. `first + count - 1`, a shard at a time, so that memory does not grow with them. */
function countDocuments(count: number, first: number): Counts {
  const shards: Counts[] = []
  for (let from = first; from < first + count; from += SHARD) {
    const documents = generateDocuments(truth, Math.min(SHARD, first + count - from), rng(2), {first: from})
    const parsed = Array.from(documents, document => parseRow(document, {fields: []}, document.id))
    shards.push(countCorpus(encodeCorpus(parsed, truth.lexicon)))
  }
  return mergeCounts(shards)
}

type Part = 'pairs' | 'failures' | 'leaks'

interface Errors extends Readonly<Record<Part, readonly number[]>> {
  readonly isTrueTree: boolean
}

async function errorsOf(counts: Counts, {shrinkage, wordShrinkage}: (typeof shrinkages)[number]): Promise<Errors> {
  const moments = await recoverMoments(counts, estimateNoise(counts, 'given'), {shrinkage})
  const pairs = truth.concepts.flatMap((_, i) =>
    truth.concepts
      .slice(0, i)
      .flatMap((_, k) => differences(moments.pair(i, k), networkTable(directedNetwork(truth.network), [i, k])))
  )
  const model = await fit(counts, {
    preset: 'paper',
    network: 'tree',
    polytope: 'simplex',
    shrinkage,
    wordShrinkage
  })
  return {
    pairs,
    failures: differences(model.loadings.failure, truth.loadings.failure),
    leaks: differences(model.loadings.leak, truth.loadings.leak),
    isTrueTree: edgeNames(model) === edgeNames(truth)
  }
}

function differences(found: Float64Array, expected: Float64Array): number[] {
  return Array.from(found, (value, at) => value - expected[at])
}

function rms(replicates: readonly Errors[], part: Part): number {
  const all = replicates.flatMap(errors => errors[part])
  return Math.sqrt(all.reduce((sum, error) => sum + error ** 2, 0) / all.length)
}

function edgeNames({network}: Model): string {
  const edges = networkEdges(network).map(([i, k]) => (i < k ? `${i}-${k}` : `${k}-${i}`))
  return edges.sort().join()
}
