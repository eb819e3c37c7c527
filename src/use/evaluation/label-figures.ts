import {clamp, log, type Rng, rng} from '../../base/numeric/index.ts'
import {isTag, soleThreshold, type TagRule} from '../prediction/index.ts'
import {documentWeights, type Estimate, estimateOf, LEVEL} from './intervals.ts'

/** How reports of a concept agree with labels. */
export interface DecisionEstimates {
  readonly f1: Estimate
  readonly precision: Estimate
  readonly recall: Estimate
}

export interface ConceptEstimates extends DecisionEstimates {
  readonly concept: string
  /** Labelled documents: reported and present, present but not reported, reported but absent. */
  readonly hits: number
  readonly misses: number
  readonly alarms: number
  /** Labelled documents for this concept, whole ones and short answers. */
  readonly labelled: number
}

/** F1, precision and recall in all documents, from those that are labelled. */
export interface LabelFigures {
  /** All documents read. */
  readonly documents: number
  /** Whole labelled documents; short answers, which are labels of one concept. */
  readonly labelled: number
  readonly shortAnswers: number
  /** Unset where the rule has other thresholds for fired and silent anchors. */
  readonly threshold?: number
  readonly level: number
  /** All decisions together, from whole documents. */
  readonly micro: DecisionEstimates
  /** The mean over the `macroConcepts` reported so often that {@link LEAST_EXPECTED} whole labelled documents are expected among these. */
  readonly macro: DecisionEstimates
  readonly macroConcepts: number
  readonly concepts: readonly ConceptEstimates[]
}

/** Rarer concepts cannot be judged alone. The choice must not depend on labels: it would favour concepts lucky in the draw. */
const LEAST_EXPECTED = 5

const REPLICATES = 1000

/** A labelled document, by its number among all. */
export interface LabelledDocument {
  readonly document: number
  readonly probabilities: ArrayLike<number>
  /** For each concept `4 * label + stratum`, or -1 where it is not labelled. */
  readonly cells: Int8Array
  readonly drawn: 'random' | 'anchored'
}

/**
 * Adds up, for each concept, all documents by stratum: whether its anchor fires and whether it is reported (2 a + r). The
 * labelled documents of a stratum are a random sample of it, since whole documents are drawn from all and short answers from
 * those where the anchor fires; so the frequency of the concept among them, times the size of the stratum, estimates the
 * number of its documents with the concept. Intervals are by random weights of the labelled documents.
 */
export class LabelEvaluator {
  readonly #concepts: readonly string[]
  readonly #rule: TagRule
  /** Four for each concept, then those of all decisions. */
  readonly #sizes: Float64Array
  readonly labelled: LabelledDocument[] = []
  #documents = 0

  constructor(concepts: readonly string[], rule: TagRule) {
    this.#concepts = concepts
    this.#rule = rule
    this.#sizes = new Float64Array(4 * (concepts.length + 1))
  }

  /** `labels`: 1 present, 0 absent, -1 unknown; undefined for a document without labels. */
  add(
    probabilities: ArrayLike<number>,
    fired: readonly number[],
    labels?: ArrayLike<number>,
    drawn: LabelledDocument['drawn'] = 'random'
  ): void {
    const cells = Int8Array.from(this.#concepts, (_, i) => {
      const isFired = fired.includes(i)
      const stratum = (isFired ? 2 : 0) + (isTag(this.#rule, i, probabilities[i], isFired) ? 1 : 0)
      this.#sizes[4 * i + stratum]++
      this.#sizes[4 * this.#concepts.length + stratum]++
      return labels !== undefined && labels[i] >= 0 ? 4 * labels[i] + stratum : -1
    })
    const document = this.#documents++
    if (labels !== undefined) this.labelled.push({document, probabilities, cells, drawn})
  }

  /** By some of the labelled documents, or all. */
  finish(seed: number, labelled: readonly LabelledDocument[] = this.labelled): JudgedLabels {
    const m = this.#concepts.length
    const random = rng(seed).stream('label figures')
    const weights = documentWeights(labelled.length, REPLICATES, seed)
    const exact = this.#totals(labelled, new Float32Array(labelled.length).fill(1), () => 0)
    const drawn = Array.from(weights, own => this.#totals(labelled, own, () => drawHalf(random)))
    const estimates = (i: number) =>
      eachFigure(of =>
        estimateOf(
          of(exact[i]),
          drawn.map(totals => of(totals[i]))
        )
      )
    const whole = labelled.filter(one => one.drawn === 'random').length
    const least = (LEAST_EXPECTED / whole) * this.#documents
    const frequent = [...this.#concepts.keys()].filter(i => exact[i].reported >= least)
    const figures = {
      documents: this.#documents,
      labelled: whole,
      shortAnswers: labelled.length - whole,
      ...soleThreshold(this.#rule),
      level: LEVEL,
      micro: estimates(m),
      macro: meanOfConcepts(frequent, exact, drawn),
      macroConcepts: frequent.length,
      concepts: this.#concepts.map((concept, i) => {
        const count = (is: (cell: number) => boolean) => labelled.filter(({cells}) => is(cells[i])).length
        return {
          concept,
          hits: count(cell => cell === 5 || cell === 7),
          misses: count(cell => cell === 4 || cell === 6),
          alarms: count(cell => cell === 1 || cell === 3),
          labelled: count(cell => cell >= 0),
          ...estimates(i)
        }
      })
    }
    return {figures, decisions: {exact: exact[m], drawn: drawn.map(totals => totals[m])}}
  }

  /** For each concept, with the weights that `prior` gives to each stratum and label beforehand; then all decisions of whole documents. */
  #totals(labelled: readonly LabelledDocument[], weights: ArrayLike<number>, prior: () => number): Totals[] {
    const all = 8 * this.#concepts.length
    const sums = Float64Array.from({length: all + 8}, (_, at) => (at < all ? prior() : 0))
    labelled.forEach(({cells, drawn}, d) => {
      for (let i = 0; i < cells.length; i++) {
        if (cells[i] < 0) continue
        sums[8 * i + cells[i]] += weights[d]
        if (drawn === 'random') sums[all + cells[i]] += weights[d]
      }
    })
    return Array.from({length: this.#concepts.length + 1}, (_, i) =>
      totalsOf(this.#sizes.subarray(4 * i, 4 * i + 4), sums.subarray(8 * i, 8 * i + 8))
    )
  }
}

/** Numbers of documents: reported and present, reported, present. */
interface Totals {
  readonly hits: number
  readonly reported: number
  readonly present: number
}

/** Figures, and the totals of all decisions that they and their intervals are from. */
export interface JudgedLabels {
  readonly figures: LabelFigures
  readonly decisions: {readonly exact: Totals; readonly drawn: readonly Totals[]}
}

/** The figures of all decisions less those of another method that was asked about the same documents. */
export function labelDifferences({decisions: a}: JudgedLabels, {decisions: b}: JudgedLabels): DecisionEstimates {
  return eachFigure(of =>
    estimateOf(
      of(a.exact) - of(b.exact),
      a.drawn.map((totals, r) => of(totals) - of(b.drawn[r]))
    )
  )
}

/** By the frequencies in each stratum; one without labelled documents takes those of its twin, where the anchor does the opposite. */
function totalsOf(sizes: Float64Array, sums: Float64Array): Totals {
  const present = sizes.map((size, stratum) => {
    const at = sums[stratum] + sums[4 + stratum] > 0 ? stratum : (stratum + 2) % 4
    return size === 0 ? 0 : (size * sums[4 + at]) / (sums[at] + sums[4 + at])
  })
  const hits = present[1] + present[3]
  return {hits, reported: sizes[1] + sizes[3], present: hits + present[0] + present[2]}
}

const FIGURES: Readonly<Record<keyof DecisionEstimates, (totals: Totals) => number>> = {
  f1: ({hits, reported, present}) => (2 * hits) / (reported + present),
  precision: ({hits, reported}) => hits / reported,
  recall: ({hits, present}) => hits / present
}

function eachFigure(make: (of: (totals: Totals) => number) => Estimate): DecisionEstimates {
  return {f1: make(FIGURES.f1), precision: make(FIGURES.precision), recall: make(FIGURES.recall)}
}

/**
 * The mean over concepts. With few labels per concept frequencies are too high on average (a ratio whose misses are often
 * none), and the priors of many concepts add up to the opposite; the interval covers the draws about both.
 */
function meanOfConcepts(
  concepts: readonly number[],
  exact: readonly Totals[],
  drawn: readonly (readonly Totals[])[]
): DecisionEstimates {
  return eachFigure(of => {
    const meanBy = (totals: readonly Totals[]) => meanOfDefined(concepts.map(i => of(totals[i])))
    const [value, means] = [meanBy(exact), drawn.map(meanBy)]
    const shift = value - meanOfDefined(means)
    return estimateOf(value, [...means, ...means.map(mean => clamp(mean + shift, 0, 1))])
  })
}

function meanOfDefined(values: readonly number[]): number {
  const defined = values.filter(value => !Number.isNaN(value))
  return defined.reduce((sum, value) => sum + value, 0) / defined.length
}

/**
 * A draw from Gamma(1/2): half the square of a normal variable (Marsaglia's polar method). With such a weight before exponential
 * ones are added, the shares of two labels have the Beta distribution with Jeffreys' prior.
 */
function drawHalf(random: Rng): number {
  for (;;) {
    const [u, v] = [2 * random.next() - 1, 2 * random.next() - 1]
    const s = u * u + v * v
    if (s > 0 && s < 1) return (-u * u * log(s)) / s
  }
}

/** Whether the first is higher, as precise as tables are. */
export function isAhead(a: Estimate, b: Estimate): boolean {
  return Math.round(100 * a.value) > Math.round(100 * b.value)
}
