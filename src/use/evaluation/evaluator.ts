import {AdfaError} from '../../base/checks/index.ts'
import {firstNames, grouped} from '../../base/text/index.ts'
import {bestThreshold} from '../../learn/robust/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {isTag, type Predictor, soleThreshold} from '../prediction/index.ts'
import type {Evaluation, Figures, RuleFacts, TaggingFigures} from './evaluation.ts'
import {compareMethods, conceptFigures, drawsOf, intervalsOf, type JudgedMethod} from './figure-intervals.ts'
import {groupFigures, type NamedGroup} from './group-figures.ts'
import {documentWeights, LEVEL} from './intervals.ts'
import {
  type ConceptMistakes,
  conceptMistakes,
  createFigures,
  type JudgedConcept,
  reliabilityCurve,
  saturatedShare,
  type WeightedFigures
} from './weighted-figures.ts'

/** Resamples of the documents. */
const REPLICATES = 200

/** What a predictor says of one document. */
export interface DocumentAnswer {
  readonly posterior: ArrayLike<number>
  /** The share of its tags that are found as the missing one; NaN where that is not asked. */
  readonly lastTag: number
}

export function askPredictor(
  predictor: Predictor,
  evidence: Evidence,
  labels: Int8Array,
  leastTags: number
): DocumentAnswer {
  const posterior = predictor.posterior(evidence)
  const tags = [...labels.keys()].filter(i => labels[i] === 1)
  if (labels.includes(-1) || tags.length < leastTags) return {posterior, lastTag: Number.NaN}
  const isFound = (hidden: number) => {
    const given = tags.filter(i => i !== hidden)
    return bestCandidate(predictor.lastTag(evidence, given), given) === hidden
  }
  return {posterior, lastTag: tags.filter(isFound).length / tags.length}
}

function bestCandidate(scores: ArrayLike<number>, given: readonly number[]): number {
  let best = -1
  for (let i = 0; i < scores.length; i++) if (!given.includes(i) && (best < 0 || scores[i] > scores[best])) best = i
  return best
}

/** What is known of an evaluated document; labels are 1 present, 0 absent, -1 unknown. */
interface KnownDocument {
  readonly labels: Int8Array
  readonly anchors: readonly number[]
}

/** A method, and its answers about the documents so far. */
interface Method {
  readonly predictor: Predictor
  readonly answers: (DocumentAnswer & {readonly logTags: number})[]
}

/**
 * Asks predictors about the same documents, one document at a time: the first one is judged, the others are its baselines. Concepts
 * without a label are left out; the last-tag task and the likelihood need fully labelled documents, the former with at least
 * `leastTags` concepts.
 */
export class Evaluator {
  readonly #concepts: readonly string[]
  readonly #methods = new Map<string, Method>()
  readonly #documents: KnownDocument[] = []
  readonly #leastTags: number
  readonly #groups: readonly NamedGroup[]

  constructor(
    concepts: readonly string[],
    predictors: Readonly<Record<string, Predictor>>,
    leastTags = 1,
    groups: readonly NamedGroup[] = []
  ) {
    this.#concepts = concepts
    this.#leastTags = leastTags
    this.#groups = groups
    for (const [name, predictor] of Object.entries(predictors)) this.#methods.set(name, {predictor, answers: []})
  }

  /** Methods whose answers were `given` elsewhere are not asked again. */
  add(evidence: Evidence, labels: Int8Array, given?: ReadonlyMap<string, DocumentAnswer>): void {
    this.#documents.push({labels, anchors: evidence.anchors})
    for (const [name, {predictor, answers}] of this.#methods) {
      const {posterior, lastTag} = given?.get(name) ?? askPredictor(predictor, evidence, labels, this.#leastTags)
      const logTags = labels.includes(-1) ? Number.NaN : predictor.logTags(labels)
      answers.push({posterior: Float64Array.from(posterior), lastTag, logTags})
    }
  }

  finish(seed = 0): Evaluation {
    if (this.#documents.length === 0)
      throw new AdfaError('bad-document', 'no document has tags or labels; evaluate on documents that do')
    if (!this.#documents.some(({labels}) => labels.includes(1)))
      throw new AdfaError(
        'bad-document',
        `none of the ${grouped(this.#documents.length)} documents has a tag or label that is one of the concepts ${firstNames(this.#concepts)}; check that tags are spelled as the concepts`
      )
    const judged = this.#judge(seed)
    const [own, ...others] = [...this.#methods.keys()].map((name, at) => [name, judged[at]] as const)
    return {
      documents: this.#documents.length,
      concepts: this.#concepts.length,
      level: LEVEL,
      ...own[1].figures,
      ...compareMethods(own[1], others)
    }
  }

  /** How the reports of the first method agree with the tags of each concept, by its own rule (`tagging.atThreshold`). */
  concepts(): ConceptMistakes[] {
    const [method] = this.#methods.values()
    return this.#reports(method).concepts.map(conceptMistakes)
  }

  /** Judges every method; weights of the documents are drawn once for all of them. */
  #judge(seed: number): JudgedMethod[] {
    const judged = Array.from(this.#methods.values(), method => {
      const {rule, concepts} = this.#reports(method)
      const [lastTag, logTags] = [method.answers.map(one => one.lastTag), method.answers.map(one => one.logTags)]
      const figuresBy = createFigures({concepts, lastTag, logTags})
      return {method, rule, concepts, figuresBy, drawn: [] as WeightedFigures[]}
    })
    for (const weights of documentWeights(this.#documents.length, REPLICATES, seed))
      for (const {figuresBy, drawn} of judged) drawn.push(figuresBy(weights))
    return judged.map(({method, rule, concepts, figuresBy, drawn}) => {
      const {predictor, answers} = method
      const exact = figuresBy(new Float32Array(answers.length).fill(1))
      const error = Number.isNaN(exact.tagLogLikelihood) ? 0 : (predictor.logTagsError?.() ?? 0)
      const draws = drawsOf(exact, drawn)
      const documents = answers.map(({posterior}, d) => ({posterior, labels: this.#documents[d].labels}))
      const figures = {
        lastTag: lastTagFigures(answers),
        tagLogLikelihood: exact.tagLogLikelihood,
        ...(error > 0 && {tagLogLikelihoodError: error}),
        tagging: taggingFigures(concepts, rule, exact),
        ...(predictor.labelled !== undefined && {labelled: predictor.labelled}),
        ...(this.#groups.length > 0 && {groups: this.#groups.map(group => groupFigures(group, documents))}),
        intervals: intervalsOf(exact, draws, error),
        perConcept: conceptFigures(this.#concepts, exact, drawn)
      }
      return {figures, draws}
    })
  }

  /** What a method reports, and by which rule: without one of its own, by the threshold of the highest F1 that its probabilities let expect. */
  #reports({predictor: {tags: rule}, answers}: Method): {rule: RuleFacts; concepts: JudgedConcept[]} {
    const columns = this.#concepts.map((_, i) => {
      const documents = [...this.#documents.keys()].filter(d => this.#documents[d].labels[i] >= 0)
      return {
        documents,
        probabilities: documents.map(d => answers[d].posterior[i]),
        labels: documents.map(d => this.#documents[d].labels[i])
      }
    })
    if (rule === undefined) return expectedBest(columns)
    const concepts = columns.map((own, i) => {
      const isReported = (d: number, at: number) =>
        isTag(rule, i, own.probabilities[at], this.#documents[d].anchors.includes(i))
      return {...own, tagged: own.documents.map(isReported)}
    })
    return {rule: {...soleThreshold(rule), chosenOn: 'training documents'}, concepts}
  }
}

/** The reports at a threshold, by default that of the highest F1 that the probabilities let expect. */
export function expectedBest(
  concepts: readonly Omit<JudgedConcept, 'tagged'>[],
  threshold = bestThreshold(concepts.map(({probabilities}) => probabilities))
): {rule: RuleFacts; concepts: JudgedConcept[]} {
  return {
    rule: {threshold, chosenOn: 'these documents'},
    concepts: concepts.map(own => ({...own, tagged: Array.from(own.probabilities, p => p >= threshold)}))
  }
}

/** `exact` are the figures of all documents, `rule` says what the method reports. */
export function taggingFigures(
  concepts: readonly JudgedConcept[],
  rule: RuleFacts,
  exact: WeightedFigures
): TaggingFigures {
  const {microF1, macroF1, macroAuc, averagePrecision, brier, calibrationError} = exact
  return {
    microF1,
    macroF1,
    atThreshold: {...rule, microF1: exact.microF1AtThreshold, macroF1: exact.macroF1AtThreshold},
    macroAuc,
    averagePrecision,
    brier,
    calibrationError,
    reliability: reliabilityCurve(concepts),
    saturated: saturatedShare(concepts)
  }
}

function lastTagFigures(answers: readonly DocumentAnswer[]): Figures['lastTag'] {
  const shares = answers.map(({lastTag}) => lastTag).filter(share => !Number.isNaN(share))
  const documents = shares.length
  const accuracy = shares.reduce((sum, share) => sum + share, 0) / documents
  const squares = shares.reduce((sum, share) => sum + (share - accuracy) ** 2, 0)
  // A single document has no spread.
  return {accuracy, standardError: Math.sqrt(squares / (documents - 1) / documents), documents}
}
