import {createSampler} from '../../../learn/learn.ts'
import {type AnchorScores, scoreAnchors} from '../../../learn/noise/index.ts'
import {type Corpus, encodeCorpus} from '../../../read/data/index.ts'
import type {Output} from '../output.ts'
import type {Input} from '../read-input.ts'

/** The sample of documents for rates, word weights and refining; undefined if there are only counts. */
export function sampleDocuments({counts, documents}: Input, seed: number): Corpus | undefined {
  if (documents === undefined) return undefined
  const {sample, labels} = documents
  return createSampler(counts, labels, seed).corpus(encodeCorpus(sample, counts.lexicon, labels).documents)
}

/** How similar each document is to those where an anchor fires, for noise rates estimated from words. */
export function scoreDocuments(corpus: Corpus | undefined, seed: number, output: Output): AnchorScores | undefined {
  const onProgress = (done: number, concepts: number) => output.progress('scoring documents: concepts', done / concepts)
  return corpus && scoreAnchors(corpus, {seed}, {onProgress})
}
