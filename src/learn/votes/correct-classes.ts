import {conjugateGradients, dot, log} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {type VoteGroup, votesOf} from './groups.ts'
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

/** The factor of word weights in a document with these words. */
type FactorOf = (words: readonly number[]) => number

/** Fewer labelled documents correct nothing. */
const LEAST_LABELLED = 30
/** One over the prior variance of a correction: of words, of votes, and of constants and strengths. */
const WORD_RIDGE = 1
const VOTE_RIDGE = 3
const RIDGE = 1
/** Newton's method stops where the gradient is this small, or after so many steps. */
const SETTLED = 1e-4
const NEWTON_STEPS = 30
const HALVINGS = 20
/** Conjugate gradients solve for a Newton step to this share of the gradient. */
const RESIDUAL = 0.01
const INNER_STEPS = 100

/**
 * Classes of groups corrected by labelled documents: multinomial logistic regression whose weights shrink towards those learned
 * without labels. Corrected are a constant per class, the strengths of votes and of words (towards 1), each vote and word (towards 0). The result has the same form, so predictions and explanations need not know. Weights learned without labels have
 * not seen these labels, so they are as good on these documents as on new ones.
 * Cost: O(steps C (votes + words)) per labelled document.
 */
export function correctClasses<Model extends ClassEvidence>(
  model: Model,
  {prevalence}: {readonly prevalence: ArrayLike<number>},
  groups: readonly VoteGroup[],
  {documents}: Pick<Corpus, 'documents'>,
  factorOf: FactorOf
): Model {
  return groups.reduce((corrected, group, g) => {
    const labelled = documents.flatMap(document => {
      const label = labelOf(group, document)
      return label === undefined ? [] : [{document, label}]
    })
    const votes = corrected.votes?.[g]
    if (votes === undefined || labelled.length < LEAST_LABELLED) return corrected
    const words = [...new Set(labelled.flatMap(({document}) => document.words))].sort((a, b) => a - b)
    const numberOf = new Map(words.map((word, at) => [word, at]))
    const problem = {group, g, votes, numberOf, places: placesOf(numberOf.size, group)}
    const rows = labelled.map(({document, label}) => labelledRow(corrected, problem, document, label, factorOf))
    const total = group.concepts.reduce((sum, i) => sum + prevalence[i], 0)
    const prior = Float64Array.from(group.concepts, i => log(prevalence[i] / total))
    return withCorrection(corrected, problem, fitCorrection(rows, prior, problem.places), labelled.length)
  }, model)
}

/** The class that holds by the labels of a document: the only one labelled present, or the only one not labelled absent. */
function labelOf({concepts}: VoteGroup, {labels}: CorpusDocument): number | undefined {
  if (labels === undefined) return undefined
  const present = concepts.filter(i => labels[i] === 1)
  const open = concepts.filter(i => labels[i] !== 0)
  const [only] = present.length > 0 ? present : open
  return (present.length > 0 ? present : open).length === 1 ? concepts.indexOf(only) : undefined
}

/** The group with number g, its votes, the words that occur in labelled documents, and the places of parameters. */
interface Problem {
  readonly group: VoteGroup
  readonly g: number
  readonly votes: VoteWeights
  /** The number of each word within the problem. */
  readonly numberOf: ReadonlyMap<number, number>
  readonly places: ReturnType<typeof placesOf>
}

/** Places of parameters: word w and class c at `w*C + c`, then votes and constants alike, then both strengths. */
function placesOf(wordCount: number, {concepts, labels}: VoteGroup) {
  const C = concepts.length
  const votes = wordCount * C
  const constants = votes + labels.length * C
  const voteStrength = constants + C
  return {votes, constants, voteStrength, wordStrength: voteStrength + 1, size: voteStrength + 2}
}

/** A labelled document: the log-odds of class `classes[k]` gain `values[k]` times parameter `parameters[k]`. */
interface LabelledRow {
  readonly label: number
  readonly parameters: Uint32Array
  readonly classes: Uint32Array
  readonly values: Float64Array
}

function labelledRow(
  {weights, hidden}: ClassEvidence,
  {group, votes, numberOf, places}: Problem,
  document: CorpusDocument,
  label: number,
  factorOf: FactorOf
): LabelledRow {
  const {concepts, labels} = group
  const C = concepts.length
  const own = votesOf(group, document.members)
  const factor = factorOf(document.words)
  const factors = voteFactors(votes, labels, own)
  const fromVotes = new Float64Array(C)
  addVotes(votes, labels, own, fromVotes)
  const entries: [parameter: number, c: number, value: number][] = []
  concepts.forEach((i, c) => {
    for (const word of document.words) entries.push([(numberOf.get(word) ?? 0) * C + c, c, factor])
    for (const [at, k] of own.entries()) entries.push([places.votes + k * C + c, c, factors[at]])
    // The constant of hidden anchors makes words count beyond their mean.
    const fromWords = hidden[i] + factor * document.words.reduce((sum, word) => sum + weights[i][word], 0)
    entries.push(
      [places.constants + c, c, 1],
      [places.voteStrength, c, fromVotes[c]],
      [places.wordStrength, c, fromWords]
    )
  })
  return {
    label,
    parameters: Uint32Array.from(entries, ([parameter]) => parameter),
    classes: Uint32Array.from(entries, ([, c]) => c),
    values: Float64Array.from(entries, ([, , value]) => value)
  }
}

/** Adds the products of a point and the features of a row to the log-odds of its classes. */
function addLogOdds({parameters, classes, values}: LabelledRow, point: Float64Array, out: Float64Array): void {
  for (let k = 0; k < values.length; k++) out[classes[k]] += values[k] * point[parameters[k]]
}

/** Adds a row, weighted per class, to the gradient: the transpose of {@link addLogOdds}. */
function addGradient({parameters, classes, values}: LabelledRow, weights: Float64Array, gradient: Float64Array): void {
  for (let k = 0; k < values.length; k++) gradient[parameters[k]] += values[k] * weights[classes[k]]
}

/**
 * The minimum of sum over rows of -log P(label) + ridge/2 |point - centre|^2 by Newton's method from the centre, each step by
 * conjugate gradients and halved until the value falls.
 */
function fitCorrection(rows: readonly LabelledRow[], prior: Float64Array, places: Problem['places']): Float64Array {
  const {size, votes, constants, voteStrength} = places
  const ridge = Float64Array.from({length: size}, (_, at) =>
    at < votes ? WORD_RIDGE : at < constants ? VOTE_RIDGE : RIDGE
  )
  const centre = new Float64Array(size).fill(1, voteStrength)
  const evaluate = (point: Float64Array) => {
    let value = ridge.reduce((sum, weight, at) => sum + (weight * (point[at] - centre[at]) ** 2) / 2, 0)
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
    const descent = ridge.map((weight, at) => weight * (centre[at] - point[at]))
    for (const [d, row] of rows.entries()) {
      const error = chances[d].map((chance, c) => (c === row.label ? 1 : 0) - chance)
      addGradient(row, error, descent)
    }
    if (descent.every(entry => Math.abs(entry) < SETTLED)) break
    const direction = new Float64Array(size)
    conjugateGradients(descent, direction, {
      // The Hessian: ridge + sum over rows of X' (diag(P) - P P') X.
      multiply: (v, out) => {
        for (let at = 0; at < size; at++) out[at] = ridge[at] * v[at]
        for (const [d, row] of rows.entries()) {
          const change = new Float64Array(prior.length)
          addLogOdds(row, v, change)
          const mean = dot(change, chances[d])
          const centred = change.map((one, c) => chances[d][c] * (one - mean))
          addGradient(row, centred, out)
        }
      },
      precondition: (r, out) => {
        for (let at = 0; at < size; at++) out[at] = r[at] / ridge[at]
      },
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

/** The same model with the corrections in its weights, constants and votes. */
function withCorrection<Model extends ClassEvidence>(
  model: Model,
  {group, g, votes, numberOf, places}: Problem,
  point: Float64Array,
  labelled: number
): Model {
  const C = group.concepts.length
  const [voteStrength, wordStrength] = [point[places.voteStrength], point[places.wordStrength]]
  const changed = <T>(list: readonly T[], change: (value: T, i: number, c: number) => T) =>
    list.map((value, i) => {
      const c = group.concepts.indexOf(i)
      return c < 0 ? value : change(value, i, c)
    })
  const shifted = (list: readonly number[]) =>
    changed(list, (value, i, c) => value + (wordStrength - 1) * model.hidden[i] + point[places.constants + c])
  const corrected: VoteWeights = {
    ...votes,
    weights: votes.weights.map((row, k) =>
      row.map((weight, c) => voteStrength * weight + point[places.votes + k * C + c])
    ),
    silent: votes.silent.map(weight => voteStrength * weight)
  }
  return {
    ...model,
    weights: changed(model.weights, (row, _, c) => {
      const scaled = row.map(weight => wordStrength * weight)
      for (const [word, at] of numberOf) scaled[word] += point[at * C + c]
      return scaled
    }),
    ...(model.errors && {errors: changed(model.errors, row => row.map(error => Math.abs(wordStrength) * error))}),
    silent: shifted(model.silent),
    fired: shifted(model.fired),
    hidden: shifted(model.hidden),
    votes: model.votes?.map((own, at) => (at === g ? corrected : own)) ?? [],
    certificate: {...model.certificate, labelled}
  }
}
