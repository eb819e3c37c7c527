import {AdfaError} from '../../base/checks/index.ts'
import {type BayesNetwork, eliminationOrder, junctionTree} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import type {BlanketMoments, TableCertificate, WordMoments} from '../moments/index.ts'
import {failureDirect} from './failure.ts'
import {failureBlanket, markovBlanket} from './failure-blanket.ts'
import {failureNetwork} from './failure-network.ts'
import {clipFailure} from './loadings.ts'
import {sampledSums} from './sampled-sums.ts'

/** The moments of a concept and the members of its Markov blanket with every word. */
export type RecoverBlanket = (concept: number, blanket: readonly number[]) => BlanketMoments

export interface GraphOptions {
  /** Concepts with a Markov blanket of more members than this use the network estimator; with 0 all do. */
  readonly blanketLimit: number
  /** For the draws that stand for P(Y) where it is too wide for exact sums. */
  readonly random: Rng
  /** Cells of the junction tree beyond which P(Y) is drawn. */
  readonly treeLimit?: number
  readonly samples?: number
}

/** How the failures of a graph that is no forest were had. */
export interface GraphCertificate extends BlanketCertificate {
  readonly blanketLimit: number
  /** How many concepts have their failures from the network as a whole. */
  readonly networkConcepts: number
  /** Sums over P(Y) are exact, or over so many draws. */
  readonly sums: 'exact' | {readonly samples: number}
  readonly steps: number
  /** The largest relative change that one more round would make in a failure. */
  readonly residual: number
  /** Words that stopped above the tolerance for it, 1e-10. */
  readonly wordsUnfinished: number
}

interface BlanketCertificate {
  /** The concepts, by number, whose failures come from their Markov blankets. */
  readonly blanketConcepts: readonly number[]
  /** Settings of these blankets, counted for every word, and those of them without the documents it takes. */
  readonly settings: number
  readonly settingsLeftOut: number
  /** Of the moments of these blankets, summed. */
  readonly blanketGap: number
  readonly blanketStatus: TableCertificate['status']
}

/** A pass through more cells takes longer than one over the draws. */
const TREE_LIMIT = 2 ** 18
const SAMPLES = 20_000

/**
 * Failures for any graph: of concepts within the limit by {@link failureBlanket}, one after the other, then of the rest by
 * {@link failureNetwork}, the first staying fixed. Unclipped, `i*n + j`.
 */
export function failureGraph(
  moments: WordMoments,
  network: BayesNetwork,
  options: GraphOptions,
  recoverBlanket: RecoverBlanket | undefined
): {readonly failure: Float64Array; readonly certificate: GraphCertificate} {
  const {conceptCount: m, wordCount: n} = moments
  const {blanketLimit} = options
  const {rows, certificate} = poolBlankets(network, blanketLimit, recoverBlanket)
  const fixed = new Map([...rows].map(([i, row]) => [i, row.map(clipFailure)]))
  const tree = junctionTreeWithin(network, options.treeLimit ?? TREE_LIMIT)
  const samples = options.samples ?? SAMPLES
  const sums = tree ?? sampledSums(network, samples, options.random)
  const {failure, steps, residual, unfinished} = failureNetwork(sums, failureDirect(moments), n, fixed)
  for (const [i, row] of rows) failure.set(row, i * n)
  return {
    failure,
    certificate: {
      blanketLimit,
      ...certificate,
      networkConcepts: m - rows.size,
      sums: tree === undefined ? {samples} : 'exact',
      steps,
      residual,
      wordsUnfinished: unfinished
    }
  }
}

function junctionTreeWithin(network: BayesNetwork, size: number) {
  return eliminationOrder(network).size > size ? undefined : junctionTree(network)
}

/** The blanket estimates of every concept within the limit; each blanket's tables are let go before the next. */
function poolBlankets(
  {parents}: BayesNetwork,
  limit: number,
  recoverBlanket: RecoverBlanket | undefined
): {readonly rows: ReadonlyMap<number, Float64Array>; readonly certificate: BlanketCertificate} {
  const rows = new Map<number, Float64Array>()
  let settings = 0
  let settingsLeftOut = 0
  let blanketGap = 0
  let blanketStatus: TableCertificate['status'] = 'optimal'
  for (let i = 0; i < parents.length && limit > 0; i++) {
    const blanket = markovBlanket(parents, i)
    if (blanket.length > limit) continue
    if (recoverBlanket === undefined)
      throw new AdfaError(
        'bad-option',
        `learnLoadings: a blanketLimit of ${limit} needs moments of Markov blankets; give it a function that recovers them ` +
          '(recoverBlanketMoments), or a blanketLimit of 0'
      )
    const moments = recoverBlanket(i, blanket)
    const pooled = failureBlanket(moments)
    rows.set(i, pooled.failure)
    settings += pooled.settings
    settingsLeftOut += pooled.settingsLeftOut
    blanketGap += moments.certificate.gap
    if (moments.certificate.status !== 'optimal') blanketStatus = moments.certificate.status
  }
  return {rows, certificate: {blanketConcepts: [...rows.keys()], settings, settingsLeftOut, blanketGap, blanketStatus}}
}
