import {hashShare} from '../../../base/numeric/index.ts'
import {type AnchorScores, scoreAnchors} from '../../../learn/noise/index.ts'
import {isLabelled} from '../../../read/counts/index.ts'
import {type Corpus, encodeCorpus, type Row, rowKey} from '../../../read/data/index.ts'
import type {Output} from '../output.ts'
import type {Input} from '../read-input.ts'

/** Documents that are read again at most; more would hardly change what is learned from them, and take their time. */
const SAMPLE = 8_000

/**
 * A random sample of the documents, for what needs more than counts; undefined where there are counts only. Labelled
 * documents, if they are few, are all in the sample.
 */
export async function sampleDocuments({counts, documents}: Input, seed: number): Promise<Corpus | undefined> {
  if (documents === undefined) return undefined
  const {lexicon, documentCount, labelShare} = counts
  const {labels} = documents
  const isWanted = (key: string) =>
    labels === undefined
      ? labelShare * documentCount <= SAMPLE && isLabelled(counts, key)
      : labels.get(key) !== undefined
  const rows: Row[] = []
  await documents.eachRow('sampling documents', row => {
    const key = rowKey(row)
    if (hashShare(`sample ${key}`, seed) < SAMPLE / documentCount || isWanted(key)) rows.push(row)
  })
  const {documents: sampled} = encodeCorpus(rows, lexicon, labels)
  // Tags that were not asked for are not looked at.
  const known = sampled
    .map(document => (isLabelled(counts, document.key) ? document : {...document, truth: undefined}))
    // The order of the documents decides which are in which fold; by their keys, that of the file does not matter.
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  return {lexicon, documents: known}
}

/** How much each document looks like those where each anchor fires, for the noise rates that need it. */
export function scoreDocuments(corpus: Corpus | undefined, seed: number, output: Output): AnchorScores | undefined {
  const onProgress = (done: number, concepts: number) => output.progress('scoring documents: concepts', done / concepts)
  return corpus && scoreAnchors(corpus, {seed}, {onProgress})
}
