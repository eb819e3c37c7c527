import {AdfaError} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {type Corpus, type CorpusDocument, type Lexicon, withConcepts} from '../../read/data/index.ts'
import {anchorsWithTagRates, type Material} from './material.ts'

/** Documents to learn from, whose anchors carry the rates that their tags show, and documents to be judged by. */
interface Split {
  readonly training: Corpus
  readonly heldOut: Corpus
}

const TRAINING_SHARE = 0.75
/** The paper holds out 10,000 documents. */
const HELD_OUT_LIMIT = 10_000

/**
 * A random division of the material: three quarters to learn from, in random order, so that the first n of them are a
 * sample and samples are nested; of the rest at most 10,000 to be judged by.
 */
export function splitMaterial({lexicon, documents}: Material, seed: number): Split {
  const placed = documents.map(document => ({document, place: hashShare(document.key, seed)}))
  placed.sort((a, b) => a.place - b.place)
  const count = Math.round(TRAINING_SHARE * placed.length)
  const part = (from: number, to: number) => placed.slice(from, to).map(({document}) => document)
  const training = part(0, count)
  const rated = {...lexicon, anchors: anchorsWithTagRates(lexicon, training)}
  return {
    training: {lexicon: rated, documents: training},
    heldOut: {lexicon: rated, documents: part(count, count + HELD_OUT_LIMIT)}
  }
}

/** How many documents a split has to learn from. */
export function trainingCount({documents}: Material): number {
  return Math.round(TRAINING_SHARE * documents.length)
}

/** The first documents of a corpus; all when it has no more. */
export function firstOf({lexicon, documents}: Corpus, count: number): Corpus {
  return {lexicon, documents: documents.slice(0, count)}
}

/** Documents to learn from and to be judged by, with concepts that every method can learn. */
export interface PredictionSplit {
  /** Its anchors have the rates that the tags of these very documents show. */
  readonly training: Corpus
  readonly heldOut: Corpus
  /** Concepts that too few of the training documents show. */
  readonly leftOut: readonly string[]
}

/** Classifiers are the slowest to learn, and the order of the methods does not change beyond this. */
export const MOST_TRAINING = 8000
/** As in the paper. */
export const MOST_HELD_OUT = 5000
/** Documents with and without an anchor or a tag that classifiers need. */
const LEAST_DOCUMENTS = 2
const LEAST_CONCEPTS = 2

/** The split of a seed, cut to what the experiments with predictions use. */
export function predictionSplit(material: Material, seed: number): PredictionSplit {
  const split = splitMaterial(material, seed)
  const training = firstOf(split.training, MOST_TRAINING)
  const lexicon = {...training.lexicon, anchors: anchorsWithTagRates(material.lexicon, training.documents)}
  const learnable = learnableConcepts(lexicon, training.documents)
  const kept = {...lexicon, anchors: lexicon.anchors.filter((_, i) => learnable[i])}
  const heldOut = withConcepts(firstOf(split.heldOut, MOST_HELD_OUT), kept)
  if (kept.anchors.length < LEAST_CONCEPTS || !heldOut.documents.some(({truth}) => truth?.includes(1)))
    throw new AdfaError(
      'bad-document',
      `${material.name}, split ${seed}: of ${learnable.length} concepts, ${kept.anchors.length} have their tag and their anchor in ${LEAST_DOCUMENTS} or more of ${training.documents.length} training documents; predictions can be judged from ${LEAST_CONCEPTS} concepts on that held-out documents have, too; give more tagged documents`
    )
  return {
    training: withConcepts(training, kept),
    heldOut,
    leftOut: lexicon.anchors.flatMap(({concept}, i) => (learnable[i] ? [] : [concept]))
  }
}

/** Whether anchor and tag of each concept are in some of the documents, and the anchor as often as its rates allow. */
function learnableConcepts({anchors}: Lexicon, documents: readonly CorpusDocument[]): boolean[] {
  const n = documents.length
  const [fired, tagged] = [0, 1].map(() => new Float64Array(anchors.length))
  for (const {evidence, truth} of documents) {
    for (const i of evidence.anchors) fired[i]++
    truth?.forEach((value, i) => {
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
