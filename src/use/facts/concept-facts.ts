import {isPoint} from '../../base/text/index.ts'
import type {IntervalEnds} from '../../learn/bootstrap.ts'
import {type Model, topWeights, topWords, type WeightedWord, wordNamer} from '../../learn/model/index.ts'
import {isMeasured} from '../../learn/noise/index.ts'
import {weightRange} from '../../learn/robust/index.ts'
import {exclusiveGroups} from '../../read/data/index.ts'
import type {Diagnosis, Finding} from '../advice/index.ts'
import {measuredConcepts} from '../prediction/index.ts'
import {type CertificateFacts, edgeKey} from './certificate-facts.ts'
import {type Neighbour, networkNeighbours} from './network-edges.ts'

/** A number and, where it is known, its interval. */
export interface Estimate {
  readonly value: number
  readonly low?: number
  readonly high?: number
}

export interface ConceptFacts {
  readonly index: number
  readonly name: string
  /** Of its card: made from its number, since names may hold anything. */
  readonly id: string
  readonly anchors: readonly string[]
  readonly vetoes: readonly string[]
  /** Of an anchor with several: as predictions by word weights count each, most documents first; empty if they do not. */
  readonly members: readonly ReportedMember[]
  /** Undefined where nobody measured them. */
  readonly rates: ShownRates | undefined
  /** The number of documents in which the anchor fires; undefined if the model does not know how many there were. */
  readonly documents: number | undefined
  readonly sources: readonly string[]
  /** The other classes of its group. */
  readonly excludes: readonly string[]
  readonly words: readonly WordFacts[]
  /** In a model with word weights: those that raise and lower the odds of the concept most. */
  readonly weights: {readonly for: readonly WeightedWord[]; readonly against: readonly WeightedWord[]} | undefined
  readonly neighbours: readonly NamedNeighbour[]
  readonly findings: readonly Finding[]
}

export interface ReportedMember {
  readonly name: string
  readonly documents: number
  /** The precision that predictions count it at, estimated from words or from the labels of a class. */
  readonly precision: number
  /** Where it alone fires, compared with the average document where the anchor does. */
  readonly logOdds: number
}

export interface WordFacts {
  /** As people read it (`wordNamer`). */
  readonly word: string
  /** P(the concept alone switches the word on): 1 - failure. */
  readonly switchesOn: number
  /** P(word) in all documents. */
  readonly frequency: number
  /** What the word adds to the log-odds in predictions. */
  readonly logOdds: number | undefined
  /** Its 90% interval. */
  readonly range: IntervalEnds | undefined
}

export interface NamedNeighbour extends Pick<Neighbour, 'index' | 'strength'> {
  /** P(neighbour | concept) and P(neighbour | no concept), unless one of both prevalences was not measured. */
  readonly shares: Pick<Neighbour, 'shareWith' | 'shareWithout'> | undefined
  readonly name: string
  readonly id: string
  /** The share of the replicates that have the edge too. */
  readonly confidence: number | undefined
}

const WORDS = 10
const WEIGHTS = 6

export function cardId(index: number): string {
  return `concept-${index + 1}`
}

/** Facts of every concept, in the order of the model. Cost: O(m^2 n) for the strongest words. */
export function conceptFacts(
  model: Model,
  certificate: CertificateFacts,
  diagnosis: Diagnosis | undefined
): ConceptFacts[] {
  const factsOf = createConceptFacts(model, certificate, diagnosis)
  return model.concepts.map((_, i) => factsOf(i))
}

/** The facts of a concept by its number. Cost of one: O(m n). */
export function createConceptFacts(
  model: Model,
  certificate: CertificateFacts,
  diagnosis: Diagnosis | undefined
): (i: number) => ConceptFacts {
  const neighbours = networkNeighbours(model)
  const isKnown = measuredConcepts(model)
  const groups = exclusiveGroups(model.lexicon.anchors)
  const place = new Map(model.lexicon.words.map((word, j) => [word, j]))
  const nameOf = wordNamer(model.lexicon)
  const readable = <Word extends {readonly word: string}>(words: readonly Word[]) =>
    words.map(word => ({...word, word: nameOf(word.word)}))
  return i => {
    const concept = model.concepts[i]
    const {name} = concept
    const noise = certificate.noise?.concepts.get(name)
    return {
      index: i,
      name,
      id: cardId(i),
      anchors: model.lexicon.anchors[i].any,
      vetoes: model.lexicon.anchors[i].not,
      members: membersOf(model, i),
      rates: shownRates(certificate, concept),
      documents: anchoredDocuments(model, i),
      sources: noise?.sources ?? [],
      excludes: groups
        .filter(({concepts}) => concepts.includes(i))
        .flatMap(({concepts}) => concepts.filter(k => k !== i).map(k => model.concepts[k].name)),
      words: readable(wordsOf(model, i, place)),
      weights:
        model.wordModel.kind === 'weights'
          ? {for: readable(topWeights(model, i, WEIGHTS, 1)), against: readable(topWeights(model, i, WEIGHTS, -1))}
          : undefined,
      neighbours: neighbours[i].map(({index, strength, ...shares}) => ({
        index,
        strength,
        shares: isKnown[i] && isKnown[index] ? shares : undefined,
        name: model.concepts[index].name,
        id: cardId(index),
        confidence: certificate.intervals?.edges.get(edgeKey(name, model.concepts[index].name))
      })),
      findings: diagnosis?.findings.filter(({concept}) => concept === name) ?? []
    }
  }
}

export interface ShownRates {
  readonly prevalence: Estimate
  readonly truePositive: Estimate
  readonly falsePositive: Estimate
  /** P(Y = 1 | A = 1). */
  readonly precision: Estimate
}

/** The number of documents in which the anchor of concept i fires, as its rates imply it. */
export function anchoredDocuments(
  {concepts, options}: Pick<Model, 'concepts' | 'options'>,
  i: number
): number | undefined {
  const {truePositive: t, falsePositive: e, prevalence: p} = concepts[i]
  const count = Number(options.documents)
  return Number.isFinite(count) ? Math.round((t * p + e * (1 - p)) * count) : undefined
}

/**
 * The rates of the model, with intervals of resampled documents or 90% intervals of the estimate; undefined if nobody measured
 * them, since the points to predict with are not for people.
 */
export function shownRates(
  certificate: CertificateFacts,
  {name, ...model}: Model['concepts'][number]
): ShownRates | undefined {
  const {truePositive: t, falsePositive: e, prevalence: p} = model
  const firing = t * p + e * (1 - p)
  const noise = certificate.noise?.concepts.get(name)
  const ranges = certificate.intervals?.concepts.get(name)
  const ends = (rate: 'prevalence' | 'precision'): IntervalEnds | undefined =>
    noise && [noise[rate].low, noise[rate].high]
  if (noise !== undefined && !isMeasured(noise.basis)) return undefined
  return {
    prevalence: withRange(p, ranges?.prevalence ?? ends('prevalence')),
    precision: withRange((t * p) / firing, ends('precision')),
    truePositive: withRange(t, ranges?.truePositive),
    falsePositive: withRange(e, ranges?.falsePositive)
  }
}

/** A range without width is left out. The value of the network may differ a little from others. */
function withRange(value: number, range: IntervalEnds | undefined): Estimate {
  if (range === undefined || isPoint(range[0], range[1])) return {value}
  return {value, low: Math.min(range[0], value), high: Math.max(range[1], value)}
}

function membersOf({wordModel, lexicon}: Model, i: number): ReportedMember[] {
  if (wordModel.kind !== 'weights' || wordModel.members === undefined) return []
  const {members, votes = [], certificate} = wordModel
  // Votes are in the section of their sources.
  if (votes.some(({concepts}) => concepts.includes(i))) return []
  const {memberPrecisions: precisions, memberDocuments: documents} = certificate
  const {any} = lexicon.anchors[i]
  if (precisions === undefined || documents === undefined || any.length === 1) return []
  return any
    .map((name, k) => ({name, documents: documents[i][k], precision: precisions[i][k], logOdds: members[i][k]}))
    .sort((a, b) => b.documents - a.documents)
}

function wordsOf(model: Model, i: number, place: ReadonlyMap<string, number>): WordFacts[] {
  const {wordModel} = model
  return topWords(model, i, WORDS).map(({word, failure, frequency}) => {
    const j = place.get(word) ?? -1
    const isWeighted = wordModel.kind === 'weights'
    return {
      word,
      switchesOn: 1 - failure,
      frequency,
      logOdds: isWeighted ? wordModel.weights[i][j] : undefined,
      range: isWeighted ? weightRange(wordModel, i, j) : undefined
    }
  })
}
