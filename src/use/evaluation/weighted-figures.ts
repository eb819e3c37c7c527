const OWN = 'by the rule for tags that each method has or chooses for itself'

const COLUMNS = {
  lastTag: ['last tag', 'how often a tag that is hidden from a document is found again, given its other tags'],
  tagLogLikelihood: [
    'log P(tags)',
    'mean log-likelihood of the tags of a document before its text is read; closer to 0 is better'
  ],
  averagePrecision: [
    'avg. precision',
    'how well documents are ranked for each concept, with most weight on the top of the list'
  ],
  macroAuc: ['AUC', 'how often a document with a concept is ranked above one without; 0.5 is chance'],
  microF1: [
    'micro F1',
    'harmonic mean of precision and recall over all decisions; a concept is reported from a probability of 0.5'
  ],
  macroF1: ['macro F1', 'F1 of each concept, averaged'],
  microF1AtThreshold: ['micro F1*', `micro F1 ${OWN}`],
  macroF1AtThreshold: ['macro F1*', `macro F1 ${OWN}`],
  brier: ['Brier', 'mean squared error of the probabilities; lower is better'],
  calibrationError: ['calibration', 'mean gap between probabilities and how often they come true; lower is better']
} as const

export type FigureName = keyof typeof COLUMNS

/** A figure of an evaluation as tables show it. */
export interface FigureColumn {
  readonly key: FigureName
  readonly name: string
  /** An explanation for readers of tables. */
  readonly meaning: string
  readonly digits: number
  readonly better: 'high' | 'low'
}

export const figureColumns = Object.entries(COLUMNS).map(([key, [name, meaning]]): FigureColumn => {
  const isError = key === 'brier' || key === 'calibrationError'
  return {key: key as FigureName, name, meaning, digits: isError ? 4 : 3, better: isError ? 'low' : 'high'}
})

export function byFigure<T>(make: (key: FigureName, column: FigureColumn) => T): Record<FigureName, T> {
  return Object.fromEntries(figureColumns.map(column => [column.key, make(column.key, column)])) as Record<
    FigureName,
    T
  >
}

export const conceptFigureNames = ['f1', 'precision', 'recall', 'averagePrecision'] as const

export type ConceptFigureName = (typeof conceptFigureNames)[number]

/** What a method says of one concept, and what is true: one entry for each document with a label. */
export interface JudgedConcept {
  /** The numbers of the documents. */
  readonly documents: ArrayLike<number>
  readonly probabilities: ArrayLike<number>
  /** 1 where the concept is present. */
  readonly labels: ArrayLike<number>
  /** Whether the method reports the concept by its own rule. */
  readonly tagged: ArrayLike<boolean>
}

/** What a method says of documents, and what is true. */
export interface Judgement {
  readonly concepts: readonly JudgedConcept[]
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

const BIN_COUNT = 15

function binOf(probability: number): number {
  return Math.min(BIN_COUNT - 1, Math.floor(probability * BIN_COUNT))
}

/**
 * Sorts the documents by each concept once; the function that it returns has the figures of any weights. Cost of a call: O(documents x
 * concepts).
 */
export function createFigures({
  concepts,
  lastTag,
  logTags
}: Judgement): (weights: ArrayLike<number>) => WeightedFigures {
  const ranked = concepts.map(rank)
  return weights => {
    const swept = ranked.map(one => sweep(one, weights))
    const occurring = swept.filter((_, i) => ranked[i].present > 0)
    const parted = swept.filter((_, i) => ranked[i].present > 0 && ranked[i].present < ranked[i].documents.length)
    const labels = sumOf(swept, one => one.labels)
    const gaps = Float64Array.from({length: BIN_COUNT}, (_, bin) => sumOf(swept, one => one.gaps[bin]) / labels)
    return {
      lastTag: weightedMean(lastTag, weights),
      tagLogLikelihood: weightedMean(logTags, weights),
      averagePrecision: meanOf(occurring, one => one.averagePrecision),
      macroAuc: meanOf(parted, one => one.area),
      microF1: pooledF1(swept, one => one.even),
      macroF1: meanOf(occurring, one => pooledF1([one], ({even}) => even)),
      microF1AtThreshold: pooledF1(swept, one => one.own),
      macroF1AtThreshold: meanOf(occurring, one => pooledF1([one], ({own}) => own)),
      brier: sumOf(swept, one => one.squares) / labels,
      calibrationError: gaps.reduce((sum, gap) => sum + Math.abs(gap), 0),
      gaps,
      concepts: swept.map((one, i) => ({
        f1: one.present > 0 ? pooledF1([one], ({own}) => own) : Number.NaN,
        precision: one.own.hits / one.own.reported,
        recall: one.own.hits / one.present,
        averagePrecision: one.averagePrecision,
        present: ranked[i].present
      }))
    }
  }
}

/** Documents of a concept, the most probable first. */
interface Ranked {
  readonly documents: Uint32Array
  readonly probabilities: Float64Array
  readonly isPresent: Uint8Array
  readonly present: number
  readonly isTagged: Uint8Array
}

function rank({documents, probabilities, labels, tagged}: JudgedConcept): Ranked {
  const order = Uint32Array.from(documents, (_, at) => at).sort((a, b) => probabilities[b] - probabilities[a])
  const isPresent = Uint8Array.from(order, at => labels[at])
  return {
    documents: order.map(at => documents[at]),
    probabilities: Float64Array.from(order, at => probabilities[at]),
    isPresent,
    present: isPresent.reduce((sum, one) => sum + one, 0),
    isTagged: Uint8Array.from(order, at => (tagged[at] ? 1 : 0))
  }
}

/** Weights of documents that a rule reports, and of those among them that have the concept. */
interface Reports {
  hits: number
  reported: number
}

/** One concept by weighted documents: its area under the ROC curve, its average precision, and sums over the documents. */
interface Swept {
  readonly averagePrecision: number
  readonly area: number
  readonly present: number
  readonly labels: number
  readonly even: Reports
  readonly own: Reports
  readonly squares: number
  readonly gaps: Float64Array
}

function sweep({documents, probabilities, isPresent, isTagged}: Ranked, weights: ArrayLike<number>): Swept {
  const even = {hits: 0, reported: 0}
  const own = {hits: 0, reported: 0}
  const gaps = new Float64Array(BIN_COUNT)
  let hits = 0
  let alarms = 0
  let precision = 0
  let lost = 0
  let squares = 0
  for (let at = 0; at < documents.length; ) {
    const p = probabilities[at]
    let runHits = 0
    let runAlarms = 0
    for (; at < documents.length && probabilities[at] === p; at++) {
      const weight = weights[documents[at]]
      const hit = weight * isPresent[at]
      runHits += hit
      runAlarms += weight - hit
      if (isTagged[at] === 1) {
        own.hits += hit
        own.reported += weight
      }
    }
    if (p >= EVEN) {
      even.hits += runHits
      even.reported += runHits + runAlarms
    }
    gaps[binOf(p)] += p * runAlarms - (1 - p) * runHits
    squares += p * p * runAlarms + (1 - p) * (1 - p) * runHits
    lost += runHits * (alarms + runAlarms / 2)
    hits += runHits
    alarms += runAlarms
    if (runHits > 0) precision += (runHits * hits) / (hits + alarms)
  }
  return {
    averagePrecision: precision / hits,
    area: 1 - lost / (hits * alarms),
    present: hits,
    labels: hits + alarms,
    even,
    own,
    squares,
    gaps
  }
}

function pooledF1(swept: readonly Swept[], of: (one: Swept) => Reports): number {
  const hits = sumOf(swept, one => of(one).hits)
  return (2 * hits) / sumOf(swept, one => of(one).reported + one.present)
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

/** Without any, NaN. */
function meanOf<T>(items: readonly T[], of: (item: T) => number): number {
  return sumOf(items, of) / items.length
}

/** The mean of the values that are there. */
function weightedMean(values: readonly number[], weights: ArrayLike<number>): number {
  let [sum, total] = [0, 0]
  for (let d = 0; d < values.length; d++) {
    if (Number.isNaN(values[d])) continue
    sum += values[d] * weights[d]
    total += weights[d]
  }
  return sum / total
}

/** The predictions whose probabilities fall into one bin. */
export interface ReliabilityBin {
  readonly meanProbability: number
  /** The share of them in which the concept is present. */
  readonly shareFound: number
  /** The number of predictions, one per document and concept. */
  readonly count: number
}

/** The reliability curve. Where probabilities are calibrated, the mean probability and the share found of a bin agree. */
export function reliabilityCurve(concepts: readonly JudgedConcept[]): ReliabilityBin[] {
  const bins = Array.from({length: BIN_COUNT}, () => ({sum: 0, found: 0, count: 0}))
  for (const {probabilities, labels} of concepts)
    for (let at = 0; at < probabilities.length; at++) {
      const bin = bins[binOf(probabilities[at])]
      bin.sum += probabilities[at]
      bin.found += labels[at]
      bin.count++
    }
  return bins
    .filter(({count}) => count > 0)
    .map(({sum, found, count}) => ({meanProbability: sum / count, shareFound: found / count, count}))
}

/** The share of probabilities of exactly 0 or 1. */
export function saturatedShare(concepts: readonly JudgedConcept[]): number {
  const stuck = sumOf(concepts, ({probabilities}) => Array.from(probabilities).filter(p => p === 0 || p === 1).length)
  return stuck / sumOf(concepts, ({probabilities}) => probabilities.length)
}

/** A document, by its number among those that were evaluated, that a concept is reported in wrongly or not at all. */
export interface WrongDocument {
  readonly document: number
  readonly probability: number
}

/** Where the reports of one concept disagree with the tags. */
export interface ConceptMistakes {
  readonly tags: number
  /** Reported without a tag, the most probable first. */
  readonly alarms: readonly WrongDocument[]
  /** Tagged and not reported, the least probable first. */
  readonly misses: readonly WrongDocument[]
}

export function conceptMistakes({probabilities, labels, documents, tagged}: JudgedConcept): ConceptMistakes {
  const places = Array.from(documents, (_, at) => at)
  const wrong = (isTagged: boolean) =>
    places
      .filter(at => (labels[at] === 1) === isTagged && tagged[at] !== isTagged)
      .map(at => ({document: documents[at], probability: probabilities[at]}))
  return {
    tags: places.filter(at => labels[at] === 1).length,
    alarms: wrong(false).sort((a, b) => b.probability - a.probability),
    misses: wrong(true).sort((a, b) => a.probability - b.probability)
  }
}
