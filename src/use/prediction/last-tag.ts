import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {type BayesNetwork, logPrior, parentState} from '../../base/network/index.ts'
import {log, log1p} from '../../base/numeric/index.ts'
import {
  buildTables,
  createWeightReader,
  type EvidenceUse,
  emptyFactors,
  type InferenceTables,
  readDocument,
  readGiven,
  wordModelOf
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {Evidence} from '../../read/data/index.ts'

/** What a word that nothing explains counts as: candidates are still ranked, fewest unexplained words first. */
const LOG_UNEXPLAINED = log(1e-300)

const lastTagDefaults: EvidenceUse = {wordModel: 'model', anchors: 'used', words: 'used'}

export interface LastTagScorer {
  /** One score a concept; `given` lists the concepts known to be present. */
  score(evidence: Evidence, given: readonly number[]): Float64Array
}

/**
 * Scores of the paper's last-tag task (section 5.4), exact, for many documents. Where words speak in log-odds, these are added
 * up ({@link createWeightReader}); in a noisy-or model:
 *
 * Candidate c gets log P(y') + log P(x | y') + log P(a | y'), y' = the given tags and c present, all others absent. A tag
 * already given is no candidate: -Infinity. Every other score is finite: a word that occurs and that nothing in y' can
 * switch on (leak 0) counts log 1e-300 in place of -Infinity. Hidden anchors or words leave their term out.
 * The given tags are folded into the leaks once, then each candidate changes only its own edges and its own and its
 * children's tables. Cost: O(edges of the words that occur + edges of the network), not that times the candidates.
 */
export function createLastTagScorer(model: Model, options: Partial<EvidenceUse> = {}): LastTagScorer {
  const use = withDefaults('last-tag scoring', lastTagDefaults, options)
  for (const name of ['anchors', 'words'] as const)
    if (use[name] !== 'used' && use[name] !== 'hidden')
      throw new AdfaError('bad-option', `last-tag option "${name}" must be 'used' or 'hidden'; got ${use[name]}`)
  const wordModel = wordModelOf(model, use.wordModel)
  return wordModel.kind === 'weights' ? createWeightReader(model, wordModel, use) : noisyOrScorer(model, use)
}

function noisyOrScorer(model: Model, use: EvidenceUse): LastTagScorer {
  const tables = buildTables(model)
  const m = tables.conceptCount
  const factors = emptyFactors(m)
  const known = new Int8Array(m)
  const y = new Int8Array(m)

  return {
    score(evidence, given) {
      readGiven(known, given)
      for (let i = 0; i < m; i++) y[i] = known[i] === 1 ? 1 : 0
      readDocument(factors, tables, evidence, {known, use})
      const {wordCount, start, leak, concept, weight, unary} = factors
      let base = factors.logConstant + factors.unexplainedWords * LOG_UNEXPLAINED + logPrior(tables.network, y)
      const scores = new Float64Array(m)
      for (let p = 0; p < wordCount; p++) {
        const l = leak[p]
        const logLeak = l > 0 ? log(l) : LOG_UNEXPLAINED
        base += logLeak
        for (let e = start[p]; e < start[p + 1]; e++) scores[concept[e]] += log(l + weight[e] * (1 - l)) - logLeak
      }
      for (let c = 0; c < m; c++)
        scores[c] = y[c] === 1 ? Number.NEGATIVE_INFINITY : scores[c] + base + unary[c] + priorGain(tables, y, c)
      return scores
    }
  }
}

/** {@link createLastTagScorer} for one document. */
export function scoreLastTag(
  model: Model,
  evidence: Evidence,
  given: readonly number[],
  options: Partial<EvidenceUse> = {}
): Float64Array {
  return createLastTagScorer(model, options).score(evidence, given)
}

/** log P(y with y_c = 1) - log P(y), for a y with y_c = 0; `y` is returned as it came. */
function priorGain({network, children}: InferenceTables, y: Int8Array, c: number): number {
  const own = network.cpt[c][parentState(network.parents[c], y)]
  let gain = log(own) - log1p(-own)
  for (const k of children[c]) gain -= logFamily(network, y, k)
  y[c] = 1
  for (const k of children[c]) gain += logFamily(network, y, k)
  y[c] = 0
  return gain
}

/** log P(y_k | its parents). */
function logFamily({parents, cpt}: BayesNetwork, y: Int8Array, k: number): number {
  const p = cpt[k][parentState(parents[k], y)]
  return log(y[k] === 1 ? p : 1 - p)
}

/** log P(x, a, y) of a document and a full assignment of its concepts; -Infinity when the model rules it out. */
export function logJoint(model: Model, evidence: Evidence, y: Int8Array | readonly number[]): number {
  const tables = buildTables(model)
  const factors = emptyFactors(tables.conceptCount)
  readDocument(factors, tables, evidence, {known: y, use: {anchors: 'used', words: 'used'}})
  const open = factors.known.indexOf(-1)
  if (open !== -1)
    throw new AdfaError('mismatch', `logJoint needs a full assignment, 0 or 1 a concept; concept ${open} is unknown`)
  if (factors.unexplainedWords > 0) return Number.NEGATIVE_INFINITY
  return factors.logConstant + logPrior(model.network, factors.known)
}
