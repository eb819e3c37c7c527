import {
  type Anchors,
  type Counts,
  countCorpus,
  estimateNoise,
  type LatentNetwork,
  learnStructure,
  logPrior,
  type Moments,
  type PolytopeName,
  type Pull,
  recoverMoments,
  type SolveStatus
} from 'adfa'
import {anchorLexicon, type TaggedDocument} from './polytopes-data.ts'

export const polytopes: readonly PolytopeName[] = ['simplex', 'local', 'cycle', 'marginal']
export const oracles = ['oracle tree', 'oracle independent'] as const
export type Method = PolytopeName | (typeof oracles)[number]

/** One point of the figure or cell of a table. */
export interface Result {
  readonly data: 'real' | 'generated'
  readonly seed: number
  /** Training documents. */
  readonly size: number
  readonly heldOut: number
  readonly method: Method
  readonly pull: Pull
  /** Mean log P(tags) of a held-out document, in nats. */
  readonly logLikelihood: number
  readonly objective: number
  /** Certified, of `objective`. */
  readonly gap: number
  readonly status: SolveStatus
  readonly seconds: number
}

/** What is the same for all methods on one training set. */
export interface Setting extends Pick<Result, 'data' | 'seed' | 'pull'> {
  readonly anchors: Anchors
  readonly training: readonly TaggedDocument[]
  readonly heldOut: readonly TaggedDocument[]
  readonly gap: number
  readonly timeLimit: number
}

/** Learn a tree from anchors with the moments of one polytope, and score it on held-out tags. */
export function measurePolytope(setting: Setting, polytope: PolytopeName): {result: Result; network: LatentNetwork} {
  const {anchors, training, pull, gap, timeLimit} = setting
  const counts = countsOf(
    anchors,
    training.map(document => document.anchors)
  )
  const limits = polytope === 'marginal' ? {gap, timeLimit} : {timeLimit}
  const moments = recoverMoments(counts, estimateNoise(counts, 'given'), {polytope, pull, ...limits}, {clock})
  const {network} = learnStructure(moments, 'tree')
  return {result: scored(setting, polytope, moments, network), network}
}

/**
 * The same learner on the true tags of the same training documents, each tag its own perfect anchor. The pull then says:
 * mix in lambda N documents with independent tags.
 */
export function measureOracle(setting: Setting, method: (typeof oracles)[number]): Result {
  const {anchors, training, pull} = setting
  const rates = {kind: 'rates', truePositive: 1 - 1e-9, falsePositive: 1e-9} as const
  const counts = countsOf(
    anchors.map(anchor => ({...anchor, rates})),
    training.map(document => document.tags)
  )
  const moments = recoverMoments(counts, estimateNoise(counts, 'given'), {polytope: 'simplex', pull}, {clock})
  const {network} = learnStructure(moments, method === 'oracle tree' ? 'tree' : 'independent')
  return scored(setting, method, moments, network)
}

function clock(): number {
  return performance.now() / 1000
}

export function countsOf(anchors: Anchors, fired: readonly (readonly number[])[]): Counts {
  const documents = fired.map((list, at) => ({
    key: String(at),
    evidence: {words: [], anchors: list, members: list},
    truth: undefined
  }))
  return countCorpus({lexicon: anchorLexicon(anchors), documents})
}

function scored(setting: Setting, method: Method, {certificate}: Moments, network: LatentNetwork): Result {
  const {data, seed, pull, training, heldOut} = setting
  const {objective, gap, status, seconds = 0} = certificate
  return {
    data,
    seed,
    size: training.length,
    heldOut: heldOut.length,
    method,
    pull,
    logLikelihood: meanLogPrior(network, heldOut),
    objective,
    gap,
    status,
    seconds: Number(seconds.toPrecision(3))
  }
}

export function meanLogPrior(network: LatentNetwork, documents: readonly TaggedDocument[]): number {
  const y = new Uint8Array(network.parents.length)
  let sum = 0
  for (const {tags} of documents) {
    y.fill(0)
    for (const i of tags) y[i] = 1
    sum += logPrior(network, y)
  }
  return sum / documents.length
}
