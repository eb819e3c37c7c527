import {AdfaError} from '../../src/base/checks/index.ts'
import {hashShare} from '../../src/base/numeric/index.ts'
import type {Model} from '../../src/learn/model/index.ts'
import {type Corpus, type CorpusDocument, type Lexicon, withConcepts} from '../../src/read/data/index.ts'
import {type Evaluation, openEvaluation} from '../../src/use/evaluation/index.ts'
import type {Predictor} from '../../src/use/prediction/index.ts'
import type {Results} from './experiment.ts'
import {anchorsWithTagRates, type Material} from './material.ts'

/** Training documents, whose tags give the rates of the anchors, and held-out documents. */
interface Split {
  readonly training: Corpus
  readonly heldOut: Corpus
}

const TRAINING_SHARE = 0.75
/** The paper holds out 10,000 documents. */
const HELD_OUT_LIMIT = 10_000

/**
 * A random division of the material: three quarters for training, in random order, so that the first n are a sample and
 * samples are nested; of the rest at most 10,000 are held out.
 */
export function splitMaterial({lexicon, documents}: Material, seed: number): Split {
  const placed = documents.map(document => ({document, place: hashShare(document.key, seed)}))
  placed.sort((a, b) => a.place - b.place)
  const count = trainingCount({documents})
  const part = (from: number, to: number) => placed.slice(from, to).map(({document}) => document)
  const training = part(0, count)
  const rated = {...lexicon, anchors: anchorsWithTagRates(lexicon, training)}
  return {
    training: {lexicon: rated, documents: training},
    heldOut: {lexicon: rated, documents: part(count, count + HELD_OUT_LIMIT)}
  }
}

export function trainingCount({documents}: Pick<Material, 'documents'>): number {
  return Math.round(TRAINING_SHARE * documents.length)
}

/** The first documents of a corpus, or all of them. */
export function firstOf({lexicon, documents}: Corpus, count: number): Corpus {
  return {lexicon, documents: documents.slice(0, count)}
}

/** Training and held-out documents, with concepts that every method can learn. */
export interface PredictionSplit {
  /** Its anchors have the rates given by the tags of these documents. */
  readonly training: Corpus
  readonly heldOut: Corpus
  /** Concepts that occur in too few training documents. */
  readonly leftOut: readonly string[]
}

/** Classifiers are the slowest to train, and the ranking of the methods does not change beyond this. */
export const MOST_TRAINING = 8000
/** As in the paper. */
export const MOST_HELD_OUT = 5000
/** Classifiers need so many documents with, and without, an anchor or a tag. */
const LEAST_DOCUMENTS = 2
const LEAST_CONCEPTS = 2

/** The split of a seed, reduced for the experiments with predictions. */
export function predictionSplit(material: Material, seed: number): PredictionSplit {
  const split = splitMaterial(material, seed)
  const training = firstOf(split.training, MOST_TRAINING)
  const lexicon = {...training.lexicon, anchors: anchorsWithTagRates(material.lexicon, training.documents)}
  const learnable = learnableConcepts(lexicon, training.documents)
  const kept = {...lexicon, anchors: lexicon.anchors.filter((_, i) => learnable[i])}
  const heldOut = withConcepts(firstOf(split.heldOut, MOST_HELD_OUT), kept)
  if (kept.anchors.length < LEAST_CONCEPTS || !heldOut.documents.some(({labels}) => isJudged(labels)))
    throw new AdfaError(
      'bad-document',
      `${material.name}, split ${seed}: of ${learnable.length} concepts, ${kept.anchors.length} have their tag and their anchor in ${LEAST_DOCUMENTS} or more of ${training.documents.length} training documents; evaluating predictions takes at least ${LEAST_CONCEPTS} such concepts, and held-out documents that have ${LEAST_TAGS} of them; give more tagged documents`
    )
  return {
    training: withConcepts(training, kept),
    heldOut,
    leftOut: lexicon.anchors.flatMap(({concept}, i) => (learnable[i] ? [] : [concept]))
  }
}

/** The last tag is judged, as in the paper, by documents with at least so many concepts: one is hidden, the others are given. */
const LEAST_TAGS = 2

function isJudged(labels: Int8Array | undefined): boolean {
  return [...(labels ?? [])].filter(value => value === 1).length >= LEAST_TAGS
}

/** A model beside others, on held-out documents. */
export function judge(model: Model, {documents}: Corpus, others: Readonly<Record<string, Predictor>> = {}): Evaluation {
  const evaluation = openEvaluation(model, undefined, others, LEAST_TAGS)
  for (const document of documents) if (document.labels !== undefined) evaluation.add(document, document.labels)
  return evaluation.finish()
}

/** Whether anchor and tag of each concept occur in some of the documents, and the anchor as often as its rates allow. */
function learnableConcepts({anchors}: Lexicon, documents: readonly CorpusDocument[]): boolean[] {
  const n = documents.length
  const [fired, tagged] = [0, 1].map(() => new Float64Array(anchors.length))
  for (const {anchors, labels} of documents) {
    for (const i of anchors) fired[i]++
    labels?.forEach((value, i) => {
      if (value === 1) tagged[i]++
    })
  }
  const isSeen = (count: number) => count >= LEAST_DOCUMENTS && n - count >= LEAST_DOCUMENTS
  return anchors.map(({rates}, i) => {
    if (rates?.kind !== 'rates') throw new Error('internal error: an anchor without rates')
    const firing = fired[i] / n
    return isSeen(fired[i]) && isSeen(tagged[i]) && rates.falsePositive < firing && firing < rates.truePositive
  })
}

/** Names the concepts that were left out in some split. */
export function leftOutNote(results: Results): string[] {
  const names = results.distinct<string>('left-out', 'concept')
  return names.length === 0
    ? []
    : [
        `Left out in a split, because too few of its training documents have the tag or the anchor: ${names.join(', ')}.`
      ]
}
