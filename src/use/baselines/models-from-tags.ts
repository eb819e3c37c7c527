import type {BayesNetwork} from '../../base/network/index.ts'
import {log, log1p, type Rng} from '../../base/numeric/index.ts'
import type {Loadings} from '../../learn/loadings/index.ts'
import {type Concept, composeModel, type Model} from '../../learn/model/index.ts'
import {chowLiuTree, networkFromMoments} from '../../learn/structure/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'
import type {NoisyOrCertificate} from './baseline.ts'

/** The concepts of each document, in ascending order. */
type TagLists = readonly (readonly number[])[]

interface ModelsFromTags {
  readonly tree: Model<BayesNetwork>
  readonly independent: Model<BayesNetwork>
  readonly noisyOr: NoisyOrCertificate
}

/**
 * The maximum-likelihood models of tagged documents: a tree or independent concepts, and noisy-or words (Oracle ML of
 * Section 5.4 with true tags, imputation with drawn ones). Anchors keep the rates of `concepts`.
 */
export function modelsFromTags(
  {lexicon, documents}: Corpus,
  tags: TagLists,
  concepts: readonly Concept[]
): ModelsFromTags {
  const size = {conceptCount: concepts.length, wordCount: lexicon.words.length}
  const lists = documents.map(({words}) => words)
  const {loadings, certificate} = fitNoisyOr(lists, tags, size)
  const compose = (kind: 'tree' | 'independent') => {
    const network = networkFromTags(tags, concepts.length, kind)
    return composeModel({concepts, network, loadings, lexicon, seed: 0, options: {}, certificate: {}})
  }
  return {tree: compose('tree'), independent: compose('independent'), noisyOr: certificate}
}

/**
 * The maximum-likelihood tree of tags (Chow and Liu), or independent concepts. One more document counts, in which concepts
 * are independent and as frequent as in the others, so that nothing unseen is impossible.
 * Cost: O(tags^2) per document, then O(m^2).
 */
export function networkFromTags(tags: TagLists, conceptCount: number, kind: 'tree' | 'independent'): BayesNetwork {
  const m = conceptCount
  const counts = new Float64Array(m * m)
  for (const list of tags) for (const i of list) for (const k of list) counts[i * m + k]++
  const total = tags.length + 1
  const share = (i: number) => (counts[i * m + i] + 0.5) / total
  const single = (i: number) => (counts[i * m + i] + share(i)) / total
  const pair = (i: number, k: number) => {
    const both = (counts[i * m + k] + share(i) * share(k)) / total
    return Float64Array.of(1 - single(i) - single(k) + both, single(k) - both, single(i) - both, both)
  }
  const moments = {
    conceptCount: m,
    sampleCount: tags.length,
    single,
    pair,
    table: ([i, k]: readonly number[]) => (k === undefined ? Float64Array.of(1 - single(i), single(i)) : pair(i, k)),
    certificate: {objective: 0, lowerBound: 0, gap: 0, steps: 0, atoms: 0, cuts: 0, status: 'optimal' as const}
  }
  const parents = kind === 'tree' ? chowLiuTree(moments, 0) : Array.from({length: m}, () => [])
  return networkFromMoments(moments, parents)
}

/** One draw of every document's tags, each concept by itself with its probability by the classifiers (Section 5.4). */
export function imputeTags(
  {posterior}: Pick<Predictor, 'posterior'>,
  documents: readonly Evidence[],
  random: Rng
): TagLists {
  return documents.map(evidence =>
    Array.from(posterior(evidence)).flatMap((chance, i) => (random.next() < chance ? [i] : []))
  )
}

/**
 * The maximum-likelihood noisy-or for tagged documents: P(x_j = 0 | y) = (1 - l_j) prod_{i in y} (1 - w_ij).
 *
 * Method: EM over which causes switched a word on. Given that word j occurs, cause i did so with probability
 * w_ij / P(x_j = 1 | y), so
 *
 *     w_ij <- w_ij sum_{d: y_i = 1, x_j = 1} 1 / P(x_j = 1 | y_d) / (N_i + 1),
 *
 * and likewise for the leak, a cause that is always present. The objective is concave in log(1 - w), so EM reaches its
 * maximum. The 1 is a prior, as exact zeros and ones would veto documents: for each concept one more document in which it
 * switches nothing on, and for the leak one document without concepts that has word j with its frequency,
 * (count + 1/2) / (N + 1). The start is half of each word's frequency, and half of P(x_j | y_i).
 * It stops when a step raises the objective by at most `tolerance`, in nats per document.
 * Layout: failures as in {@link Loadings}. Cost: O(words that occur x (tags + 1)) per step.
 * `runEm` (learn/em.ts) attributes a word to the *first* cause that succeeds, so the two cannot share an M-step.
 */
export function fitNoisyOr(
  words: readonly (readonly number[])[],
  tags: TagLists,
  size: Pick<Loadings, 'conceptCount' | 'wordCount'>,
  {tolerance = 1e-4, stepLimit = 200} = {}
): {readonly loadings: Loadings; readonly certificate: NoisyOrCertificate} {
  const {conceptCount: m, wordCount: n} = size
  const total = words.length + 1
  // Documents with each concept, the prior's one included, and the frequency of each word.
  const tagTotals = new Float64Array(m).fill(1)
  for (const list of tags) for (const i of list) tagTotals[i]++
  const share = new Float64Array(n)
  for (const list of words) for (const j of list) share[j] += 1 / total
  for (let j = 0; j < n; j++) share[j] += 0.5 / total
  const leak = share.map(p => p / 2)
  const weight = new Float64Array(m * n)
  words.forEach((list, d) => {
    for (const i of tags[d]) for (const j of list) weight[i * n + j] += 0.5 / (tagTotals[i] - 1)
  })
  for (let steps = 0, before = Number.NEGATIVE_INFINITY; ; steps++) {
    const {objective, leakSum, weightSum} = expectCauses()
    const status =
      objective - before <= tolerance * words.length ? 'optimal' : steps === stepLimit ? 'step-limit' : undefined
    if (status !== undefined)
      return {
        loadings: {...size, failure: weight.map(w => 1 - w), leak},
        certificate: {objective, steps, status}
      }
    before = objective
    for (let j = 0; j < n; j++) leak[j] = (leak[j] * leakSum[j] + share[j]) / total
    for (let i = 0; i < m; i++) for (let j = i * n; j < (i + 1) * n; j++) weight[j] *= weightSum[j] / tagTotals[i]
  }

  /** The objective, and the sums of 1 / P(x_j = 1 | y) over the words that occur, by cause. */
  function expectCauses() {
    const [leakSum, weightSum] = [new Float64Array(n), new Float64Array(m * n)]
    // The log of the prior, and the log-likelihood as if no word occurred.
    let objective = 0
    for (let j = 0; j < n; j++) objective += share[j] * log(leak[j]) + (total - share[j]) * log1p(-leak[j])
    for (let i = 0; i < m; i++)
      for (let j = i * n; j < (i + 1) * n; j++) if (weight[j] > 0) objective += tagTotals[i] * log1p(-weight[j])
    for (let d = 0; d < words.length; d++)
      for (const j of words[d]) {
        let off = 1 - leak[j]
        for (const i of tags[d]) off *= 1 - weight[i * n + j]
        const on = 1 - off
        objective += log(on / off)
        leakSum[j] += 1 / on
        for (const i of tags[d]) weightSum[i * n + j] += 1 / on
      }
    return {objective, leakSum, weightSum}
  }
}
