import {conjugateGradients, dot, log} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {classPrior, heldClass, type VoteGroup, votesOf} from './groups.ts'
import {addVotes, softmax, type VoteWeights, voteFactors} from './vote-weights.ts'

/** The part of the word weights of a model that labels of classes correct. */
export interface ClassEvidence {
  readonly weights: readonly (readonly number[])[]
  readonly errors?: readonly (readonly number[])[]
  readonly silent: readonly number[]
  readonly fired: readonly number[]
  readonly hidden: readonly number[]
  readonly votes?: readonly VoteWeights[]
  readonly certificate: {readonly labelled?: number}
}

/** Fewer labelled documents correct nothing. */
const MIN_LABELLED = 30
/** One over the prior variance of every correction. */
const RIDGE = 1
/** Newton's method stops where the gradient is this small, or after so many steps. */
const SETTLED = 1e-4
const NEWTON_STEPS = 30
const HALVINGS = 20
/** Conjugate gradients stop when the residual of the Newton system has fallen to this share. */
const RESIDUAL = 0.01
const INNER_STEPS = 100

/**
 * Corrects the classes of groups by labelled documents: multinomial logistic regression whose weights shrink towards those
 * learned without labels. Corrected are the strengths of votes and of words (towards 1), and each word, each vote and a
 * constant per class (towards 0). The result has the same form, so predictions and explanations need not know. Weights
 * learned without labels have not seen these labels, so they are as good on these documents as on new ones. `factorOf` gives
 * the factor of word weights in a document. Cost: O(steps C (votes + words)) per labelled document.
 */
export function correctClasses<Model extends ClassEvidence>(
  model: Model,
  {prevalence}: {readonly prevalence: ArrayLike<number>},
  groups: readonly VoteGroup[],
  {documents}: Pick<Corpus, 'documents'>,
  factorOf: (words: readonly number[]) => number
): Model {
  return groups.reduce((corrected, group, g) => {
    const labelled = documents.filter(({labels}) => heldClass(group, labels) !== undefined)
    const votes = corrected.votes?.[g]
    if (votes === undefined || labelled.length < MIN_LABELLED) return corrected
    const words = [...new Set(labelled.flatMap(document => document.words))].sort((a, b) => a - b)
    const features = new Map(words.map((word, at) => [word, at]))
    const rows = labelled.map(document => labelledRow(corrected, group, votes, features, document, factorOf))
    const featureCount = words.length + group.labels.length + 1
    const point = fitCorrection(rows, classPrior(group, prevalence).map(log), featureCount)
    const fitted = withCorrection(corrected, votes, features, point)
    return {
      ...fitted,
      votes: corrected.votes?.map((own, at) => (at === g ? fitted.votes : own)),
      certificate: {...corrected.certificate, labelled: labelled.length}
    }
  }, model)
}

/**
 * A labelled document. Its features are words, then votes, then a constant; feature f adds its value times parameter
 * `f * C + c` to class c. The last two parameters are the strengths of the evidence from votes and from words.
 */
interface LabelledRow {
  readonly label: number
  readonly features: readonly number[]
  readonly values: readonly number[]
  readonly evidence: readonly [fromVotes: Float64Array, fromWords: Float64Array]
}

function labelledRow(
  {weights, hidden}: ClassEvidence,
  group: VoteGroup,
  votes: VoteWeights,
  numbers: ReadonlyMap<number, number>,
  {words, members, labels}: CorpusDocument,
  factorOf: (words: readonly number[]) => number
): LabelledRow {
  const own = votesOf(group, members)
  const factor = factorOf(words)
  const fromVotes = new Float64Array(group.concepts.length)
  addVotes(votes, group.labels, own, fromVotes)
  // The constant of hidden anchors makes words count beyond their mean.
  const fromWords = Float64Array.from(
    group.concepts,
    i => hidden[i] + factor * words.reduce((sum, word) => sum + weights[i][word], 0)
  )
  return {
    label: heldClass(group, labels) ?? 0,
    features: [
      ...words.map(word => numbers.get(word) ?? 0),
      ...own.map(k => numbers.size + k),
      numbers.size + group.labels.length
    ],
    values: [...words.map(() => factor), ...voteFactors(votes, group.labels, own), 1],
    evidence: [fromVotes, fromWords]
  }
}

/** Adds the products of a point and the features of a row to the log-odds of its classes. */
function addLogOdds({features, values, evidence}: LabelledRow, point: Float64Array, out: Float64Array): void {
  const C = out.length
  for (let c = 0; c < C; c++) {
    for (let k = 0; k < values.length; k++) out[c] += values[k] * point[features[k] * C + c]
    out[c] += point[point.length - 2] * evidence[0][c] + point[point.length - 1] * evidence[1][c]
  }
}

/** Adds a row, weighted per class, to the gradient: the transpose of {@link addLogOdds}. */
function addGradient({features, values, evidence}: LabelledRow, weights: Float64Array, gradient: Float64Array): void {
  const C = weights.length
  for (let c = 0; c < C; c++)
    for (let k = 0; k < values.length; k++) gradient[features[k] * C + c] += values[k] * weights[c]
  gradient[gradient.length - 2] += dot(evidence[0], weights)
  gradient[gradient.length - 1] += dot(evidence[1], weights)
}

/**
 * Minimises sum over rows of -log P(label) + ridge/2 |parameters - prior means|^2 by Newton's method. It starts at the prior
 * means, solves each step by conjugate gradients, and halves the step until the objective falls.
 */
function fitCorrection(rows: readonly LabelledRow[], prior: Float64Array, featureCount: number): Float64Array {
  const C = prior.length
  const size = featureCount * C + 2
  const centre = new Float64Array(size).fill(1, size - 2)
  const evaluate = (point: Float64Array) => {
    let value = point.reduce((sum, entry, at) => sum + (RIDGE * (entry - centre[at]) ** 2) / 2, 0)
    const chances = rows.map(row => {
      const logOdds = prior.slice()
      addLogOdds(row, point, logOdds)
      const own = softmax(logOdds)
      value -= log(own[row.label])
      return own
    })
    return {point, value, chances}
  }
  let best = evaluate(centre)
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const {point, value, chances} = best
    const descent = point.map((entry, at) => RIDGE * (centre[at] - entry))
    for (const [d, row] of rows.entries()) {
      const error = chances[d].map((chance, c) => (c === row.label ? 1 : 0) - chance)
      addGradient(row, error, descent)
    }
    if (descent.every(entry => Math.abs(entry) < SETTLED)) break
    const direction = new Float64Array(size)
    conjugateGradients(descent, direction, {
      // The Hessian: ridge + sum over rows of X' (diag(P) - P P') X.
      multiply: (v, out) => {
        for (let at = 0; at < size; at++) out[at] = RIDGE * v[at]
        for (const [d, row] of rows.entries()) {
          const change = new Float64Array(C)
          addLogOdds(row, v, change)
          const mean = dot(change, chances[d])
          const centred = change.map((one, c) => chances[d][c] * (one - mean))
          addGradient(row, centred, out)
        }
      },
      precondition: (r, out) => out.set(r),
      residual: RESIDUAL,
      stepLimit: INNER_STEPS
    })
    let [length, next] = [1, best]
    for (let halving = 0; halving < HALVINGS && !(next.value < value); halving++, length /= 2)
      next = evaluate(point.map((entry, at) => entry + length * direction[at]))
    if (!(next.value < value)) break
    best = next
  }
  return best.point
}

/** Returns the weights, constants and votes of one group with the corrections in them. */
function withCorrection<Model extends ClassEvidence>(
  model: Model,
  votes: VoteWeights,
  features: ReadonlyMap<number, number>,
  point: Float64Array
) {
  const C = votes.concepts.length
  const [voteStrength, wordStrength] = point.subarray(-2)
  const correction = (feature: number, c: number) => point[feature * C + c]
  const changed = <T>(list: readonly T[], change: (value: T, i: number, c: number) => T) =>
    list.map((value, i) => {
      const c = votes.concepts.indexOf(i)
      return c < 0 ? value : change(value, i, c)
    })
  const constant = features.size + votes.weights.length
  const shifted = (list: readonly number[]) =>
    changed(list, (value, i, c) => value + (wordStrength - 1) * model.hidden[i] + correction(constant, c))
  return {
    ...model,
    weights: changed(model.weights, (row, _, c) => {
      const scaled = row.map(weight => wordStrength * weight)
      for (const [word, at] of features) scaled[word] += correction(at, c)
      return scaled
    }),
    ...(model.errors && {errors: changed(model.errors, row => row.map(error => Math.abs(wordStrength) * error))}),
    silent: shifted(model.silent),
    fired: shifted(model.fired),
    hidden: shifted(model.hidden),
    votes: {
      ...votes,
      weights: votes.weights.map((row, k) =>
        row.map((weight, c) => voteStrength * weight + correction(features.size + k, c))
      ),
      silent: votes.silent.map(weight => voteStrength * weight)
    }
  }
}
