import type {WeightBlock} from './resampling.ts'

/** Documents of a concept, the most probable first. */
export interface Ranked {
  readonly documents: Uint32Array
  readonly isPresent: Uint8Array
  readonly present: number
  /** Where runs of equal scores end; neighbouring runs without the concept are one. */
  readonly ends: readonly number[]
  /** The places of the documents that each rule reports. */
  readonly reported: readonly (readonly number[])[]
}

/** Sums of weights, one for each replicate. */
export interface Reports {
  readonly hits: Float64Array
  readonly alarms: Float64Array
  readonly present: Float64Array
}

/** Figures of a ranking, one for each replicate; `reports` by rule. */
export interface Sweep {
  readonly averagePrecision: Float64Array
  readonly area: Float64Array
  readonly reports: readonly Reports[]
}

/** What is known of one concept: documents with a label, by their numbers, their scores, and the order of these. */
export interface Scored {
  readonly documents: ArrayLike<number>
  readonly scores: ArrayLike<number>
  readonly labels: ArrayLike<number>
  readonly order: Uint32Array
  /** 1 where the method reports the concept by its own rule. */
  readonly tagged: ArrayLike<number>
}

export const EVEN = 0.5

/** Sorts documents, and finds those that are reported from a probability of 0.5 on, and by the rule of the method. */
export function rank({documents, scores, labels, order, tagged}: Scored): Ranked {
  const isPresent = Uint8Array.from(order, at => labels[at])
  const rules = [(at: number) => scores[at] >= EVEN, (at: number) => tagged[at] === 1]
  const reported = rules.map(isReported => [...order.keys()].filter(place => isReported(order[place])))
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
    documents: Uint32Array.from(order, at => documents[at]),
    isPresent,
    present: isPresent.reduce((sum, one) => sum + one, 0),
    ends,
    reported
  }
}

/** Average precision, area under the ROC curve, and reports, with the weights of a block in place of counts. */
export function sweep({documents, isPresent, ends, reported}: Ranked, {size, weights}: WeightBlock): Sweep {
  const zeros = () => new Float64Array(size)
  const [hits, alarms, runHits, runAlarms, precision, lost] = [1, 2, 3, 4, 5, 6].map(zeros)
  let at = 0
  for (const end of ends) {
    let isPlain = true
    for (let place = at; place < end; place++) isPlain &&= isPresent[place] === 0
    for (; at < end; at++)
      addWeights(isPlain ? alarms : isPresent[at] ? runHits : runAlarms, weights, documents[at] * size)
    for (let r = 0; r < size && !isPlain; r++) {
      lost[r] += runHits[r] * (alarms[r] + runAlarms[r] / 2)
      hits[r] += runHits[r]
      alarms[r] += runAlarms[r]
      precision[r] += (runHits[r] * hits[r]) / (hits[r] + alarms[r])
      runHits[r] = 0
      runAlarms[r] = 0
    }
  }
  const reports = reported.map(places => {
    const [reportedHits, reportedAlarms] = [zeros(), zeros()]
    for (const place of places)
      addWeights(isPresent[place] ? reportedHits : reportedAlarms, weights, documents[place] * size)
    return {hits: reportedHits, alarms: reportedAlarms, present: hits}
  })
  return {
    averagePrecision: precision.map((sum, r) => sum / hits[r]),
    area: lost.map((sum, r) => 1 - sum / (hits[r] * alarms[r])),
    reports
  }
}

/** Figures over all concepts, one for each replicate, by both rules of {@link rank}. */
export function rankingDraws(ranked: readonly Ranked[], swept: readonly Sweep[]) {
  const occurring = swept.filter((_, i) => ranked[i].present > 0)
  const parted = swept.filter((_, i) => ranked[i].present > 0 && ranked[i].present < ranked[i].documents.length)
  const [even, own] = [0, 1].map(at => ({
    micro: f1Of(totals(swept.map(({reports}) => reports[at]))),
    macro: mean(occurring.map(({reports}) => f1Of(reports[at])))
  }))
  return {
    averagePrecision: mean(occurring.map(({averagePrecision}) => averagePrecision)),
    macroAuc: mean(parted.map(({area}) => area)),
    microF1: even.micro,
    macroF1: even.macro,
    microF1AtThreshold: own.micro,
    macroF1AtThreshold: own.macro
  }
}

function addWeights(sums: Float64Array, weights: Float32Array, from: number): void {
  for (let r = 0; r < sums.length; r++) sums[r] += weights[from + r]
}

function totals(all: readonly Reports[]): Reports {
  const total = (name: keyof Reports) => added(all.map(one => one[name]))
  return {hits: total('hits'), alarms: total('alarms'), present: total('present')}
}

export function f1Of({hits, alarms, present}: Reports): Float64Array {
  return hits.map((sum, r) => (2 * sum) / (sum + alarms[r] + present[r]))
}

/** Without any, NaN. */
function mean(all: readonly Float64Array[]): Float64Array {
  return added(all).map(sum => sum / all.length)
}

function added(all: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array(), ...rest] = all
  return first.map((value, r) => rest.reduce((sum, one) => sum + one[r], value))
}

/** Places from the highest score to the lowest. */
export function descending(scores: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({length: scores.length}, (_, at) => at).sort((a, b) => scores[b] - scores[a])
}
