import {bestThreshold} from '../../learn/robust/index.ts'

/** Figures of a method, as their intervals are named. */
export const figureNames = [
  'lastTag',
  'tagLogLikelihood',
  'averagePrecision',
  'macroAuc',
  'microF1',
  'macroF1',
  'microF1AtThreshold',
  'macroF1AtThreshold',
  'brier',
  'calibrationError'
] as const

export type FigureName = (typeof figureNames)[number]

export const conceptFigureNames = ['f1', 'precision', 'recall', 'averagePrecision'] as const

export type ConceptFigureName = (typeof conceptFigureNames)[number]

/** One list per concept, with one entry per label: probabilities, or labels (0 or 1). */
export type Columns = readonly ArrayLike<number>[]

/** What a method says of documents, and what is true. */
export interface Judgement {
  readonly probabilities: Columns
  readonly labels: Columns
  /** The documents that the labels belong to. */
  readonly numbers: Columns
  /** 1 where the method reports the concept by its own rule. */
  readonly tagged: Columns
  /** By document; NaN where the document has none. */
  readonly lastTag: readonly number[]
  readonly logTags: readonly number[]
}

/** All figures of documents that each count as often as their weight says. */
export interface WeightedFigures extends Readonly<Record<FigureName, number>> {
  /** By bin: the sum of probabilities less labels, over the number of labels. */
  readonly gaps: Float64Array
  /** By the rule of the method; without a document that has the concept, F1 and recall are NaN. */
  readonly concepts: readonly (Readonly<Record<ConceptFigureName, number>> & {readonly present: number})[]
}

/** A concept is reported at this probability or more, unless a method has a rule of its own. */
const EVEN = 0.5

export const BIN_COUNT = 15

export function binOf(probability: number): number {
  return Math.min(BIN_COUNT - 1, Math.floor(probability * BIN_COUNT))
}

/** The reports of a method without a rule: by the threshold of the highest F1 that its probabilities let expect. */
export function expectedBest(probabilities: Columns, threshold = bestThreshold(probabilities)) {
  const tagged = probabilities.map(column => Uint8Array.from(column, p => (p >= threshold ? 1 : 0)))
  return {tagged, threshold, chosenOn: 'these documents' as const}
}

/**
 * Sorts the documents by each concept once; the function that it returns has the figures of any weights. Cost of a call: O(documents x
 * concepts).
 */
export function createFigures(judgement: Judgement): (weights: ArrayLike<number>) => WeightedFigures {
  const ranked = judgement.probabilities.map((_, i) => rank(judgement, i))
  const {squares, counts, gaps, bins, owners} = documentSums(judgement)
  const lastTag = meanOf(judgement.lastTag)
  const logTags = meanOf(judgement.logTags)
  return weights => {
    const swept = ranked.map(one => sweep(one, weights))
    const occurring = swept.filter((_, i) => ranked[i].present > 0)
    const parted = swept.filter((_, i) => ranked[i].present > 0 && ranked[i].present < ranked[i].documents.length)
    const labels = weightedSum(counts, weights)
    const gapSums = new Float64Array(BIN_COUNT)
    for (let at = 0; at < gaps.length; at++) gapSums[bins[at]] += gaps[at] * weights[owners[at]]
    const shares = gapSums.map(sum => sum / labels)
    return {
      lastTag: lastTag(weights),
      tagLogLikelihood: logTags(weights),
      averagePrecision: mean(occurring.map(one => one.averagePrecision)),
      macroAuc: mean(parted.map(one => one.area)),
      microF1: f1Of(total(swept.map(one => one.even))),
      macroF1: mean(occurring.map(one => f1Of(one.even))),
      microF1AtThreshold: f1Of(total(swept.map(one => one.own))),
      macroF1AtThreshold: mean(occurring.map(one => f1Of(one.own))),
      brier: weightedSum(squares, weights) / labels,
      calibrationError: shares.reduce((sum, gap) => sum + Math.abs(gap), 0),
      gaps: shares,
      concepts: swept.map(({averagePrecision, own: {hits, reported, present}}, i) => ({
        f1: present > 0 ? (2 * hits) / (reported + present) : Number.NaN,
        precision: hits / reported,
        recall: hits / present,
        averagePrecision,
        present: ranked[i].present
      }))
    }
  }
}

/** Documents of a concept, the most probable first. */
interface Ranked {
  readonly documents: Uint32Array
  readonly isPresent: Uint8Array
  readonly present: number
  /** Where runs of equal probabilities end; neighbouring runs without the concept are one. */
  readonly ends: readonly number[]
  /** The places of the documents in which the concept is reported: at a probability of 0.5, and by the rule of the method. */
  readonly even: Uint32Array
  readonly own: Uint32Array
}

function rank({probabilities, labels, numbers, tagged}: Judgement, i: number): Ranked {
  const scores = probabilities[i]
  const order = Uint32Array.from({length: scores.length}, (_, at) => at).sort((a, b) => scores[b] - scores[a])
  const isPresent = Uint8Array.from(order, at => labels[i][at])
  const places = order.map((_, place) => place)
  const ends: number[] = []
  let wasPlain = false
  for (let at = 0; at < order.length; ) {
    const first = at
    let isPlain = true
    for (; at < order.length && scores[order[at]] === scores[order[first]]; at++) isPlain &&= isPresent[at] === 0
    if (isPlain && wasPlain) ends.pop()
    ends.push(at)
    wasPlain = isPlain
  }
  return {
    documents: Uint32Array.from(order, at => numbers[i][at]),
    isPresent,
    present: isPresent.reduce((sum, one) => sum + one, 0),
    ends,
    even: places.filter(place => scores[order[place]] >= EVEN),
    own: places.filter(place => tagged[i][order[place]] === 1)
  }
}

/** Average precision, area under the ROC curve, and what the two rules report. */
function sweep({documents, isPresent, ends, even, own}: Ranked, weights: ArrayLike<number>) {
  let hits = 0
  let alarms = 0
  let precision = 0
  let lost = 0
  let at = 0
  for (const end of ends) {
    let runHits = 0
    let runAlarms = 0
    for (; at < end; at++) {
      const weight = weights[documents[at]]
      runHits += weight * isPresent[at]
      runAlarms += weight
    }
    runAlarms -= runHits
    lost += runHits * (alarms + runAlarms / 2)
    hits += runHits
    alarms += runAlarms
    if (runHits > 0) precision += (runHits * hits) / (hits + alarms)
  }
  const reports = (places: Uint32Array): Reports => {
    let reportedHits = 0
    let reported = 0
    for (const place of places) {
      const weight = weights[documents[place]]
      reportedHits += weight * isPresent[place]
      reported += weight
    }
    return {hits: reportedHits, reported, present: hits}
  }
  return {
    averagePrecision: precision / hits,
    area: 1 - lost / (hits * alarms),
    even: reports(even),
    own: reports(own)
  }
}

/** Weights of documents: reported and present, reported, present. */
interface Reports {
  readonly hits: number
  readonly reported: number
  readonly present: number
}

function f1Of({hits, reported, present}: Reports): number {
  return (2 * hits) / (reported + present)
}

function total(all: readonly Reports[]): Reports {
  const sum = (name: keyof Reports) => all.reduce((so, one) => so + one[name], 0)
  return {hits: sum('hits'), reported: sum('reported'), present: sum('present')}
}

/** Without any, NaN. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The mean of the values that are there. */
function meanOf(values: readonly number[]): (weights: ArrayLike<number>) => number {
  const known = Float64Array.from(values, value => (Number.isNaN(value) ? 0 : value))
  const isKnown = Float64Array.from(values, value => (Number.isNaN(value) ? 0 : 1))
  return weights => weightedSum(known, weights) / weightedSum(isKnown, weights)
}

function weightedSum(values: Float64Array, weights: ArrayLike<number>): number {
  let sum = 0
  for (let d = 0; d < values.length; d++) if (values[d] !== 0) sum += values[d] * weights[d]
  return sum
}

/** By document: squared errors and labels; and probabilities less labels, summed by document (`owners`) and bin. */
function documentSums({probabilities, labels, numbers, lastTag}: Judgement) {
  const [squares, counts] = [new Float64Array(lastTag.length), new Float64Array(lastTag.length)]
  const gaps = new Float64Array(lastTag.length * BIN_COUNT)
  probabilities.forEach((scores, i) => {
    for (let at = 0; at < scores.length; at++) {
      const gap = scores[at] - labels[i][at]
      const d = numbers[i][at]
      squares[d] += gap * gap
      counts[d]++
      gaps[d * BIN_COUNT + binOf(scores[at])] += gap
    }
  })
  const places = Uint32Array.from(gaps, (_, at) => at).filter(at => gaps[at] !== 0)
  return {
    squares,
    counts,
    gaps: Float64Array.from(places, at => gaps[at]),
    bins: places.map(at => at % BIN_COUNT),
    owners: places.map(at => Math.floor(at / BIN_COUNT))
  }
}
