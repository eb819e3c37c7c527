import {type AnchorScores, encodeCorpus, hashShare, isLabelled, type Row, rowKey, scoreAnchors} from '../index.ts'
import type {Output} from './output.ts'
import type {Input} from './read-input.ts'

/** Documents that are scored at most; more would hardly change the rates, and take their time. */
const SAMPLE = 20_000

/**
 * How much a random sample of the documents looks like those where each anchor fires, for the noise rates that need more
 * than counts; undefined where there are counts only. Labelled documents, if they are few, are all in the sample.
 */
export async function scoreDocuments(
  {counts, documents}: Input,
  seed: number,
  output: Output
): Promise<AnchorScores | undefined> {
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
  const corpus = {lexicon, documents: known}
  const onProgress = (done: number, concepts: number) => output.progress('scoring documents: concepts', done / concepts)
  return scoreAnchors(corpus, {seed}, {onProgress})
}
