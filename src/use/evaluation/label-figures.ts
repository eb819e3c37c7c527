import {clamp, log, type Rng, rng} from '../../base/numeric/index.ts'
import {isTag, soleThreshold, type TagRule} from '../prediction/index.ts'
import {DocumentWeights, figureOf, intervalText, type LabelFigure, LEVEL} from './resampling.ts'

/** How reports of a concept agree with labels. */
export interface DecisionEstimates {
  readonly f1: LabelFigure
  readonly precision: LabelFigure
  readonly recall: LabelFigure
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

/** A labelled document: for each concept `4 * label + stratum`, or -1 where it is not labelled. */
interface LabelledDocument {
  readonly cells: Int8Array
  readonly isWhole: boolean
}

/**
 * Adds up, for each concept, all documents by stratum: whether its anchor fires and whether it is reported (2 a + r). The
 * labelled documents of a stratum are a random sample of it, since whole documents are drawn from all and short answers from
 * those where the anchor fires; so the frequency of the concept among them, times the size of the stratum, estimates the
 * number of its documents with the concept.
 */
export class LabelEvaluator {
  readonly #concepts: readonly string[]
  readonly #rule: TagRule
  readonly #sizes: Float64Array
  readonly #labelled: LabelledDocument[] = []
  #documents = 0

  constructor(concepts: readonly string[], rule: TagRule) {
    this.#concepts = concepts
    this.#rule = rule
    this.#sizes = new Float64Array(4 * concepts.length)
  }

  /** Whole labelled documents so far. */
  get labelled(): number {
    return this.#labelled.filter(({isWhole}) => isWhole).length
  }

  /** `labels`: 1 present, 0 absent, -1 unknown; undefined for a document without labels. */
  add(
    probabilities: ArrayLike<number>,
    fired: readonly number[],
    labels?: ArrayLike<number>,
    drawn: 'random' | 'anchored' = 'random'
  ): void {
    this.#documents++
    const strata = this.#concepts.map((_, i) => {
      const isFired = fired.includes(i)
      return (isFired ? 2 : 0) + (isTag(this.#rule, i, probabilities[i], isFired) ? 1 : 0)
    })
    strata.forEach((stratum, i) => {
      this.#sizes[4 * i + stratum]++
    })
    if (labels === undefined) return
    const cells = Int8Array.from(strata, (stratum, i) => (labels[i] >= 0 ? 4 * labels[i] + stratum : -1))
    this.#labelled.push({cells, isWhole: drawn === 'random'})
  }

  finish(seed: number): LabelFigures {
    const whole = this.#labelled.filter(({isWhole}) => isWhole)
    const random = rng(seed).stream('label figures')
    const tables = this.#concepts.map((_, i) => ({
      sizes: this.#sizes.slice(4 * i, 4 * i + 4),
      cells: tally(this.#labelled, i)
    }))
    const draws = tables.map(table => drawTotals(table, random))
    const least = (LEAST_EXPECTED / whole.length) * this.#documents
    const micro = this.#microTotals(seed)
    const isFrequent = tables.map(({sizes}) => sizes[1] + sizes[3] >= least)
    return {
      documents: this.#documents,
      labelled: whole.length,
      shortAnswers: this.#labelled.length - whole.length,
      ...soleThreshold(this.#rule),
      level: LEVEL,
      micro: estimates(micro.value, micro.draws),
      macro: macroOf(
        tables.filter((_, i) => isFrequent[i]),
        draws.filter((_, i) => isFrequent[i])
      ),
      macroConcepts: isFrequent.filter(Boolean).length,
      concepts: tables.map((table, i) => conceptEstimates(this.#concepts[i], table, draws[i]))
    }
  }

  /** The figures of all decisions less those of another method that was asked about the same documents. */
  differencesFrom(other: LabelEvaluator, seed: number): DecisionEstimates {
    const [own, theirs] = [this.#microTotals(seed), other.#microTotals(seed)]
    return eachFigure(of =>
      figureOf(
        of(own.value) - of(theirs.value),
        own.draws.map((draw, r) => of(draw) - of(theirs.draws[r]))
      )
    )
  }

  /** The strata of all concepts together; whole documents are weighted at random. */
  #microTotals(seed: number): {readonly value: Totals; readonly draws: readonly Totals[]} {
    const whole = this.#labelled.filter(({isWhole}) => isWhole)
    const sizes = new Float64Array(4)
    this.#sizes.forEach((size, at) => {
      sizes[at % 4] += size
    })
    const rows = new Float64Array(8 * whole.length)
    whole.forEach(({cells}, at) => {
      for (const cell of cells) if (cell >= 0) rows[8 * at + cell]++
    })
    const totals = (weights: ArrayLike<number>) => {
      const cells = new Float64Array(8)
      for (let at = 0; at < rows.length; at++) cells[at % 8] += rows[at] * weights[at >> 3]
      return totalsOf({sizes, cells})
    }
    const weights = new DocumentWeights(whole.length, REPLICATES, seed)
    return {value: totals(new Float32Array(whole.length).fill(1)), draws: Array.from(weights, totals)}
  }
}

/** Strata of one concept: sizes in all documents, and labelled documents by `4 * label + stratum`. */
interface ConceptTable {
  readonly sizes: Float64Array
  readonly cells: Float64Array
}

function tally(labelled: readonly LabelledDocument[], i: number): Float64Array {
  const cells = new Float64Array(8)
  for (const {cells: own} of labelled) if (own[i] >= 0) cells[own[i]]++
  return cells
}

/** Numbers of documents: reported and present, reported, present. */
interface Totals {
  readonly hits: number
  readonly reported: number
  readonly present: number
}

function totalsFrom(sizes: Float64Array, shares: ArrayLike<number>): Totals {
  const hits = sizes[1] * shares[1] + sizes[3] * shares[3]
  return {
    hits,
    reported: sizes[1] + sizes[3],
    present: hits + sizes[0] * shares[0] + sizes[2] * shares[2]
  }
}

/** By frequencies; a stratum without labelled documents takes those of its twin, where the anchor does the opposite. */
function totalsOf({sizes, cells}: ConceptTable): Totals {
  const shares = [0, 1, 2, 3].map(stratum => {
    const twin = (stratum + 2) % 4
    const at = cells[stratum] + cells[4 + stratum] > 0 ? stratum : twin
    const labelled = cells[at] + cells[4 + at]
    return labelled > 0 ? cells[4 + at] / labelled : sizes[stratum] > 0 ? Number.NaN : 0
  })
  return totalsFrom(sizes, shares)
}

/** Draws of the shares, each from its Beta distribution with Jeffreys' prior. */
function drawTotals({sizes, cells}: ConceptTable, random: Rng): Totals[] {
  const shares = new Float64Array(4)
  return Array.from({length: REPLICATES}, () => {
    for (let stratum = 0; stratum < 4; stratum++)
      shares[stratum] = drawBeta(cells[4 + stratum] + 0.5, cells[stratum] + 0.5, random)
    return totalsFrom(sizes, shares)
  })
}

function conceptEstimates(concept: string, table: ConceptTable, draws: readonly Totals[]): ConceptEstimates {
  const {cells} = table
  return {
    concept,
    hits: cells[5] + cells[7],
    misses: cells[4] + cells[6],
    alarms: cells[1] + cells[3],
    labelled: cells.reduce((sum, count) => sum + count, 0),
    ...estimates(totalsOf(table), draws)
  }
}

const FIGURES: Readonly<Record<keyof DecisionEstimates, (totals: Totals) => number>> = {
  f1: ({hits, reported, present}) => (2 * hits) / (reported + present),
  precision: ({hits, reported}) => hits / reported,
  recall: ({hits, present}) => hits / present
}

function estimates(value: Totals, draws: readonly Totals[]): DecisionEstimates {
  return eachFigure(of => figureOf(of(value), draws.map(of)))
}

/**
 * The mean over concepts. With few labels per concept frequencies are too high on average (a ratio whose misses are often
 * none), and the priors of many concepts add up to the opposite; the interval covers the draws about both.
 */
function macroOf(tables: readonly ConceptTable[], draws: readonly (readonly Totals[])[]): DecisionEstimates {
  return eachFigure(of => {
    const value = meanOfDefined(tables.map(table => of(totalsOf(table))))
    const means = Array.from({length: REPLICATES}, (_, at) => meanOfDefined(draws.map(own => of(own[at]))))
    const shift = value - meanOfDefined(means)
    return figureOf(value, [...means, ...means.map(mean => clamp(mean + shift, 0, 1))])
  })
}

function meanOfDefined(values: readonly number[]): number {
  const defined = values.filter(value => !Number.isNaN(value))
  return defined.reduce((sum, value) => sum + value, 0) / defined.length
}

function eachFigure(make: (of: (totals: Totals) => number) => LabelFigure): DecisionEstimates {
  return {f1: make(FIGURES.f1), precision: make(FIGURES.precision), recall: make(FIGURES.recall)}
}

function drawBeta(a: number, b: number, random: Rng): number {
  const x = drawGamma(a, random)
  return x / (x + drawGamma(b, random))
}

/** Marsaglia and Tsang (2000); for shapes below 1, that of shape + 1 times U^(1 / shape). */
function drawGamma(shape: number, random: Rng): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random.next()) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = drawNormal(random)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && log(1 - random.next()) < (x * x) / 2 + d - d * v + d * log(v)) return d * v
  }
}

/** Marsaglia's polar method. */
function drawNormal(random: Rng): number {
  for (;;) {
    const [u, v] = [2 * random.next() - 1, 2 * random.next() - 1]
    const s = u * u + v * v
    if (s > 0 && s < 1) return u * Math.sqrt((-2 * log(s)) / s)
  }
}

/** Whether the first is higher, as precise as tables are. */
export function isAhead(a: LabelFigure, b: LabelFigure): boolean {
  return Math.round(100 * a.value) > Math.round(100 * b.value)
}

/** "0.63 (0.58 to 0.68)"; "-" where the labels cannot tell. */
export function labelFigureText({value, low, high}: LabelFigure): string {
  if (Number.isNaN(value)) return '-'
  return `${value.toFixed(2)} (${intervalText({low, high}, 2)})`
}
