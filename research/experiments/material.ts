import {AdfaError} from '../../src/base/checks/index.ts'
import {hashShare} from '../../src/base/numeric/index.ts'
import {counted} from '../../src/base/text/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {rateFault} from '../../src/learn/noise/index.ts'
import {type Counts, dropConcepts} from '../../src/read/counts/index.ts'
import {
  type Anchors,
  type Corpus,
  type CorpusDocument,
  Encoder,
  type Lexicon,
  rowKey
} from '../../src/read/data/index.ts'
import {
  type AnchorSource,
  type CountingOptions,
  countDocuments,
  type EngineControl,
  type RowSource
} from '../../src/read/engines/index.ts'
import {OracleTrainer} from '../../src/use/evaluation/index.ts'

/** The documents of all experiments (the material): tagged, and read with one lexicon. */
export interface Material extends Corpus {
  /** The name of the data in reports. */
  readonly name: string
}

export interface MaterialOptions extends Partial<CountingOptions> {
  /** At most so many documents; a random sample of more. */
  readonly documents: number
}

/** A concept needs so many tagged documents for learning and evaluation. */
const LEAST_TAGGED = 4

/**
 * Read documents once for all experiments. As in the paper, anchors, vocabulary and document filter come from all
 * documents. Concepts whose anchor is too weak, according to the tags of all documents, are left out and named.
 */
export async function readMaterial(
  name: string,
  source: RowSource,
  anchors: AnchorSource,
  {documents: most, ...options}: MaterialOptions,
  control: EngineControl & {readonly onSampling?: (documents: number) => void} = {}
): Promise<Material> {
  const all = await countDocuments(source, anchors, {...options, skipBadAnchors: true, labelShare: 1}, control)
  const {lexicon} = withoutWeakAnchors(all, name)
  const encoder = new Encoder(lexicon)
  const drawn: {readonly place: number; readonly document: CorpusDocument}[] = []
  // A few more than wanted, so that the sample is large enough.
  const enough = (most + 6 * Math.sqrt(most)) / all.documentCount
  let count = 0
  for await (const batch of source.batches(control.signal)) {
    for (const row of batch) {
      const key = rowKey(row)
      const place = hashShare(`experiment ${key}`)
      const labels = place < enough ? encoder.labels(row) : undefined
      if (labels !== undefined && encoder.accepts(row))
        drawn.push({place, document: {key, ...encoder.encode(row), labels}})
    }
    count += batch.length
    control.onSampling?.(count)
  }
  const sample = drawn.toSorted((a, b) => a.place - b.place).slice(0, most)
  const documents = sample.map(({document}) => document)
  if (documents.length < 20)
    throw new AdfaError(
      'bad-document',
      `${name}: ${counted(documents.length, 'document')} with tags passed the filter; an experiment needs at least 20; give more tagged documents, or lower --min-tags`
    )
  // Sorted by key, so that the order of the files does not matter.
  documents.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return {name, lexicon, documents}
}

function withoutWeakAnchors(all: Counts, name: string): {readonly lexicon: Lexicon} {
  const weak = all.lexicon.anchors.flatMap(({concept}, i) => {
    const reason = weakness(all, i)
    return reason === undefined ? [] : [{concept, reason}]
  })
  if (weak.length > all.lexicon.anchors.length - 2)
    throw new AdfaError(
      'bad-anchors',
      `${name}: of ${all.lexicon.anchors.length} anchors, ${weak.length} are too weak ("${weak[0].concept}": ${weak[0].reason}); an experiment needs two concepts; choose other anchors, or other fields for --anchors-from-tags`
    )
  return weak.length === 0 ? all : dropConcepts(all, weak)
}

/** Why the anchor of concept `i` is too weak, if it is. */
function weakness({labelled}: Counts, i: number): string | undefined {
  const [absent, falsely, missed, hits] = labelled.subarray(4 * i, 4 * i + 4)
  if (missed + hits < LEAST_TAGGED) return `only ${counted(missed + hits, 'document')} have it`
  return rateFault({truePositive: hits / (missed + hits), falsePositive: falsely / (absent + falsely)})?.reason
}

/** The anchors with their rates in these documents according to the tags, as the paper gives them to every method. */
export function anchorsWithTagRates(lexicon: Lexicon, documents: readonly CorpusDocument[]): Anchors {
  const m = lexicon.anchors.length
  const [tagged, hits, fired] = [0, 1, 2].map(() => new Float64Array(m))
  for (const {anchors, labels} of documents) {
    for (let i = 0; i < m; i++) if (labels?.[i] === 1) tagged[i]++
    for (const i of anchors) {
      fired[i]++
      if (labels?.[i] === 1) hits[i]++
    }
  }
  return lexicon.anchors.map((anchor, i) => {
    // Every count is raised by a half, as with `--noise labels`, so that no rate is 0 or 1.
    const truePositive = (hits[i] + 0.5) / (tagged[i] + 1)
    const falsePositive = (fired[i] - hits[i] + 0.5) / (documents.length - tagged[i] + 1)
    return {...anchor, rates: {kind: 'rates', truePositive, falsePositive} as const}
  })
}

/** All documents with their anchors alone, and the rates given by the tags: what a network is learned from. */
export function anchorCorpus({lexicon, documents}: Corpus): Corpus {
  return {
    lexicon: {...lexicon, words: [], anchors: anchorsWithTagRates(lexicon, documents)},
    documents: documents.map(document => ({...document, words: []}))
  }
}

/** A rate of exactly 0 or 1 is refused; at this distance, moments differ from counting by less than 1e-8. */
const NEARLY_NEVER = 1e-9

/** The same with every tag as its own perfect anchor, without documents whose tags are not all known. */
export function tagCorpus({lexicon, documents}: Corpus, name: string): Corpus {
  const rates = {kind: 'rates', truePositive: 1 - NEARLY_NEVER, falsePositive: NEARLY_NEVER} as const
  const anchors = lexicon.anchors.map(({concept}) => ({concept, any: [concept], not: [], rates}))
  const tagged = documents.flatMap(({key, labels}): CorpusDocument[] => {
    if (labels === undefined || labels.includes(-1)) return []
    const tags = [...labels.keys()].filter(i => labels[i] === 1)
    return [{key, labels, words: [], anchors: tags, members: tags}]
  })
  if (tagged.length === 0)
    throw new AdfaError(
      'bad-document',
      `${name}: no document has all its tags known, which learning a network from tags needs; give documents with "tags", not "labels" of some concepts`
    )
  return {lexicon: {...lexicon, words: [], anchors}, documents: tagged}
}

/** What the learner of `model` finds from true tags instead of anchors: the paper's Oracle MoM. */
export async function oracleModel(model: Model, {documents}: Corpus): Promise<Model> {
  const trainer = new OracleTrainer(model)
  for (const document of documents) if (document.labels !== undefined) trainer.add(document, document.labels)
  return trainer.finish()
}
