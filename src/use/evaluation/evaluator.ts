import {AdfaError} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {isTag, type Predictor, soleThreshold} from '../prediction/index.ts'
import {type ConceptMistakes, conceptMistakes} from './concept-mistakes.ts'
import {type Draws, drawFigures} from './figure-draws.ts'
import {intervalsOf} from './figure-intervals.ts'
import type {Figures, JudgedMethod} from './figures.ts'
import {GroupTally, type NamedGroup} from './group-figures.ts'
import {DocumentWeights} from './resampling.ts'
import {expectedBest, type OwnTags, taggingFigures} from './tagging-figures.ts'
import {descending} from './weighted-ranking.ts'

/** Resamples of the documents. */
const REPLICATES = 200

interface Finished<Name extends string> {
  readonly documents: number
  readonly concepts: number
  readonly figures: Record<Name, Figures>
  readonly draws: Record<Name, Draws['figures']>
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
  readonly #concepts: readonly string[]
  readonly #answers: Map<Name, Answers>
  readonly #labels: number[][]
  /** By concept: the documents that the labels belong to. */
  readonly #numbers: number[][]
  readonly #leastTags: number
  readonly #groups: readonly NamedGroup[]
  #documents = 0
  #weights: DocumentWeights | undefined

  constructor(
    concepts: readonly string[],
    predictors: Readonly<Record<Name, Predictor>>,
    leastTags = 1,
    groups: readonly NamedGroup[] = []
  ) {
    this.#concepts = concepts
    this.#labels = concepts.map(() => [])
    this.#numbers = concepts.map(() => [])
    this.#leastTags = leastTags
    this.#groups = groups
    const named = Object.entries(predictors) as [Name, Predictor][]
    this.#answers = new Map(named.map(([name, predictor]) => [name, this.#open(predictor)]))
  }

  /** Those that have not been asked about all documents. */
  get pending(): Name[] {
    return [...this.#answers]
      .filter(([, {documents}]) => documents < this.#documents || documents === 0)
      .map(([name]) => name)
  }

  /** One more, which is asked about the same documents in the same order. */
  compare(name: Name, predictor: Predictor): void {
    this.#answers.set(name, this.#open(predictor))
  }

  /**
   * Asks all predictors, or one of them: the first one before the others, since the labels are kept then. Those that have `given`
   * their answers elsewhere are not asked again.
   */
  add(evidence: Evidence, labels: Int8Array, only?: Name, given?: ReadonlyMap<string, DocumentAnswer>): void {
    const [first] = this.#answers.keys()
    if (only === undefined || only === first) this.#keep(labels)
    for (const [name, answers] of this.#answers)
      if (only === undefined || name === only) answers.add(evidence, labels, given?.get(name))
  }

  #open(predictor: Predictor): Answers {
    return new Answers(predictor, this.#concepts, this.#leastTags, this.#groups)
  }

  #keep(labels: Int8Array): void {
    for (let i = 0; i < labels.length; i++)
      if (labels[i] >= 0) {
        this.#labels[i].push(labels[i])
        this.#numbers[i].push(this.#documents)
      }
    this.#documents++
  }

  /** Of the predictors that have been asked about all documents. */
  finish(seed = 0): Finished<Name> {
    if (this.#documents === 0)
      throw new AdfaError('bad-document', 'no document has tags or labels; evaluate on documents that do')
    if (!this.#labels.some(labels => labels.includes(1)))
      throw new AdfaError(
        'bad-document',
        `none of the ${grouped(this.#documents)} documents has a tag or label that is one of the concepts ${firstNames(this.#concepts)}; check that tags are spelled as the concepts`
      )
    this.#weights ??= new DocumentWeights(this.#documents, REPLICATES, seed)
    const weights = this.#weights
    const {pending} = this
    const done = [...this.#answers].filter(([name]) => !pending.includes(name))
    const judged = done.map(([name, answers]) => [name, answers.judged(this.#labels, this.#numbers, weights)] as const)
    return {
      documents: this.#documents,
      concepts: this.#concepts.length,
      figures: Object.fromEntries(judged.map(([name, {figures}]) => [name, figures])) as Record<Name, Figures>,
      draws: Object.fromEntries(judged.map(([name, {draws}]) => [name, draws])) as Finished<Name>['draws']
    }
  }

  /** How the reports of one predictor agree with the tags of each concept. */
  concepts(name: Name): ConceptMistakes[] {
    const {scores = [], own} = this.#answers.get(name) ?? {}
    return scores.map((probabilities, i) => {
      const judged = {probabilities, labels: this.#labels[i], documents: this.#numbers[i]}
      return conceptMistakes({...judged, tagged: own?.tagged[i] ?? []})
    })
  }
}

/** The answers of one predictor so far. */
class Answers {
  readonly #concepts: readonly string[]
  readonly #predictor: Predictor
  readonly #scores: number[][]
  readonly #tagged: number[][]
  readonly #leastTags: number
  readonly #groups: readonly GroupTally[]
  /** By document; NaN where there is none. */
  readonly #lastTag: number[] = []
  readonly #logTags: number[] = []
  #judged: JudgedMethod | undefined

  constructor(predictor: Predictor, concepts: readonly string[], leastTags: number, groups: readonly NamedGroup[]) {
    this.#concepts = concepts
    this.#predictor = predictor
    this.#leastTags = leastTags
    this.#groups = groups.map(group => new GroupTally(group))
    this.#scores = concepts.map(() => [])
    this.#tagged = concepts.map(() => [])
  }

  get documents(): number {
    return this.#lastTag.length
  }

  /** One list per concept, with one probability per label. */
  get scores(): readonly number[][] {
    return this.#scores
  }

  /** What the predictor reports; all documents must be there if it has no rule. */
  get own(): OwnTags {
    const {tags} = this.#predictor
    if (tags === undefined) return expectedBest(this.#scores)
    return {tagged: this.#tagged, ...soleThreshold(tags), chosenOn: 'training documents'}
  }

  /** `answer` is what the predictor says, where that is known already. */
  add(evidence: Evidence, labels: Int8Array, answer?: DocumentAnswer): void {
    const {posterior, lastTag} = answer ?? askPredictor(this.#predictor, evidence, labels, this.#leastTags)
    const {tags} = this.#predictor
    for (let i = 0; i < labels.length; i++) {
      if (labels[i] < 0) continue
      this.#scores[i].push(posterior[i])
      if (tags !== undefined) this.#tagged[i].push(isTag(tags, i, posterior[i], evidence.anchors.includes(i)) ? 1 : 0)
    }
    for (const group of this.#groups) group.add(posterior, labels)
    this.#logTags.push(labels.includes(-1) ? Number.NaN : this.#predictor.logTags(labels))
    this.#lastTag.push(lastTag ?? Number.NaN)
  }

  /** Once all documents are there. */
  judged(labels: readonly number[][], numbers: readonly number[][], weights: DocumentWeights): JudgedMethod {
    this.#judged ??= this.#judge(labels, numbers, weights)
    return this.#judged
  }

  #judge(labels: readonly number[][], numbers: readonly number[][], weights: DocumentWeights): JudgedMethod {
    const orders = this.#scores.map(descending)
    const {own} = this
    const tagging = taggingFigures(this.#scores, labels, own, orders)
    const logTags = this.#logTags.filter(value => !Number.isNaN(value))
    const error = logTags.length > 0 ? (this.#predictor.logTagsError?.() ?? 0) : 0
    const figures = {
      lastTag: this.#lastTagFigures(),
      tagLogLikelihood: logTags.reduce((sum, value) => sum + value, 0) / logTags.length,
      ...(error > 0 && {tagLogLikelihoodError: error}),
      tagging,
      ...(this.#predictor.labelled !== undefined && {labelled: this.#predictor.labelled}),
      ...(this.#groups.length > 0 && {groups: this.#groups.map(group => group.figures())})
    }
    const draws = drawFigures(
      {
        scored: this.#scores.map((scores, i) => {
          return {documents: numbers[i], scores, labels: labels[i], order: orders[i], tagged: own.tagged[i]}
        }),
        lastTag: this.#lastTag,
        logTags: this.#logTags
      },
      weights
    )
    return {figures: {...figures, ...intervalsOf(figures, this.#concepts, draws)}, draws: draws.figures}
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
