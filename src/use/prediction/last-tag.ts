import {logPrior, priorLogOdds} from '../../base/network/index.ts'
import {log} from '../../base/numeric/index.ts'
import {
  buildTables,
  checkInferenceOptions,
  type EvidenceUse,
  MIN_LEAK,
  readDocument,
  readGiven,
  WeightReader,
  wordModelOf
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {classGroups, excludeCandidates} from '../../learn/votes/index.ts'
import type {Evidence} from '../../read/data/index.ts'

export interface LastTagScorer {
  /** One score per concept; `given` lists the tags other than the missing one. */
  score(evidence: Evidence, given: readonly number[]): Float64Array
}

/**
 * Scores of the paper's last-tag task (section 5.4), exact, for many documents. Word weights are
 * summed ({@link WeightReader}); in a noisy-or model:
 *
 * Candidate c gets log P(y') + log P(x | y') + log P(a | y'), y' = the given tags and c present, all others absent. A tag
 * already given scores -Infinity, and so does one that exclusive groups rule out. Every other score is finite: a word that
 * occurs and that nothing in y' can switch on has {@link MIN_LEAK}, so fewer unexplained words rank first. Hidden anchors or words drop their term.
 * The given tags are folded into the leaks once; each candidate then changes only its own edges, its table and its
 * children's. Cost: O(edges of the words that occur + edges of the network), not that times the candidates.
 */
export function createLastTagScorer(model: Model, options: Partial<EvidenceUse> = {}): LastTagScorer {
  const use = checkInferenceOptions(options)
  const wordModel = wordModelOf(model, use.wordModel)
  if (wordModel.kind !== 'noisy-or') {
    const reader = new WeightReader(model, wordModel, use)
    return {score: (evidence, given) => reader.score(evidence, given)}
  }
  const groups = classGroups(model)
  const tables = buildTables(model)
  const {conceptCount: m, network, children} = tables
  const labels = new Int8Array(m)
  return {
    score(evidence, given) {
      readGiven(labels, given)
      const y = labels.map(label => (label === 1 ? 1 : 0))
      const factors = readDocument(tables, evidence, use, labels)
      const {wordCount, start, leak, concept, weight, unary} = factors
      let base = factors.logConstant + logPrior(network, y)
      const scores = new Float64Array(m)
      for (let p = 0; p < wordCount; p++) {
        const l = leak[p]
        const logLeak = log(Math.max(l, MIN_LEAK))
        base += logLeak
        for (let e = start[p]; e < start[p + 1]; e++) scores[concept[e]] += log(l + weight[e] * (1 - l)) - logLeak
      }
      for (let c = 0; c < m; c++)
        scores[c] =
          y[c] === 1 ? Number.NEGATIVE_INFINITY : scores[c] + base + unary[c] + priorLogOdds(network, children[c], y, c)
      excludeCandidates(groups, given, scores)
      return scores
    }
  }
}
