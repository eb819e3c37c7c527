import {AdfaError} from '../../base/checks/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import type {Predictor} from '../prediction/index.ts'
import {type TaggingFigures, taggingFigures} from './tagging-figures.ts'

/** One predictor's figures on documents whose tags are known. */
export interface Figures {
  /** The paper's last-tag task: every tag of a document is hidden in turn, and each document counts the same. */
  readonly lastTag: {
    readonly accuracy: number
    /** Of the accuracy, as far as chance chose the documents. */
    readonly standardError: number
    readonly documents: number
  }
  /** Mean log P(y) per document, in nats. */
  readonly tagLogLikelihood: number
  readonly tagging: TaggingFigures
}

/**
 * Asks several predictors about the same documents, one document at a time. Concepts of unknown truth are left out;
 * the last-tag task and the likelihood need documents whose truth is wholly known, the former with at least one concept.
 */
export class Evaluator<Name extends string> {
  readonly #conceptCount: number
  readonly #answers: ReadonlyMap<Name, Answers>
  readonly #truths: number[][]
  #documents = 0

  constructor(conceptCount: number, predictors: Readonly<Record<Name, Predictor>>) {
    this.#conceptCount = conceptCount
    this.#truths = Array.from({length: conceptCount}, () => [])
    const named = Object.entries(predictors) as [Name, Predictor][]
    this.#answers = new Map(named.map(([name, predictor]) => [name, new Answers(predictor, conceptCount)]))
  }

  add(evidence: Evidence, truth: Int8Array): void {
    this.#documents++
    for (let i = 0; i < truth.length; i++) if (truth[i] >= 0) this.#truths[i].push(truth[i])
    for (const answers of this.#answers.values()) answers.add(evidence, truth)
  }

  finish(): {documents: number; concepts: number; figures: Record<Name, Figures>} {
    if (this.#documents === 0)
      throw new AdfaError(
        'bad-document',
        'no document has tags or labels to compare with; evaluate on documents that do'
      )
    const figures = [...this.#answers].map(([name, answers]) => [name, answers.figures(this.#truths)])
    return {documents: this.#documents, concepts: this.#conceptCount, figures: Object.fromEntries(figures)}
  }
}

/** What one predictor said so far. */
class Answers {
  readonly #predictor: Predictor
  readonly #scores: number[][]
  #lastTagHits = 0
  #lastTagSquares = 0
  #lastTagDocuments = 0
  #logTags = 0
  #knownDocuments = 0

  constructor(predictor: Predictor, conceptCount: number) {
    this.#predictor = predictor
    this.#scores = Array.from({length: conceptCount}, () => [])
  }

  add(evidence: Evidence, truth: Int8Array): void {
    const posterior = this.#predictor.posterior(evidence)
    for (let i = 0; i < truth.length; i++) if (truth[i] >= 0) this.#scores[i].push(posterior[i])
    if (truth.includes(-1)) return
    this.#knownDocuments++
    this.#logTags += this.#predictor.logTags(truth)
    const tags = [...truth.keys()].filter(i => truth[i] === 1)
    if (tags.length === 0) return
    const isFound = (hidden: number) => {
      const given = tags.filter(i => i !== hidden)
      return bestCandidate(this.#predictor.lastTag(evidence, given), given) === hidden
    }
    const share = tags.filter(isFound).length / tags.length
    this.#lastTagDocuments++
    this.#lastTagHits += share
    this.#lastTagSquares += share * share
  }

  figures(truths: readonly number[][]): Figures {
    return {
      lastTag: this.#lastTag(),
      tagLogLikelihood: this.#logTags / this.#knownDocuments,
      tagging: taggingFigures(this.#scores, truths, this.#predictor.threshold)
    }
  }

  #lastTag(): Figures['lastTag'] {
    const documents = this.#lastTagDocuments
    const accuracy = this.#lastTagHits / documents
    // Rounding must not leave a spread below 0; a single document has none.
    const spread = Math.max(0, this.#lastTagSquares - documents * accuracy * accuracy) / (documents - 1)
    return {accuracy, standardError: Math.sqrt(spread / documents), documents}
  }
}

function bestCandidate(scores: ArrayLike<number>, given: readonly number[]): number {
  let best = -1
  for (let i = 0; i < scores.length; i++) if (!given.includes(i) && (best < 0 || scores[i] > scores[best])) best = i
  return best
}
