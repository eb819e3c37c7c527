import {hashShare} from '../../base/numeric/index.ts'
import type {Corpus} from '../../read/data/index.ts'
import {anchorsWithTagRates, type Material} from './material.ts'

/** Documents to learn from, whose anchors carry the rates that their tags show, and documents to be judged by. */
export interface Split {
  readonly training: Corpus
  readonly heldOut: Corpus
}

const TRAINING_SHARE = 0.75
/** The paper holds out 10,000 documents. */
const MOST_HELD_OUT = 10_000

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
    heldOut: {lexicon: rated, documents: part(count, count + MOST_HELD_OUT)}
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
