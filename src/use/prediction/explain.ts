import {AdfaError, nearestName} from '../../base/checks/index.ts'
import {clamp, logit} from '../../base/numeric/index.ts'
import {
  type ConceptLabels,
  checkInferenceOptions,
  createInference,
  type InferenceOptions,
  type Posterior,
  wordModelOf
} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {classGroups, decideLabels} from '../../learn/votes/index.ts'
import type {Evidence} from '../../read/data/index.ts'
import {type Contribution, totalOf} from './contributions.ts'
import {explainNoisyOr} from './explain-noisy-or.ts'
import {explainWeights} from './explain-weights.ts'
import {measuredConcepts} from './tags-from.ts'

/** Why a concept is likely, or not, in a document. */
export interface Explanation {
  readonly concept: string
  readonly probability: number
  /** The concepts whose rates nobody measured: their probabilities are scores, which only rank documents. */
  readonly scores: readonly string[]
  /** log P(Y = 1 | document) - log P(Y = 0 | document): the sum of all contributions. */
  readonly logOdds: number
  /**
   * In this order: prior, labels, anchor, its members, words that occur, absent words (by noisy-or links), other concepts, balance (by
   * word weights), the group of exclusive concepts.
   */
  readonly contributions: readonly Contribution[]
  /** Words of the document without effect on the concept; noisy-or: words that it cannot cause. */
  readonly otherWords: number
  readonly posterior: Posterior
}

export interface ExplainOptions extends InferenceOptions {
  readonly known: ConceptLabels
}

/** Probabilities nearer to 0 or 1 are rounding. */
const EDGE = 1e-15
/** Log-odds of small probabilities need more digits than probabilities do. */
const TOLERANCE = 1e-9

/**
 * The evidence for and against a concept, in log-odds that add up to those of the posterior: by noisy-or links
 * ({@link explainNoisyOr}) or by word weights ({@link explainWeights}), as the model or the option says.
 */
export function explain(
  model: Model,
  evidence: Evidence,
  concept: string,
  options: Partial<ExplainOptions> = {}
): Explanation {
  const {known, ...rest} = options
  const checked = checkInferenceOptions({...rest, tolerance: Math.min(TOLERANCE, rest.tolerance ?? TOLERANCE)})
  const wordModel = wordModelOf(model, checked.wordModel)
  const inference = createInference(model, checked)
  const posterior = inference.posterior(evidence, known)
  const groups = classGroups(model)
  const labels = Int8Array.from(known ?? model.concepts.map(() => -1))
  decideLabels(groups, labels)
  const i = findConcept(model, concept, labels)
  const reading = {model, evidence, i, labels, checked, inference, posterior}
  const {contributions, otherWords} =
    wordModel.kind === 'weights' ? explainWeights(reading, wordModel) : explainNoisyOr(reading)
  const isMeasured = measuredConcepts(model)
  const scores = model.concepts.filter((_, k) => !isMeasured[k]).map(({name}) => name)
  const own = {concept, probability: posterior.probabilities[i], scores}
  const shownParts = contributions.map(item => shown(item, own))
  const alone = totalOf(contributions)
  const group = groups.find(({concepts}) => concepts.includes(i))
  if (group === undefined || !Number.isFinite(alone))
    return {...own, contributions: shownParts, logOdds: alone, otherWords, posterior}
  const logOdds = logit(clamp(own.probability, EDGE, 1 - EDGE))
  const others = group.names.filter(name => name !== concept)
  const exclusive = {kind: 'exclusive', others, logOdds: logOdds - alone} as const
  return {...own, contributions: [...shownParts, exclusive], logOdds, otherWords, posterior}
}

/**
 * A contribution without what would mislead: a prevalence that nobody measured, and for the anchor the probability without it where
 * that contradicts the step. Words count less where the anchor fires, so they may reach more without it than with it.
 */
function shown(item: Contribution, own: Pick<Explanation, 'concept' | 'probability' | 'scores'>): Contribution {
  const {concept, probability, scores} = own
  if (item.kind === 'prior' && scores.includes(concept)) return {kind: item.kind, logOdds: item.logOdds}
  if (item.kind !== 'anchor' || item.otherwise === undefined) return item
  const {otherwise, ...rest} = item
  return (otherwise - probability) * item.logOdds > 0 ? rest : item
}

function findConcept({concepts}: Model, concept: string, labels: ConceptLabels | undefined): number {
  const names = concepts.map(({name}) => name)
  const i = names.indexOf(concept)
  if (i === -1) {
    const nearest = nearestName(concept, names)
    const hint = nearest === undefined ? `it has ${names.join(', ')}` : `did you mean "${nearest}"?`
    throw new AdfaError('bad-option', `explain: the model has no concept "${concept}"; ${hint}`)
  }
  if (labels !== undefined && labels[i] !== -1)
    throw new AdfaError(
      'bad-option',
      `explain: "${concept}" is known to be ${labels[i] === 1 ? 'present' : 'absent'}, so there is nothing to explain; leave it out of \`known\``,
      {details: {option: 'known'}}
    )
  return i
}
