import {dot, log} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {type MarginObjective, minimise} from '../classifier/index.ts'
import {classPrior, groupVotes, labelledClass, MIN_LABELLED, type VoteGroup} from './groups.ts'
import {addVotes, softmax, type VoteWeights, voteFactors} from './vote-weights.ts'

/** The part of a model's word weights that is corrected by labels; `weights` and `errors` have a row for each concept. */
export interface ClassEvidence {
  readonly weights: readonly (readonly number[])[]
  readonly errors?: readonly (readonly number[])[]
  /** The constant of each concept where its anchor is silent, where it fired, and where anchors are hidden (not looked at). */
  readonly silent: readonly number[]
  readonly fired: readonly number[]
  readonly hidden: readonly number[]
  readonly votes?: readonly VoteWeights[]
  readonly certificate: {readonly labelled?: number}
}

/** One over the prior variance of every correction. */
const RIDGE = 1
/** The fit ends when no partial derivative exceeds this in absolute value; any small number works. */
const TOLERANCE = 1e-3
const STEP_LIMIT = 500

/**
 * Corrects the classes of groups by labelled documents: a multinomial logistic regression whose weights shrink towards the
 * weights learned without labels. The log-odds from votes and from words are multiplied by a strength each, which shrinks
 * towards 1; corrections of each word, each vote and a constant of each class shrink towards 0. The result has the form of the
 * model, so predictions and explanations are computed as before. Weights learned without labels have not seen these labels, so
 * their log-odds are as reliable in these documents as in new ones. `factorOf` returns the factor of the word weights in
 * a document. Cost: O(steps C (votes + words)) per labelled document.
 */
export function correctClasses<Model extends ClassEvidence>(
  model: Model,
  {prevalence}: {readonly prevalence: ArrayLike<number>},
  groups: readonly VoteGroup[],
  {documents}: Pick<Corpus, 'documents'>,
  factorOf: (words: readonly number[]) => number
): Model {
  return groups.reduce((corrected, group, g) => {
    const labelled = documents.filter(({labels}) => labelledClass(group, labels) !== undefined)
    const votes = corrected.votes?.[g]
    if (votes === undefined || labelled.length < MIN_LABELLED) return corrected
    const words = [...new Set(labelled.flatMap(document => document.words))].sort((a, b) => a - b)
    const wordFeatures = new Map(words.map((word, feature) => [word, feature]))
    const rows = labelled.map(document => labelledRow(corrected, group, votes, wordFeatures, document, factorOf))
    const featureCount = words.length + group.labels.length + 1
    const objective = correctionObjective(rows, classPrior(group, prevalence).map(log), featureCount)
    const {point} = minimise(objective, TOLERANCE, STEP_LIMIT)
    const certificate = {...corrected.certificate, labelled: labelled.length}
    return {...withCorrection(corrected, votes, wordFeatures, point), certificate}
  }, model)
}

/**
 * A labelled document. Its features are numbered words first, then votes, then a constant; feature f adds its value times
 * parameter `f * C + c` to class c. The last two parameters are the strengths of the evidence from votes and from words.
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
  wordFeatures: ReadonlyMap<number, number>,
  {words, members, labels}: CorpusDocument,
  factorOf: (words: readonly number[]) => number
): LabelledRow {
  const own = groupVotes(group, members)
  const factor = factorOf(words)
  const fromVotes = new Float64Array(group.concepts.length)
  addVotes(votes, group.labels, own, fromVotes)
  // The constant for hidden anchors offsets the mean log-odds that words add.
  const fromWords = Float64Array.from(
    group.concepts,
    i => hidden[i] + factor * words.reduce((sum, word) => sum + weights[i][word], 0)
  )
  return {
    label: labelledClass(group, labels) ?? 0,
    features: [
      ...words.map(word => wordFeatures.get(word) ?? 0),
      ...own.map(k => wordFeatures.size + k),
      wordFeatures.size + group.labels.length
    ],
    values: [...words.map(() => factor), ...voteFactors(votes, group.labels, own), 1],
    evidence: [fromVotes, fromWords]
  }
}

/** Adds the product of a row and the parameters of each class to the log-odds of the class in `out`. */
function addLogOdds({features, values, evidence}: LabelledRow, point: Float64Array, out: Float64Array): void {
  const C = out.length
  for (let k = 0; k < values.length; k++) for (let c = 0; c < C; c++) out[c] += values[k] * point[features[k] * C + c]
  const [voteStrength, wordStrength] = [point[point.length - 2], point[point.length - 1]]
  for (let c = 0; c < C; c++) out[c] += voteStrength * evidence[0][c] + wordStrength * evidence[1][c]
}

/** Adds the gradient of sum_c weights[c] times the log-odds of class c in {@link addLogOdds} with respect to the parameters. */
function addGradient({features, values, evidence}: LabelledRow, weights: Float64Array, gradient: Float64Array): void {
  const C = weights.length
  for (let k = 0; k < values.length; k++)
    for (let c = 0; c < C; c++) gradient[features[k] * C + c] += values[k] * weights[c]
  gradient[gradient.length - 2] += dot(evidence[0], weights)
  gradient[gradient.length - 1] += dot(evidence[1], weights)
}

/**
 * Returns the objective: -log P(label), summed over rows, plus ridge/2 |parameters - prior means|^2. `prior` has log P(class);
 * the margins are what a row adds to it, class c of row d at `d*C + c`.
 */
function correctionObjective(rows: readonly LabelledRow[], prior: Float64Array, featureCount: number): MarginObjective {
  const C = prior.length
  const size = featureCount * C + 2
  const start = new Float64Array(size).fill(1, size - 2)
  // `diagonal` approximates that of the Hessian where all classes are equally probable.
  const diagonal = new Float64Array(size).fill(RIDGE)
  for (const {features, values, evidence} of rows) {
    for (let c = 0; c < C; c++)
      for (let k = 0; k < values.length; k++) diagonal[features[k] * C + c] += (values[k] ** 2 * (1 - 1 / C)) / C
    for (const e of [0, 1]) diagonal[size - 2 + e] += dot(evidence[e], evidence[e]) / C
  }
  return {
    start,
    inverseDiagonal: diagonal.map(value => 1 / value),
    margins(point) {
      const logOdds = new Float64Array(rows.length * C)
      for (const [d, row] of rows.entries()) addLogOdds(row, point, logOdds.subarray(d * C, (d + 1) * C))
      return logOdds
    },
    evaluate(point, margins) {
      let value = point.reduce((sum, entry, at) => sum + (RIDGE * (entry - start[at]) ** 2) / 2, 0)
      const probabilities = rows.map(({label}, d) => {
        const own = softmax(prior.map((logPrior, c) => logPrior + margins[d * C + c]))
        value -= log(own[label])
        return own
      })
      const gradient = () => {
        const out = point.map((entry, at) => RIDGE * (entry - start[at]))
        for (const [d, row] of rows.entries()) {
          const errors = probabilities[d].map((probability, c) => (c === row.label ? probability - 1 : probability))
          addGradient(row, errors, out)
        }
        return out
      }
      return {value, gradient}
    }
  }
}

/** Returns the model with corrected weights, constants and votes of the classes of one group. */
function withCorrection<Model extends ClassEvidence>(
  model: Model,
  votes: VoteWeights,
  wordFeatures: ReadonlyMap<number, number>,
  point: Float64Array
): Model {
  const C = votes.concepts.length
  const [voteStrength, wordStrength] = point.subarray(-2)
  const correction = (feature: number, c: number) => point[feature * C + c]
  const changeClasses = <T>(list: readonly T[], change: (value: T, i: number, c: number) => T) =>
    list.map((value, i) => {
      const c = votes.concepts.indexOf(i)
      return c < 0 ? value : change(value, i, c)
    })
  const constant = wordFeatures.size + votes.weights.length
  const correctedVotes = {
    ...votes,
    weights: votes.weights.map((row, k) =>
      row.map((weight, c) => voteStrength * weight + correction(wordFeatures.size + k, c))
    ),
    silent: votes.silent.map(weight => voteStrength * weight)
  }
  // In the fit, the strength of words multiplies the constant `hidden` too, so all constants change by the difference.
  const shifted = (list: readonly number[]) =>
    changeClasses(list, (value, i, c) => value + (wordStrength - 1) * model.hidden[i] + correction(constant, c))
  return {
    ...model,
    weights: changeClasses(model.weights, (row, _, c) => {
      const scaled = row.map(weight => wordStrength * weight)
      for (const [word, feature] of wordFeatures) scaled[word] += correction(feature, c)
      return scaled
    }),
    ...(model.errors && {errors: changeClasses(model.errors, row => row.map(error => Math.abs(wordStrength) * error))}),
    silent: shifted(model.silent),
    fired: shifted(model.fired),
    hidden: shifted(model.hidden),
    votes: model.votes?.map(own => (own === votes ? correctedVotes : own))
  }
}
