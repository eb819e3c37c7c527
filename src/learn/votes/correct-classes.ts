import {dot, log} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {Descent, searchLine} from '../classifier/index.ts'
import {toProbabilities} from './fit-votes.ts'
import {type VoteGroup, votesOf} from './group-votes.ts'
import {addVotes, silentClasses, type VoteWeights, voteFactors} from './vote-weights.ts'

/** The part of word weights that labels of classes correct; fields are those of the word weights of a model. */
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
/** One over the prior variance of a correction: of words, of votes and silence, and of constants and strengths. */
const WORD_RIDGE = 1
const VOTE_RIDGE = 3
const RIDGE = 1
const STEP_LIMIT = 60
const MEMORY = 8
/** Descent stops where the gradient is this small. */
const SETTLED = 1e-4

/**
 * Classes of groups corrected by labelled documents: multinomial logistic regression whose weights shrink towards those learned
 * without labels. Corrected are a constant per class, the strengths of votes and of words (towards 1), each vote, silence and word
 * (towards 0). The result has the same form, so predictions and explanations need not know. Weights learned without labels have
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
  let corrected = model
  groups.forEach((group, g) => {
    const labelled = documents.flatMap(document => {
      const label = labelOf(group, document)
      return label === undefined ? [] : [{document, label}]
    })
    const votes = corrected.votes?.[g]
    if (votes === undefined || labelled.length < LEAST_LABELLED) return
    const problem = labelledProblem(corrected, {group, votes, prevalence, factorOf}, labelled)
    corrected = withCorrection(corrected, problem, g, descend(problem))
  })
  return corrected
}

/** The class that holds by the labels of a document: the only one labelled present, or the only one not labelled absent. */
function labelOf({concepts}: VoteGroup, {labels}: CorpusDocument): number | undefined {
  if (labels === undefined) return undefined
  const present = concepts.filter(i => labels[i] === 1)
  if (present.length > 0) return present.length === 1 ? concepts.indexOf(present[0]) : undefined
  const open = concepts.filter(i => labels[i] === -1)
  return open.length === 1 && concepts.every(i => i === open[0] || labels[i] === 0)
    ? concepts.indexOf(open[0])
    : undefined
}

/** A labelled document: what is corrected in it, and the log-odds of its classes before. */
interface LabelledRow {
  readonly label: number
  /** Words that occur, numbered within the problem, and what each counts. */
  readonly words: readonly number[]
  readonly factor: number
  /** Places of votes, and what each counts. */
  readonly votes: readonly number[]
  readonly voteFactors: readonly number[]
  /** Classes without a vote. */
  readonly silent: readonly number[]
  readonly fromVotes: Float64Array
  readonly fromWords: Float64Array
}

/** Layout of a point: words x C, votes x C, silence per class, constants per class, strengths of votes and of words. */
interface LabelledProblem {
  readonly group: VoteGroup
  readonly votes: VoteWeights
  readonly rows: readonly LabelledRow[]
  /** The words of the lexicon that occur in labelled documents. */
  readonly words: readonly number[]
  readonly prior: Float64Array
  readonly places: {
    readonly votes: number
    readonly silent: number
    readonly constants: number
    readonly strengths: number
  }
}

interface GroupEvidence {
  readonly group: VoteGroup
  readonly votes: VoteWeights
  readonly prevalence: ArrayLike<number>
  readonly factorOf: FactorOf
}

function labelledProblem(
  {weights, hidden}: ClassEvidence,
  {group, votes, prevalence, factorOf}: GroupEvidence,
  labelled: readonly {readonly document: CorpusDocument; readonly label: number}[]
): LabelledProblem {
  const {concepts, labels} = group
  const C = concepts.length
  const words = [...new Set(labelled.flatMap(({document}) => document.words))].sort((a, b) => a - b)
  const numberOf = new Map(words.map((word, at) => [word, at]))
  const rows = labelled.map(({document, label}): LabelledRow => {
    const own = votesOf(group, document.members)
    const factor = factorOf(document.words)
    const fromVotes = new Float64Array(C)
    addVotes(votes, labels, own, fromVotes)
    return {
      label,
      words: document.words.map(word => numberOf.get(word) ?? 0),
      factor,
      votes: own,
      voteFactors: voteFactors(votes, labels, own),
      silent: silentClasses(labels, own, C),
      fromVotes,
      // The constant of hidden anchors makes words count beyond their mean.
      fromWords: Float64Array.from(
        concepts,
        i => hidden[i] + factor * document.words.reduce((sum, word) => sum + weights[i][word], 0)
      )
    }
  })
  const total = concepts.reduce((sum, i) => sum + prevalence[i], 0)
  const prior = Float64Array.from(concepts, i => log(prevalence[i] / total))
  const places = {
    votes: words.length * C,
    silent: (words.length + labels.length) * C,
    constants: (words.length + labels.length + 1) * C,
    strengths: (words.length + labels.length + 2) * C
  }
  return {group, votes, rows, words, prior, places}
}

/** Adds a point times the features of a row to the log-odds of its classes. */
function addCorrection({places}: LabelledProblem, row: LabelledRow, point: Float64Array, out: Float64Array): void {
  const C = out.length
  for (let c = 0; c < C; c++) {
    let sum = 0
    for (const word of row.words) sum += point[word * C + c]
    sum *= row.factor
    row.votes.forEach((k, at) => {
      sum += row.voteFactors[at] * point[places.votes + k * C + c]
    })
    sum += point[places.constants + c]
    out[c] += sum + point[places.strengths] * row.fromVotes[c] + point[places.strengths + 1] * row.fromWords[c]
  }
  for (const c of row.silent) out[c] += point[places.silent + c]
}

/** Adds a row, weighted per class, to the gradient: the transpose of {@link addCorrection}. */
function addGradient({places}: LabelledProblem, row: LabelledRow, weights: Float64Array, gradient: Float64Array): void {
  const C = weights.length
  for (let c = 0; c < C; c++) {
    for (const word of row.words) gradient[word * C + c] += row.factor * weights[c]
    row.votes.forEach((k, at) => {
      gradient[places.votes + k * C + c] += row.voteFactors[at] * weights[c]
    })
    gradient[places.constants + c] += weights[c]
    gradient[places.strengths] += row.fromVotes[c] * weights[c]
    gradient[places.strengths + 1] += row.fromWords[c] * weights[c]
  }
  for (const c of row.silent) gradient[places.silent + c] += weights[c]
}

/** The minimum of sum over rows of -log P(label) + ridge/2 |point - centre|^2, by L-BFGS from the centre. */
function descend(problem: LabelledProblem): Float64Array {
  const {rows, prior, places} = problem
  const C = prior.length
  const size = places.strengths + 2
  const ridge = Float64Array.from({length: size}, (_, at) =>
    at < places.votes ? WORD_RIDGE : at < places.constants ? VOTE_RIDGE : RIDGE
  )
  const centre = new Float64Array(size).fill(1, places.strengths)
  const descent = new Descent(
    centre.slice(),
    ridge.map(value => 1 / value),
    MEMORY
  )
  const {point, direction} = descent
  const read = (values: Float64Array, start?: Float64Array) =>
    rows.map(row => {
      const out = start === undefined ? new Float64Array(C) : start.slice()
      addCorrection(problem, row, values, out)
      return out
    })
  const off = () => point.map((value, at) => value - centre[at])
  const penalty = (values: Float64Array) => values.reduce((sum, value, at) => sum + ridge[at] * value * value, 0) / 2
  for (let step = 0; step < STEP_LIMIT; step++) {
    const logits = read(point, prior)
    let value = penalty(off())
    descent.measure(gradient => {
      off().forEach((distance, at) => {
        gradient[at] = ridge[at] * distance
      })
      rows.forEach((row, d) => {
        const chances = logits[d].slice()
        toProbabilities(chances)
        value -= log(chances[row.label])
        chances[row.label] -= 1
        addGradient(problem, row, chances, gradient)
      })
    })
    const slope = descent.aim()
    if (descent.gradient.every(entry => Math.abs(entry) < SETTLED)) break
    const changes = read(direction)
    const distance = off()
    const found = searchLine({value, slope}, t => {
      const moved = distance.map((entry, at) => entry + t * direction[at])
      const ridgeSlope = direction.reduce((sum, entry, at) => sum + ridge[at] * entry * moved[at], 0)
      const line = {value: penalty(moved), slope: ridgeSlope, curvature: 2 * penalty(direction)}
      rows.forEach(({label}, d) => {
        const chances = logits[d].map((entry, c) => entry + t * changes[d][c])
        toProbabilities(chances)
        const mean = dot(chances, changes[d])
        line.value -= log(chances[label])
        line.slope += mean - changes[d][label]
        line.curvature += chances.reduce((sum, chance, c) => sum + chance * (changes[d][c] - mean) ** 2, 0)
      })
      return line
    })
    if (found === undefined) break
    descent.move(found.t)
  }
  return point
}

/** The same model with the corrections in its weights, constants and votes. */
function withCorrection<Model extends ClassEvidence>(
  model: Model,
  {group, votes, words, places, rows}: LabelledProblem,
  g: number,
  point: Float64Array
): Model {
  const C = group.concepts.length
  const [voteStrength, wordStrength] = [point[places.strengths], point[places.strengths + 1]]
  const labelOfConcept = new Map(group.concepts.map((i, c) => [i, c]))
  const changed = <T>(list: readonly T[], change: (value: T, i: number, c: number) => T) =>
    list.map((value, i) => {
      const c = labelOfConcept.get(i)
      return c === undefined ? value : change(value, i, c)
    })
  const constant = (i: number, c: number) => (wordStrength - 1) * model.hidden[i] + point[places.constants + c]
  const shifted = (list: readonly number[]) => changed(list, (value, i, c) => value + constant(i, c))
  const corrected: VoteWeights = {
    ...votes,
    weights: votes.weights.map((row, k) =>
      row.map((weight, c) => voteStrength * weight + point[places.votes + k * C + c])
    ),
    silent: votes.silent.map((weight, c) => voteStrength * weight + point[places.silent + c])
  }
  return {
    ...model,
    weights: changed(model.weights, (row, _, c) => {
      const scaled = row.map(weight => wordStrength * weight)
      words.forEach((word, at) => {
        scaled[word] += point[at * C + c]
      })
      return scaled
    }),
    ...(model.errors && {errors: changed(model.errors, row => row.map(error => Math.abs(wordStrength) * error))}),
    silent: shifted(model.silent),
    fired: shifted(model.fired),
    hidden: shifted(model.hidden),
    votes: model.votes?.map((own, at) => (at === g ? corrected : own)) ?? [],
    certificate: {...model.certificate, labelled: rows.length}
  }
}
