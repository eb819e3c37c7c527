import type {BayesNetwork} from '../../base/network/index.ts'
import type {Rng} from '../../base/numeric/index.ts'
import {type Concept, composeModel, type Model} from '../../learn/model/index.ts'
import {chowLiuTree, networkFromMoments} from '../../learn/structure/index.ts'
import type {Corpus, Evidence} from '../../read/data/index.ts'
import type {Baseline} from './baseline.ts'
import {fitNoisyOr, type NoisyOrCertificate, type TagLists} from './fit-noisy-or.ts'

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
  const m = concepts.length
  const words = documents.map(({words}) => words)
  const {loadings, certificate} = fitNoisyOr(words, tags, {conceptCount: m, wordCount: lexicon.words.length})
  const compose = (kind: 'tree' | 'independent') => {
    const network = networkFromTags(tags, m, kind)
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
  {posterior}: Pick<Baseline, 'posterior'>,
  documents: readonly Evidence[],
  random: Rng
): TagLists {
  return documents.map(evidence => {
    const chances = Array.from(posterior(evidence))
    return chances.flatMap((chance, i) => (random.next() < chance ? [i] : []))
  })
}
