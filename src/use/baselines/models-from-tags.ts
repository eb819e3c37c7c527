import {type Concept, composeModel, type Model} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {fitNoisyOr, type NoisyOrCertificate} from './fit-noisy-or.ts'
import {networkFromTags, type TagLists} from './network-from-tags.ts'

export interface ModelsFromTags {
  readonly tree: Model
  readonly independent: Model
  readonly noisyOr: NoisyOrCertificate
}

/**
 * The models of maximum likelihood for documents whose tags are all seen: a tree or independent concepts, and noisy-or words
 * (Oracle ML of Section 5.4 with true tags, imputation with drawn ones). Anchors keep the rates of `concepts`.
 */
export function modelsFromTags(
  {lexicon, documents}: Corpus,
  tags: TagLists,
  concepts: readonly Concept[]
): ModelsFromTags {
  const m = concepts.length
  const words = documents.map(({evidence}) => evidence.words)
  const {loadings, certificate} = fitNoisyOr(words, tags, {conceptCount: m, wordCount: lexicon.words.length})
  const compose = (kind: 'tree' | 'independent') => {
    const network = networkFromTags(tags, m, kind)
    return composeModel({concepts, network, loadings, lexicon, seed: 0, options: {}, certificate: {}})
  }
  return {tree: compose('tree'), independent: compose('independent'), noisyOr: certificate}
}
