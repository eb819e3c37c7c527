import {type Rng, rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import type {EstimatedRates} from '../../learn/noise/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import type {CorpusDocument} from '../../read/data/index.ts'
import {type RandomModelOptions, randomModel, sampleModel} from '../synthetic/index.ts'
import {anchorOf, countFeatures} from './test-words.ts'

/** Documents of a model in which faults can be planted: the truth, the anchor features that fired and the words. */
export interface Planted {
  readonly model: Model
  readonly documents: readonly PlantedDocument[]
}

interface PlantedDocument {
  readonly y: Uint8Array
  readonly members: readonly number[]
  readonly words: readonly number[]
}

export function drawn(model: Model, documentCount: number, random: Rng): Planted {
  const documents = Array.from(sampleModel(model, documentCount, random), ({y, evidence: {members, words}}) => ({
    y,
    members,
    words
  }))
  return {model, documents}
}

/** Documents of a random model whose anchors have one feature or two: i, or 2i and 2i + 1, are those of concept i. */
export function generated(
  seed: number,
  documentCount: number,
  options: Partial<RandomModelOptions> & {readonly memberCount?: 1 | 2}
): Planted {
  const {memberCount = 1, ...rest} = options
  const plain = randomModel(rest, rng(seed).stream('model'))
  const anchors = plain.lexicon.anchors.map(anchor => ({
    ...anchor,
    any: memberCount === 1 ? anchor.any : ['a', 'b'].map(letter => `${anchor.any[0]}-${letter}`)
  }))
  return drawn({...plain, lexicon: {...plain.lexicon, anchors}}, documentCount, rng(seed).stream('documents'))
}

/** The same documents with other features fired. */
export function withMembers(
  {model, documents}: Planted,
  change: (document: PlantedDocument) => readonly number[]
): Planted {
  return {model, documents: documents.map(document => ({...document, members: change(document)}))}
}

/** The counts of such documents; `labelShare` of them with labels. */
export function countPlanted({model, documents}: Planted, labelShare = 0): Counts {
  const conceptOf = model.lexicon.anchors.flatMap(({any}, i) => any.map(() => i))
  const corpus = documents.map(({y, members, words}, at): CorpusDocument => {
    const rising = members.toSorted((a, b) => a - b)
    const anchors = [...new Set(rising.map(member => conceptOf[member]))]
    return {key: `${at}`, words, anchors, members: rising, labels: Int8Array.from(y)}
  })
  return countCorpus({lexicon: model.lexicon, documents: corpus}, {labelShare})
}

/** Rates that are known exactly. */
export function exactRates(
  concept: string,
  rates: {readonly [name in 'prevalence' | 'precision' | 'truePositive' | 'falsePositive']: number}
): EstimatedRates {
  const exactly = (value: number) => ({value, low: value, high: value})
  return {concept, ...rates, prevalence: exactly(rates.prevalence), precision: exactly(rates.precision)}
}

/** The true rates of a model. */
export function trueRates({concepts}: Model): EstimatedRates[] {
  return concepts.map(({name, truePositive, falsePositive, prevalence}) => {
    const fired = prevalence * truePositive + (1 - prevalence) * falsePositive
    const precision = (prevalence * truePositive) / fired
    return exactRates(name, {prevalence, precision, truePositive, falsePositive})
  })
}

/** Counts of documents written down: how many, and their features; anchors that cannot work are skipped. */
export function countRows(
  anchors: Readonly<Record<string, readonly string[]>>,
  rows: readonly (readonly [times: number, features: string])[]
): Counts {
  return countFeatures(
    Object.entries(anchors).map(([concept, any]) => anchorOf(concept, any)),
    rows
  )
}
