import {AdfaError} from '../../../base/checks/index.ts'
import {type BayesNetwork, logPrior, sampleNetwork} from '../../../base/network/index.ts'
import type {Rng} from '../../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../../read/counts/index.ts'
import {type Anchors, type CorpusDocument, textDefaults} from '../../../read/data/index.ts'

/** What the tags and anchors of a document say; its words have no part. */
export interface TagDocument {
  /** Concepts whose anchors fired, ascending. */
  readonly fired: readonly number[]
  /** Of each concept: 1 present, 0 absent, -1 unknown. */
  readonly truth: ArrayLike<number>
}

export function tagDocument({evidence, truth}: CorpusDocument): TagDocument {
  if (truth === undefined) throw new Error('internal error: a document without tags')
  return {fired: evidence.anchors, truth}
}

/** The documents of which every concept is known: log P(tags) needs them all. */
export function fullyTagged(documents: readonly TagDocument[]): readonly TagDocument[] {
  return documents.filter(({truth}) => Array.from(truth).every(value => value >= 0))
}

/** Documents whose tags are drawn from `network` and whose anchors keep to their rates. */
export function drawDocuments(network: BayesNetwork, anchors: Anchors, count: number, random: Rng): TagDocument[] {
  const m = anchors.length
  const rates = anchors.map(anchor => {
    if (anchor.rates?.kind !== 'rates') throw new Error(`internal error: no rates of "${anchor.concept}"`)
    return anchor.rates
  })
  const tags = sampleNetwork(network, count, random.stream('tags'))
  const firing = random.stream('anchors')
  return Array.from({length: count}, (_, at) => {
    const truth = tags.subarray(at * m, (at + 1) * m)
    const fired = rates.flatMap(({truePositive, falsePositive}, i) =>
      firing.next() < (truth[i] ? truePositive : falsePositive) ? [i] : []
    )
    return {fired, truth}
  })
}

/** Counts of anchors alone, one feature a concept. */
export function anchorCounts(anchors: Anchors, fired: readonly (readonly number[])[]): Counts {
  const plain = anchors.map(anchor => ({...anchor, any: [anchor.concept], not: []}))
  const lexicon = {anchors: plain, words: [], phrases: [], text: textDefaults, filter: undefined, skipped: []}
  const documents = fired.map((list, at) => ({
    key: String(at),
    evidence: {words: [], anchors: list, members: list},
    truth: undefined
  }))
  return countCorpus({lexicon, documents})
}

/** Mean log P(tags) in nats. */
export function meanLogLikelihood(network: BayesNetwork, documents: readonly TagDocument[]): number {
  if (documents.length === 0)
    throw new AdfaError(
      'bad-document',
      'no held-out document says of every concept whether it has it; the likelihood of tags needs documents with all their tags; give more of them'
    )
  return documents.reduce((sum, {truth}) => sum + logPrior(network, truth), 0) / documents.length
}
