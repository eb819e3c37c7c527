import {AdfaError} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {isTag, type Predictor, soleThreshold} from '../prediction/index.ts'
import {type ConceptMistakes, conceptMistakes} from './concept-mistakes.ts'
import {
  bestMethods,
  conceptFigures,
  differencesFrom,
  drawsOf,
  intervalsOf,
  type JudgedMethod,
  labelsWorth
} from './figure-intervals.ts'
import type {Evaluation, Figures} from './figures.ts'
import {GroupTally, type NamedGroup} from './group-figures.ts'
import {DocumentWeights, LEVEL} from './resampling.ts'
import {type RuleFacts, taggingFigures} from './tagging-figures.ts'
import {type Columns, createFigures, expectedBest} from './weighted-figures.ts'

/** Resamples of the documents. */
const REPLICATES = 200

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
 * Asks predictors about the same documents, one document at a time: the first one is judged, the others are its baselines. Concepts
 * without a label are left out; the last-tag task and the likelihood need fully labelled documents, the former with at least
 * `leastTags` concepts.
 */
export class Evaluator {
  readonly #concepts: readonly string[]
  readonly #answers: Map<string, Answers>
  readonly #labels: number[][]
  /** By concept: the documents that the labels belong to. */
  readonly #numbers: number[][]
  readonly #leastTags: number
  readonly #groups: readonly NamedGroup[]
  #documents = 0
  #weights: DocumentWeights | undefined

  constructor(
    concepts: readonly string[],
    predictors: Readonly<Record<string, Predictor>>,
    leastTags = 1,
    groups: readonly NamedGroup[] = []
  ) {
    this.#concepts = concepts
    this.#labels = concepts.map(() => [])
    this.#numbers = concepts.map(() => [])
    this.#leastTags = leastTags
    this.#groups = groups
    this.#answers = new Map()
    for (const [name, predictor] of Object.entries(predictors)) this.compare(name, predictor)
  }

  /** Methods that have not been asked about all documents. */
  pending(): string[] {
    return [...this.#answers]
      .filter(([, {documents}]) => documents < this.#documents || documents === 0)
      .map(([name]) => name)
  }

  /** One more method, which is asked about the same documents in the same order. */
  compare(name: string, predictor: Predictor): void {
    this.#answers.set(name, new Answers(predictor, this.#concepts, this.#groups))
  }

  /**
   * `labels`: 1 present, 0 absent, -1 unknown. With `only`, one method is asked, the first one before the others. Methods whose
   * answers were `given` elsewhere are not asked again.
   */
  add(evidence: Evidence, labels: Int8Array, only?: string, given?: ReadonlyMap<string, DocumentAnswer>): void {
    const [first] = this.#answers.keys()
    if (only === undefined || only === first) this.#keep(labels)
    for (const [name, answers] of this.#answers)
      if (only === undefined || name === only)
        answers.add(
          evidence,
          labels,
          given?.get(name) ?? askPredictor(answers.predictor, evidence, labels, this.#leastTags)
        )
  }

  #keep(labels: Int8Array): void {
    for (let i = 0; i < labels.length; i++)
      if (labels[i] >= 0) {
        this.#labels[i].push(labels[i])
        this.#numbers[i].push(this.#documents)
      }
    this.#documents++
  }

  /** Of the methods that have been asked about all documents. */
  finish(seed = 0): Evaluation {
    if (this.#documents === 0)
      throw new AdfaError('bad-document', 'no document has tags or labels; evaluate on documents that do')
    if (!this.#labels.some(labels => labels.includes(1)))
      throw new AdfaError(
        'bad-document',
        `none of the ${grouped(this.#documents)} documents has a tag or label that is one of the concepts ${firstNames(this.#concepts)}; check that tags are spelled as the concepts`
      )
    this.#weights ??= new DocumentWeights(this.#documents, REPLICATES, seed)
    const weights = this.#weights
    const pending = this.pending()
    const [[, own], ...rest] = [...this.#answers]
      .filter(([name]) => !pending.includes(name))
      .map(([name, answers]) => [name, answers.judged(this.#labels, this.#numbers, weights)] as const)
    const worth = labelsWorth(own, rest)
    return {
      documents: this.#documents,
      concepts: this.#concepts.length,
      level: LEVEL,
      ...own.figures,
      baselines: Object.fromEntries(
        rest.map(([name, one]) => [name, {...one.figures, differences: differencesFrom(own, one)}])
      ),
      best: bestMethods([['this model', own], ...rest]),
      ...(worth && {labelsWorth: worth})
    }
  }

  /** How the reports of the first method agree with the tags of each concept, by its own rule (`tagging.atThreshold`). */
  concepts(): ConceptMistakes[] {
    const [{scores, own}] = this.#answers.values()
    return scores.map((probabilities, i) =>
      conceptMistakes({probabilities, labels: this.#labels[i], documents: this.#numbers[i], tagged: own.tagged[i]})
    )
  }
}

/** The answers of one predictor so far. */
class Answers {
  readonly predictor: Predictor
  readonly #concepts: readonly string[]
  /** One list per concept, with one probability per label. */
  readonly scores: readonly number[][]
  readonly #tagged: readonly number[][]
  readonly #groups: readonly GroupTally[]
  /** By document; NaN where there is none. */
  readonly #lastTag: number[] = []
  readonly #logTags: number[] = []
  #judged: JudgedMethod | undefined

  constructor(predictor: Predictor, concepts: readonly string[], groups: readonly NamedGroup[]) {
    this.predictor = predictor
    this.#concepts = concepts
    this.#groups = groups.map(group => new GroupTally(group))
    this.scores = concepts.map(() => [])
    this.#tagged = concepts.map(() => [])
  }

  get documents(): number {
    return this.#lastTag.length
  }

  /** What the predictor reports; all documents must be there if it has no rule. */
  get own(): RuleFacts & {readonly tagged: Columns} {
    const {tags} = this.predictor
    if (tags === undefined) return expectedBest(this.scores)
    return {tagged: this.#tagged, ...soleThreshold(tags), chosenOn: 'training documents'}
  }

  add(evidence: Evidence, labels: Int8Array, {posterior, lastTag}: DocumentAnswer): void {
    const {tags} = this.predictor
    for (let i = 0; i < labels.length; i++) {
      if (labels[i] < 0) continue
      this.scores[i].push(posterior[i])
      if (tags !== undefined) this.#tagged[i].push(isTag(tags, i, posterior[i], evidence.anchors.includes(i)) ? 1 : 0)
    }
    for (const group of this.#groups) group.add(posterior, labels)
    this.#logTags.push(labels.includes(-1) ? Number.NaN : this.predictor.logTags(labels))
    this.#lastTag.push(lastTag ?? Number.NaN)
  }

  /** Once all documents are there. */
  judged(labels: Columns, numbers: Columns, weights: DocumentWeights): JudgedMethod {
    this.#judged ??= this.#judge(labels, numbers, weights)
    return this.#judged
  }

  #judge(labels: Columns, numbers: Columns, weights: DocumentWeights): JudgedMethod {
    const {own, predictor} = this
    const [lastTag, logTags] = [this.#lastTag, this.#logTags]
    const judgement = {probabilities: this.scores, labels, numbers, tagged: own.tagged, lastTag, logTags}
    const figuresBy = createFigures(judgement)
    const exact = figuresBy(new Float32Array(this.documents).fill(1))
    const drawn = Array.from(weights, figuresBy)
    const draws = drawsOf(exact, drawn)
    const error = Number.isNaN(exact.tagLogLikelihood) ? 0 : (predictor.logTagsError?.() ?? 0)
    const figures = {
      lastTag: this.#lastTagFigures(),
      tagLogLikelihood: exact.tagLogLikelihood,
      ...(error > 0 && {tagLogLikelihoodError: error}),
      tagging: taggingFigures(judgement, own, exact),
      ...(predictor.labelled !== undefined && {labelled: predictor.labelled}),
      ...(this.#groups.length > 0 && {groups: this.#groups.map(group => group.figures())})
    }
    const intervals = intervalsOf(figures, draws)
    return {figures: {...figures, intervals, perConcept: conceptFigures(this.#concepts, exact, drawn)}, draws}
  }

  #lastTagFigures(): Figures['lastTag'] {
    const shares = this.#lastTag.filter(value => !Number.isNaN(value))
    const documents = shares.length
    const accuracy = shares.reduce((sum, share) => sum + share, 0) / documents
    const squares = shares.reduce((sum, share) => sum + share * share, 0)
    // Rounding must not make the spread negative; a single document has none.
    const spread = Math.max(0, squares - documents * accuracy * accuracy) / (documents - 1)
    return {accuracy, standardError: Math.sqrt(spread / documents), documents}
  }
}

function bestCandidate(scores: ArrayLike<number>, given: readonly number[]): number {
  let best = -1
  for (let i = 0; i < scores.length; i++) if (!given.includes(i) && (best < 0 || scores[i] > scores[best])) best = i
  return best
}
