import {AdfaError} from '../../base/checks/index.ts'
import type {BayesNetwork} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import type {BlanketMoments, TableCertificate, WordMoments} from '../moments/index.ts'
import {failureBlanket, failureDirect, markovBlanket} from './failure.ts'
import {failureNetwork, networkSums, type SumMethod} from './failure-network.ts'
import {clipFailure} from './loadings.ts'

/** The moments of a concept and the members of its Markov blanket with every word. */
export type RecoverBlanket = (concept: number, blanket: readonly number[]) => BlanketMoments

export interface GraphOptions {
  /** Concepts with a larger Markov blanket use the network estimator; with 0 all do. */
  readonly blanketLimit: number
  /** For the draws that replace P(Y) where it is too wide for exact sums. */
  readonly random: Rng
  /** Cells of the junction tree beyond which P(Y) is sampled. */
  readonly treeLimit?: number
  readonly samples?: number
}

/** How the failures of a graph that is not a forest were estimated. */
export interface GraphCertificate extends BlanketCertificate {
  readonly blanketLimit: number
  /** The number of concepts whose failures come from the network as a whole. */
  readonly networkConcepts: number
  /** Of P(Y). */
  readonly sums: SumMethod
  readonly steps: number
  /** The largest relative change of a failure in one more round. */
  readonly residual: number
  /** Words that stopped above a residual of 1e-10. */
  readonly wordsUnfinished: number
}

interface BlanketCertificate {
  /** The concepts, by number, whose failures come from their Markov blankets. */
  readonly blanketConcepts: readonly number[]
  /** Settings of these blankets, counted per word, and those with too few documents. */
  readonly settings: number
  readonly settingsLeftOut: number
  /** Of the moments of these blankets, summed. */
  readonly blanketGap: number
  readonly blanketStatus: TableCertificate['status']
}

/** Beyond this many cells a pass through the junction tree takes longer than one over the draws. */
const TREE_LIMIT = 2 ** 18

/**
 * Failures for any graph: of concepts within the limit by {@link failureBlanket}, one by one, then of the rest by
 * {@link failureNetwork}, with the first held fixed. Unclipped, `i*n + j`.
 */
export function failureGraph(
  moments: WordMoments,
  network: BayesNetwork,
  options: GraphOptions,
  recoverBlanket: RecoverBlanket | undefined
): {readonly failure: Float64Array; readonly certificate: GraphCertificate} {
  const {conceptCount: m, wordCount: n} = moments
  const {blanketLimit, random, treeLimit = TREE_LIMIT, ...sampling} = options
  const {rows, certificate} = poolBlankets(network, blanketLimit, recoverBlanket)
  const fixed = new Map([...rows].map(([i, row]) => [i, row.map(clipFailure)]))
  const {sums, method} = networkSums(network, random, {treeLimit, ...sampling})
  const {failure, steps, residual, unfinished} = failureNetwork(sums, failureDirect(moments), n, fixed)
  for (const [i, row] of rows) failure.set(row, i * n)
  return {
    failure,
    certificate: {
      blanketLimit,
      ...certificate,
      networkConcepts: m - rows.size,
      sums: method,
      steps,
      residual,
      wordsUnfinished: unfinished
    }
  }
}

/** The blanket estimates of every concept within the limit; each blanket's tables are freed before the next. */
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
        `learnLoadings: \`blanketLimit\` ${limit} needs moments of Markov blankets; pass a function that recovers them ` +
          '(recoverBlanketMoments), or set `blanketLimit` to 0'
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
