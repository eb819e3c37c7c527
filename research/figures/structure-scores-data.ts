import {type BayesNetwork, logPrior} from '../../src/base/network/index.ts'
import {hashShare} from '../../src/base/numeric/index.ts'
import {type Counts, countCorpus} from '../../src/read/counts/index.ts'
import {type Anchors, encodeCorpus, type Lexicon, type SkippedAnchor, textDefaults} from '../../src/read/data/index.ts'
import {type AnchorSource, type CountingOptions, countDocuments} from '../../src/read/engines/index.ts'
import {openDocuments} from '../../src/read/files/index.ts'

/** A document by the numbers of the concepts whose anchors fired and whose tags it has. */
export interface TaggedDocument {
  readonly key: string
  readonly anchors: readonly number[]
  readonly tags: readonly number[]
}

export interface TaggedCorpus {
  readonly concepts: readonly string[]
  readonly leftOut: readonly SkippedAnchor[]
  readonly documents: readonly TaggedDocument[]
}

const TRAINING_SHARE = 0.75

/** All tagged documents of a file; concepts whose anchor is unusable or uninformative are left out. */
export async function readTagged(
  path: string,
  source: AnchorSource,
  {leastDifference, ...options}: Partial<CountingOptions> & {readonly leastDifference: number}
): Promise<TaggedCorpus> {
  const opened = openDocuments([path], textDefaults)
  const {lexicon} = await countDocuments(opened, source, {...options, skipBadAnchors: true, vocabulary: 1})
  const documents: TaggedDocument[] = []
  for await (const batch of opened.batches())
    for (const {key, anchors, labels} of encodeCorpus(batch, lexicon).documents)
      if (labels !== undefined) documents.push({key, anchors, tags: [...labels.keys()].filter(i => labels[i] === 1)})
  await opened.close()
  const concepts = lexicon.anchors.map(({concept}) => concept)
  return withoutWeakAnchors({concepts, leftOut: lexicon.skipped, documents}, leastDifference)
}

/**
 * Concepts for which P(A=1|Y=1) - P(A=1|Y=0) is at least `leastDifference`: decided once, on all documents, so that every
 * split is of the same problem.
 */
function withoutWeakAnchors({concepts, leftOut, documents}: TaggedCorpus, leastDifference: number): TaggedCorpus {
  const rates = countRates(concepts.length, documents)
  const weak = rates.flatMap(({t, e}, i) =>
    t - e >= leastDifference
      ? []
      : [{concept: concepts[i], reason: `P(A|Y=1) - P(A|Y=0) = ${t.toFixed(3)} - ${e.toFixed(3)} < ${leastDifference}`}]
  )
  const kept = concepts.map((_, i) => i).filter(i => rates[i].t - rates[i].e >= leastDifference)
  const numbers = new Map(kept.map((i, at) => [i, at]))
  const renumber = (list: readonly number[]) => list.flatMap(i => numbers.get(i) ?? [])
  return {
    concepts: kept.map(i => concepts[i]),
    leftOut: [...leftOut, ...weak],
    documents: documents.map(({key, anchors, tags}) => ({key, anchors: renumber(anchors), tags: renumber(tags)}))
  }
}

/** P(A|Y=1) and P(A|Y=0) of each concept by its tags; every count raised by a half, as `--noise labels` does. */
function countRates(m: number, documents: readonly TaggedDocument[]): {t: number; e: number}[] {
  const [tagged, hits, falsely] = [0, 1, 2].map(() => new Float64Array(m))
  for (const {anchors, tags} of documents) {
    for (const i of tags) tagged[i]++
    for (const i of anchors) (tags.includes(i) ? hits : falsely)[i]++
  }
  return Array.from(tagged, (count, i) => ({
    t: count === 0 ? 0 : (hits[i] + 0.5) / (count + 1),
    e: (falsely[i] + 0.5) / (documents.length - count + 1)
  }))
}

/** Anchors with the rates of `documents`; the feature of each is the concept itself. */
export function anchorsWithTagRates(concepts: readonly string[], documents: readonly TaggedDocument[]): Anchors {
  const rates = countRates(concepts.length, documents)
  return concepts.map((concept, i) => ({
    concept,
    any: [concept],
    not: [],
    rates: {kind: 'rates', truePositive: rates[i].t, falsePositive: rates[i].e}
  }))
}

/** Training documents in the order of their hash, so that the first n of them are nested samples; the rest held out. */
export function split(documents: readonly TaggedDocument[], seed: number) {
  const placed = documents.map(document => ({document, place: hashShare(document.key, seed)}))
  placed.sort((a, b) => a.place - b.place)
  const training = placed.filter(({place}) => place < TRAINING_SHARE).map(({document}) => document)
  return {training, heldOut: placed.slice(training.length).map(({document}) => document)}
}

/** A lexicon of anchors alone. */
function anchorLexicon(anchors: Anchors): Lexicon {
  return {anchors, words: [], phrases: [], text: textDefaults, filter: undefined, skipped: []}
}

export function countsOf(anchors: Anchors, fired: readonly (readonly number[])[]): Counts {
  const documents = fired.map((list, at) => ({
    key: String(at),
    words: [],
    anchors: list,
    members: list,
    labels: undefined
  }))
  return countCorpus({lexicon: anchorLexicon(anchors), documents})
}

export function meanLogPrior(network: BayesNetwork, documents: readonly TaggedDocument[]): number {
  const y = new Uint8Array(network.parents.length)
  let sum = 0
  for (const {tags} of documents) {
    y.fill(0)
    for (const i of tags) y[i] = 1
    sum += logPrior(network, y)
  }
  return sum / documents.length
}
