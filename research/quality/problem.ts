import {fileURLToPath, pathToFileURL} from 'node:url'
import {hashShare} from '../../src/base/numeric/index.ts'
import type {Counts} from '../../src/read/counts/index.ts'
import {
  type AnchorRule,
  type Anchors,
  type Corpus,
  Encoder,
  encodeCorpus,
  parseAnchors,
  type Row,
  rowKey
} from '../../src/read/data/index.ts'
import {type CountingOptions, countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments, readTextFile} from '../../src/read/files/index.ts'
import {dataFolder, findCorpus, type QualityCorpus} from './corpora.ts'
import {cellsOf, isWeak} from './rates.ts'

/** Training and held-out documents, read by the same lexicon. */
export interface QualityProblem {
  readonly seed: number
  /** Counts of the training documents; `labelled` holds the tables of tags and anchors. */
  readonly counts: Counts
  readonly training: Corpus
  readonly heldOut: Corpus
  /** P(A) of each anchor among the training documents. */
  readonly firing: readonly number[]
}

const FIELDS = ['title', 'text']
const HELD_OUT_SHARE = 0.2
const MOST_DOCUMENTS = 8000
const CONCEPTS = 50
/** The fewest documents with an anchor, and with a tag: logistic regression needs two to train and to test. */
const LEAST_DOCUMENTS = 2

export async function readRows(corpus: QualityCorpus, folder: URL): Promise<readonly Row[]> {
  const documents = openDocuments([fileURLToPath(findCorpus(corpus.name, folder))], {text: FIELDS})
  const rows: Row[] = []
  for await (const batch of documents.batches()) rows.push(...batch)
  await documents.close()
  return rows
}

/** The folder of the corpora: another one, or that beside the checkout. */
export function folderOf(given: string | undefined): URL {
  return given === undefined ? dataFolder : pathToFileURL(`${given}/`)
}

const TEST_SEEDS = [0, 1, 2]

/** The documents outside the test documents of the splits of research/quality. */
export async function readOutside(corpus: QualityCorpus, folder: URL): Promise<readonly Row[]> {
  const rows = await readRows(corpus, folder)
  return rows.filter(row => TEST_SEEDS.every(seed => hashShare(rowKey(row), seed) >= HELD_OUT_SHARE))
}

/** The corpus with a tag's name in the title or in the text as its anchor, or its lists of words. */
export function inTitleOrText(corpus: QualityCorpus): QualityCorpus {
  return corpus.anchorFields.length === 0 ? corpus : {...corpus, anchorFields: FIELDS}
}

interface SplitOptions {
  readonly seed: number
  /** Where lists of anchors are. */
  readonly folder: URL
  readonly mostDocuments?: number
  /** Keeps concepts whose anchor is uninformative by the tags. */
  readonly keepsWeak?: boolean
}

/**
 * The split of a seed. Anchors and the filter come from all training documents, the vocabulary from those used for
 * learning: at most `mostDocuments` that pass the filter. Concepts whose anchor is uninformative by the tags are left out.
 */
export async function splitProblem(
  corpus: QualityCorpus,
  rows: readonly Row[],
  {seed, folder, mostDocuments = MOST_DOCUMENTS, keepsWeak = false}: SplitOptions
): Promise<QualityProblem> {
  const share = (row: Row) => hashShare(rowKey(row), seed)
  const outside = rows.filter(row => share(row) >= HELD_OUT_SHARE)
  const {lexicon: wide} = await countRows(outside, await anchorSource(corpus, folder), corpus)
  const {accepts} = new Encoder(wide)
  const learned = outside
    .filter(accepts)
    .sort((a, b) => share(a) - share(b))
    .slice(0, mostDocuments)
  const {negation} = corpus
  const all = await countRows(learned, given(wide.anchors), {minTags: 0, negation})
  const telling = all.lexicon.anchors.filter(
    (_, i) => (keepsWeak || !isWeak(all, i)) && cellsOf(all, i).positives >= LEAST_DOCUMENTS
  )
  const counts = await countRows(learned, given(telling), {minTags: 0, negation})
  return {
    seed,
    counts,
    training: encodeCorpus(learned, counts.lexicon),
    heldOut: encodeCorpus(
      rows.filter(row => share(row) < HELD_OUT_SHARE && accepts(row)),
      counts.lexicon
    ),
    firing: telling.map((_, i) => cellsOf(counts, i).fired / counts.documentCount)
  }
}

export async function anchorSource({name, anchorFields}: QualityCorpus, folder: URL): Promise<AnchorRule> {
  if (anchorFields.length > 0) return {kind: 'tags', fields: anchorFields, topTags: CONCEPTS}
  const path = fileURLToPath(new URL(`${name}.anchors.json`, folder))
  return given(parseAnchors(await readTextFile(path), path))
}

function given(anchors: Anchors): AnchorRule {
  return {kind: 'given', anchors}
}

/** Counts of rows with tables of their tags, without anchors that never fire. */
function countRows(
  rows: readonly Row[],
  source: AnchorRule,
  {minTags, negation}: Pick<CountingOptions, 'minTags' | 'negation'>
): Promise<Counts> {
  const batches = async function* () {
    yield rows
  }
  return countDocuments({batches}, source, {text: FIELDS, minTags, negation, skipBadAnchors: true, labelShare: 1})
}
