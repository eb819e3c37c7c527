import {AdfaError} from '../../base/checks/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'
import {type ConceptFigures, conceptFigures} from './concept-figures.ts'
import {type GroupFigures, GroupTally, type NamedGroup} from './group-figures.ts'
import {type TaggingFigures, taggingFigures} from './tagging-figures.ts'

/** One predictor's figures on tagged documents. */
export interface Figures {
  /**
   * The paper's last-tag task: every tag of a document is hidden in turn, and each document counts the same. With a single
   * tag no other is given; {@link Evaluator} can leave such documents out, as the paper does.
   */
  readonly lastTag: {
    readonly accuracy: number
    /** Of the accuracy, over the choice of documents. */
    readonly standardError: number
    readonly documents: number
  }
  /** Mean log P(y) per document, in nats. */
  readonly tagLogLikelihood: number
  /** The standard error of its constant, where that is not exact; not that of the choice of documents. */
  readonly tagLogLikelihoodError?: number
  readonly tagging: TaggingFigures
  /** One for each group of exclusive concepts; absent where there is none. */
  readonly groups?: readonly GroupFigures[]
}

/** What a predictor says of one document. */
export interface DocumentAnswer {
  readonly posterior: ArrayLike<number>
  /** The share of its tags that are found as the missing one; undefined where that is not asked. */
  readonly lastTag: number | undefined
}

export function askPredictor(
  predictor: Predictor,
  evidence: Evidence,
  labels: Int8Array,
  leastTags: number
): DocumentAnswer {
  const posterior = predictor.posterior(evidence)
  const tags = [...labels.keys()].filter(i => labels[i] === 1)
  if (labels.includes(-1) || tags.length < leastTags) return {posterior, lastTag: undefined}
  const isFound = (hidden: number) => {
    const given = tags.filter(i => i !== hidden)
    return bestCandidate(predictor.lastTag(evidence, given), given) === hidden
  }
  return {posterior, lastTag: tags.filter(isFound).length / tags.length}
}

/**
 * Asks several predictors about the same documents, one document at a time. Concepts without a label are left out; the
 * last-tag task and the likelihood need fully labelled documents, the former with at least `leastTags` concepts.
 */
export class Evaluator<Name extends string> {
  readonly #conceptCount: number
  readonly #answers: ReadonlyMap<Name, Answers>
  readonly #labels: number[][]
  /** By concept: the documents that the labels belong to. */
  readonly #numbers: number[][]
  #documents = 0

  constructor(
    conceptCount: number,
    predictors: Readonly<Record<Name, Predictor>>,
    leastTags = 1,
    groups: readonly NamedGroup[] = []
  ) {
    this.#conceptCount = conceptCount
    this.#labels = Array.from({length: conceptCount}, () => [])
    this.#numbers = Array.from({length: conceptCount}, () => [])
    const named = Object.entries(predictors) as [Name, Predictor][]
    this.#answers = new Map(
      named.map(([name, predictor]) => [name, new Answers(predictor, conceptCount, leastTags, groups)])
    )
  }

  /** Predictors that have given their answers elsewhere are not asked again. */
  add(evidence: Evidence, labels: Int8Array, given?: ReadonlyMap<string, DocumentAnswer>): void {
    for (let i = 0; i < labels.length; i++)
      if (labels[i] >= 0) {
        this.#labels[i].push(labels[i])
        this.#numbers[i].push(this.#documents)
      }
    this.#documents++
    for (const [name, answers] of this.#answers) answers.add(evidence, labels, given?.get(name))
  }

  finish(): {documents: number; concepts: number; figures: Record<Name, Figures>} {
    if (this.#documents === 0)
      throw new AdfaError('bad-document', 'no document has tags or labels; evaluate on documents that do')
    const figures = [...this.#answers].map(([name, answers]) => [name, answers.figures(this.#labels)])
    return {documents: this.#documents, concepts: this.#conceptCount, figures: Object.fromEntries(figures)}
  }

  /** How the reports of one predictor, from a probability on, agree with the tags of each concept. */
  concepts(name: Name, threshold: number): ConceptFigures[] {
    const scores = this.#answers.get(name)?.scores ?? []
    return scores.map((own, i) => conceptFigures(own, this.#labels[i], this.#numbers[i], threshold))
  }
}

/** The answers of one predictor so far. */
class Answers {
  readonly #predictor: Predictor
  readonly #scores: number[][]
  readonly #leastTags: number
  readonly #groups: readonly GroupTally[]
  #lastTagHits = 0
  #lastTagSquares = 0
  #lastTagDocuments = 0
  #logTags = 0
  #taggedDocuments = 0

  constructor(predictor: Predictor, conceptCount: number, leastTags: number, groups: readonly NamedGroup[]) {
    this.#predictor = predictor
    this.#leastTags = leastTags
    this.#groups = groups.map(group => new GroupTally(group))
    this.#scores = Array.from({length: conceptCount}, () => [])
  }

  /** One list per concept, with one probability per label. */
  get scores(): readonly number[][] {
    return this.#scores
  }

  /** `answer` is what the predictor says, where that is known already. */
  add(evidence: Evidence, labels: Int8Array, answer?: DocumentAnswer): void {
    const {posterior, lastTag} = answer ?? askPredictor(this.#predictor, evidence, labels, this.#leastTags)
    for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) this.#scores[i].push(posterior[i])
    for (const group of this.#groups) group.add(posterior, labels)
    if (labels.includes(-1)) return
    this.#taggedDocuments++
    this.#logTags += this.#predictor.logTags(labels)
    if (lastTag === undefined) return
    this.#lastTagDocuments++
    this.#lastTagHits += lastTag
    this.#lastTagSquares += lastTag * lastTag
  }

  figures(labels: readonly number[][]): Figures {
    const error = this.#taggedDocuments > 0 ? (this.#predictor.logTagsError?.() ?? 0) : 0
    return {
      lastTag: this.#lastTag(),
      tagLogLikelihood: this.#logTags / this.#taggedDocuments,
      ...(error > 0 && {tagLogLikelihoodError: error}),
      tagging: taggingFigures(this.#scores, labels, this.#predictor.threshold),
      ...(this.#groups.length > 0 && {groups: this.#groups.map(group => group.figures())})
    }
  }

  #lastTag(): Figures['lastTag'] {
    const documents = this.#lastTagDocuments
    const accuracy = this.#lastTagHits / documents
    // Rounding must not make the spread negative; a single document has none.
    const spread = Math.max(0, this.#lastTagSquares - documents * accuracy * accuracy) / (documents - 1)
    return {accuracy, standardError: Math.sqrt(spread / documents), documents}
  }
}

function bestCandidate(scores: ArrayLike<number>, given: readonly number[]): number {
  let best = -1
  for (let i = 0; i < scores.length; i++) if (!given.includes(i) && (best < 0 || scores[i] > scores[best])) best = i
  return best
}
