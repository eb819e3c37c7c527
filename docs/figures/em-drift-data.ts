import {basename} from 'node:path'
import {
  type Anchors,
  anchorsWithRates,
  type Corpus,
  type CorpusDocument,
  type Counts,
  countCorpus,
  dropConcepts,
  encodeCorpus,
  generateDocuments,
  hashShare,
  parseAnchors,
  parseRow,
  type Row,
  randomModel,
  rng,
  rowKey
} from 'adfa'
import {type AnchorSource, countDocuments, openDocuments, readTextFile} from 'adfa/node'

/** Documents to learn from, whose anchors have rates, and tagged ones to be judged by. */
export interface DriftProblem {
  readonly corpus: string
  readonly training: Corpus
  readonly heldOut: Corpus
}

const TRAINING_SHARE = 0.75
const TRAINING_LIMIT = 8000
const GENERATED_HELD_OUT = 4000
const FIELDS = ['title', 'text']
const LATENTS = 50
/** As for all comparisons of this kind: weaker anchors cannot be corrected for by any rate. */
const LEAST_TRUE_POSITIVE = 0.05
const LEAST_RATIO = 3

async function readRows(path: string): Promise<Row[]> {
  const documents = openDocuments([path], {fields: FIELDS})
  const rows: Row[] = []
  for await (const batch of documents.batches()) rows.push(...batch)
  await documents.close()
  return rows
}

/** Documents with two of the 200 commonest tags; anchors: the tag's own name in `fields`, or those of a file. */
export async function readDriftProblem(
  path: string,
  fields: readonly string[],
  seed: number,
  anchorsFile?: string
): Promise<DriftProblem> {
  const rows = await readRows(path)
  const source: AnchorSource =
    anchorsFile === undefined
      ? {kind: 'tags', fields, latents: LATENTS}
      : {kind: 'given', anchors: parseAnchors(await readTextFile(anchorsFile), anchorsFile)}
  const below = (share: number) => rows.filter(row => hashShare(rowKey(row), seed) < share)
  const all = await countRows(below(TRAINING_SHARE), source)
  const share = TRAINING_SHARE * Math.min(1, TRAINING_LIMIT / all.documentCount)
  const counts = withTagRates(share < TRAINING_SHARE ? await countRows(below(share), source) : all)
  return {
    corpus: basename(path).replace(/\.jsonl(\.gz)?$/, ''),
    training: encodeCorpus(below(share), counts.lexicon),
    heldOut: encodeCorpus(
      rows.filter(row => hashShare(rowKey(row), seed) >= TRAINING_SHARE),
      counts.lexicon
    )
  }
}

/** Documents drawn from a random model, the same for every seed: all that the learner takes for granted holds. */
export function generatedProblem(seed: number): DriftProblem {
  const model = randomModel({words: 200, wordsPerConcept: 8}, rng(1))
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const rows = Array.from(generateDocuments(model, TRAINING_LIMIT + GENERATED_HELD_OUT, rng(seed)), document =>
    parseRow(document, {fields: []}, document.id)
  )
  return {
    corpus: 'generated',
    training: encodeCorpus(rows.slice(0, TRAINING_LIMIT), lexicon),
    heldOut: encodeCorpus(rows.slice(TRAINING_LIMIT), lexicon)
  }
}

function countRows(rows: readonly Row[], source: AnchorSource): Promise<Counts> {
  const batches = async function* () {
    yield rows
  }
  return countDocuments({batches}, source, {fields: FIELDS, minTags: 2, skipBadAnchors: true, labelShare: 1})
}

/** Without concepts of weak anchors, the others with the rates that the training tags say. */
function withTagRates(all: Counts): Counts {
  const weak = all.lexicon.anchors.filter((_, i) => {
    const {t, e} = tagRates(all, i)
    return !(t >= LEAST_TRUE_POSITIVE && t > LEAST_RATIO * e)
  })
  const reasons = weak.map(({concept}) => ({concept, reason: 'its anchor is weak'}))
  const counts = weak.length === 0 ? all : dropConcepts(all, reasons)
  const anchors: Anchors = counts.lexicon.anchors.map((anchor, i) => {
    const {t, e} = tagRates(counts, i)
    return {...anchor, rates: {kind: 'rates', truePositive: Math.min(t, 0.98), falsePositive: Math.max(e, 1e-4)}}
  })
  return {...counts, lexicon: {...counts.lexicon, anchors}}
}

function tagRates({labelled}: Counts, i: number): {t: number; e: number} {
  const [absent, falsely, missed, hits] = labelled.subarray(4 * i, 4 * i + 4)
  return {t: hits / (missed + hits), e: falsely / (absent + falsely)}
}

/** The counts of documents of the problem: what `fit` takes. */
export function countsOf({training: {lexicon}}: DriftProblem, documents: readonly CorpusDocument[]): Counts {
  return countCorpus({lexicon, documents})
}
