/** From a project and its documents to counts: the same ones as `learn` and `adfa fit` make. */
import {createSampleFilter, type LearnOptions, splitOptions} from '../../learn/learn.ts'
import {judgeNoise, type NoiseVerdict} from '../../learn/noise/index.ts'
import {trainingDocuments} from '../../learn/robust/index.ts'
import {type Counts, countEncoded} from '../../read/counts/index.ts'
import {
  type CorpusDocument,
  type EncodedDocuments,
  Encoder,
  type Evidence,
  type Labels,
  type Lexicon,
  type Row
} from '../../read/data/index.ts'
import {checkLabels, labelsByKey} from '../../use/labelling/index.ts'
import {learnOptionsOf, type Project} from '../project/index.ts'
import type {Documents} from './documents.ts'

/** With more concepts a fit takes minutes: it waits until it is asked for. */
export const MANY = 100

export function hasManyConcepts({anchors}: Lexicon): boolean {
  return anchors.length > MANY
}

/** Tells whether counts alone give the rates within milliseconds: not by members or words, and not of classes by their votes. */
function isJudgedAtOnce(lexicon: Lexicon, {noise = 'auto'}: LearnOptions): boolean {
  const hasGroups = lexicon.anchors.some(({exclusive}) => exclusive !== undefined)
  return !hasManyConcepts(lexicon) && !hasGroups && ['given', 'labels', 'auto'].includes(noise)
}

/** Documents as binary variables by the anchors of a project, with what follows at once. */
export interface Encoded {
  readonly project: Project
  readonly revision: number
  readonly documents: Documents
  readonly lexicon: Lexicon
  readonly counts: Counts
  readonly options: LearnOptions
  /** The rates that are known at once; to check the anchors takes seconds with many documents. */
  readonly counted: NoiseVerdict | undefined
  readonly labels: Labels | undefined
  /** The sample that a fit reads: its numbers with what they depend on, its documents by the lexicon, and its rows. */
  readonly sampled: {readonly key: string; readonly numbers: readonly number[]}
  readonly sample: readonly CorpusDocument[]
  readonly sampleRows: readonly Row[]
  evidence(at: number): Evidence
  /** By concept of the lexicon: the documents where its anchor fires, in order. */
  readonly fired: readonly Uint32Array[]
}

export function encodeProject(
  documents: Documents,
  project: Project,
  revision: number,
  before: Encoded | undefined
): Encoded {
  const {reading, learning} = splitOptions(learnOptionsOf(project))
  const {seed = 0} = learning
  const {labels} = reading
  const encoded = documents.index.encode(project.anchors, labels)
  const {lexicon} = encoded
  const counts = countEncoded(encoded, {labelShare: labels === undefined ? reading.labelShare : 1, seed})
  if (labels !== undefined) checkMatch(project, documents, counts)
  const isSampled = createSampleFilter(counts, labels, seed)
  const key = sampleKey(project, lexicon)
  const isSame = before?.documents === documents && before.sampled.key === key
  const sampled = isSame ? before.sampled : {key, numbers: sampledNumbers(encoded, isSampled)}
  const sampledDocuments = sampled.numbers.map(at => encoded.corpusDocument(at))
  return {
    project,
    revision,
    documents,
    lexicon,
    counts,
    options: learning,
    counted: isJudgedAtOnce(lexicon, learning) ? judgeNoise(counts, learning.noise ?? 'auto') : undefined,
    labels,
    sampled,
    sample: trainingDocuments(counts, sampledDocuments).documents,
    sampleRows: sampled.numbers.map(at => documents.row(at)),
    evidence: readerOf(encoded, documents),
    fired: firedDocuments(encoded)
  }
}

/** Documents that are not learned from are read when they are asked for. */
function readerOf(encoded: EncodedDocuments, documents: Documents): Encoded['evidence'] {
  const read = new Encoder(encoded.lexicon).encode
  return at => (at < documents.count ? encoded.evidence(at) : read(documents.row(at)))
}

/** What a sample depends on, besides documents: to draw one reads all their keys, and no word of an anchor changes it. */
function sampleKey({labels, fit}: Project, {anchors}: Lexicon): string {
  const rows = labels.map(({id, labels: own, drawn}) => [id, drawn, [...own]])
  return JSON.stringify([anchors.map(({concept}) => concept), fit, rows])
}

function sampledNumbers(encoded: EncodedDocuments, isSampled: ReturnType<typeof createSampleFilter>): number[] {
  const found: number[] = []
  for (let at = 0; at < encoded.documents.documentCount; at++) {
    const document = {
      key: encoded.key(at),
      // Read only where it matters.
      get labels() {
        return encoded.labels(at)
      }
    }
    if (isSampled(document)) found.push(at)
  }
  return found
}

/** The same refusals as those of the command line. */
function checkMatch(project: Project, documents: Documents, counts: Counts): void {
  const labels = labelsByKey(project.labels)
  const found = new Set([...labels.keys()].filter(key => documents.numberOf(key) !== undefined))
  checkLabels(labels, {counts, found, where: 'labels'})
}

function firedDocuments({lexicon, documents}: EncodedDocuments): Uint32Array[] {
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const lists = lexicon.anchors.map((): number[] => [])
  const {members, memberStarts, documentCount} = documents
  for (let at = 0; at < documentCount; at++)
    for (let m = memberStarts[at]; m < memberStarts[at + 1]; m++) {
      const list = lists[conceptOf[members[m]]]
      if (list.at(-1) !== at) list.push(at)
    }
  return lists.map(list => Uint32Array.from(list))
}
