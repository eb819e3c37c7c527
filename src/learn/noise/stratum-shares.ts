import {exp, log1p, sigmoid} from '../../base/numeric/index.ts'
import {fitHierarchy, type Hierarchy, type HierarchyCells, type HierarchyParameter} from './fit-hierarchy.ts'

import {type LabelledSample, labelledCells, stratumSize} from './labelled-sample.ts'

/** Documents of one concept with nearly the same score, on one side of its anchor. */
export interface LabelBin {
  /** 0 when documents are not scored. */
  readonly score: number
  /** Labelled documents that have the concept. */
  readonly positives: number
  /** Labelled documents that have not. */
  readonly negatives: number
  readonly unlabelled: number
}

export interface StratumShares {
  /** By concept, equally probable values, ascending, of the share of these documents that have it. */
  readonly points: readonly Float64Array[]
  readonly hierarchy: Omit<Hierarchy, 'posteriors'>
}

/** Grid of the level: deviations on either side, and cells per deviation; those of several slopes interleave. */
const REACH = 5
const LEVEL_CELLS = 8
const LEVEL_CELLS_BY_SLOPE = 4
/** Equally probable values that describe a distribution. */
const POINT_COUNT = 48
/** Cells of less probability do not matter. */
const LEAST_PROBABILITY = 1e-7
/** Means of the eight equally probable parts of a standard normal variable. */
const NORMAL_PARTS = [-1.647, -0.895, -0.491, -0.158, 0.158, 0.491, 0.895, 1.647]

/**
 * The share of documents that have each concept, among those where its anchor fires or among those where it does not.
 *
 * A document of score z has the concept with log-odds level + slope z; levels, and slopes if there are several, follow a
 * hierarchical model ({@link fitHierarchy}). The share is that of all documents in `strata`: labelled ones count as
 * labelled, the others by their log-odds and chance, so intervals shrink to 0 as everything is labelled.
 * Cost: O(cells x bins) per concept.
 */
export function stratumShares(
  strata: readonly (readonly LabelBin[])[],
  slopes: readonly number[],
  parameters: readonly HierarchyParameter[]
): StratumShares {
  const cells = strata.map(bins => labelCells(bins, slopes))
  const {posteriors, ...hierarchy} = fitHierarchy(cells, parameters)
  const points = strata.map((bins, i) => sharePoints(bins, cells[i], posteriors[i]))
  return {points, hierarchy}
}

/** The documents of each concept where its anchor fires, or where it does not, as one bin. */
export function unscoredBins(sample: LabelledSample, fires: 0 | 1): LabelBin[][] {
  return sample.anchoredCounts.map((_, i) => {
    const [negatives, positives] = labelledCells(sample, i, fires)
    return [{score: 0, positives, negatives, unlabelled: stratumSize(sample, i, fires) - positives - negatives}]
  })
}

/** The midpoints of `count` equally probable parts of a weighted sample, which is sorted in place. */
export function equalPoints(sample: {value: number; weight: number}[], count: number): Float64Array {
  sample.sort((a, b) => a.value - b.value)
  const total = sample.reduce((sum, {weight}) => sum + weight, 0)
  const points = new Float64Array(count)
  // `passed` is the weight up to the middle of entry `at`.
  let at = 0
  let passed = sample[0].weight / 2
  for (let part = 0; part < count; part++) {
    const wanted = ((part + 0.5) / count) * total
    let step = at + 1 < sample.length ? (sample[at].weight + sample[at + 1].weight) / 2 : 0
    while (at + 1 < sample.length && passed + step < wanted) {
      passed += step
      at++
      step = at + 1 < sample.length ? (sample[at].weight + sample[at + 1].weight) / 2 : 0
    }
    const next = sample[Math.min(at + 1, sample.length - 1)].value
    const share = step > 0 && wanted > passed ? (wanted - passed) / step : 0
    points[part] = sample[at].value + share * (next - sample[at].value)
  }
  return points
}

/** The value at a share of ascending, equally probable points. */
export function pointQuantile(points: Float64Array, share: number): number {
  const place = Math.min(Math.max(share * points.length - 0.5, 0), points.length - 1)
  const at = Math.floor(place)
  const next = points[Math.min(at + 1, points.length - 1)]
  return points[at] + (place - at) * (next - points[at])
}

/** The likelihood on a grid: for each slope, levels around the best fit. */
function labelCells(bins: readonly LabelBin[], slopes: readonly number[]): HierarchyCells {
  const labelled = bins.filter(({positives, negatives}) => positives + negatives > 0)
  const fineness = slopes.length > 1 ? LEVEL_CELLS_BY_SLOPE : LEVEL_CELLS
  const across = 2 * REACH * fineness + 1
  const levels = new Float64Array(across * slopes.length)
  const slopeValues = new Float64Array(levels.length)
  const logMasses = new Float64Array(levels.length)
  const widths = new Float64Array(levels.length)
  slopes.forEach((slope, h) => {
    const {level, deviation} = fitLevel(labelled, slope)
    for (let u = 0; u < across; u++) {
      const cell = h * across + u
      levels[cell] = level + (u / fineness - REACH) * deviation
      slopeValues[cell] = slope
      logMasses[cell] = logLikelihood(labelled, levels[cell], slope)
      widths[cell] = deviation
    }
  })
  const largest = logMasses.reduce((a, b) => Math.max(a, b))
  const masses = logMasses.map((value, cell) => widths[cell] * exp(value - largest))
  return {values: slopes.length > 1 ? [levels, slopeValues] : [levels], masses}
}

/** The level that fits the labels plus half a positive in one more document, and its standard deviation. */
function fitLevel(labelled: readonly LabelBin[], slope: number): {level: number; deviation: number} {
  let [positives, count] = [0, 0]
  for (const bin of labelled) {
    positives += bin.positives
    count += bin.positives + bin.negatives
  }
  const wanted = (count * (positives + 0.5)) / (count + 1)
  let [low, high] = [-60, 60]
  while (high - low > 1e-3) {
    const middle = (low + high) / 2
    let expected = 0
    for (const bin of labelled) expected += (bin.positives + bin.negatives) * sigmoid(middle + slope * bin.score)
    if (expected < wanted) low = middle
    else high = middle
  }
  const level = count === 0 ? 0 : (low + high) / 2
  // A quarter is the information of one document of even odds: without any label the deviation is 2, not infinite.
  let information = 0.25
  for (const bin of labelled) {
    const chance = sigmoid(level + slope * bin.score)
    information += (bin.positives + bin.negatives) * chance * (1 - chance)
  }
  return {level, deviation: 1 / Math.sqrt(information)}
}

function logLikelihood(labelled: readonly LabelBin[], level: number, slope: number): number {
  let sum = 0
  for (const {score, positives, negatives} of labelled) {
    const z = level + slope * score
    sum += positives * z - (positives + negatives) * (Math.max(z, 0) + log1p(exp(-Math.abs(z))))
  }
  return sum
}

function sharePoints(bins: readonly LabelBin[], {values, masses}: HierarchyCells, posterior: Float64Array) {
  let [known, labelled, unlabelled] = [0, 0, 0]
  for (const bin of bins) {
    known += bin.positives
    labelled += bin.positives + bin.negatives
    unlabelled += bin.unlabelled
  }
  const expected: {value: number; weight: number}[] = []
  for (let cell = 0; cell < masses.length; cell++) {
    if (posterior[cell] < LEAST_PROBABILITY) continue
    const slope = values.length > 1 ? values[1][cell] : 0
    let value = 0
    for (const bin of bins)
      if (bin.unlabelled > 0) value += bin.unlabelled * sigmoid(values[0][cell] + slope * bin.score)
    expected.push({value, weight: posterior[cell]})
  }
  const total = Math.max(labelled + unlabelled, 1)
  const counts: {value: number; weight: number}[] = []
  for (const mean of equalPoints(expected, POINT_COUNT)) {
    const deviation = unlabelled > 0 ? Math.sqrt(mean * (1 - mean / unlabelled)) : 0
    for (const part of NORMAL_PARTS) {
      const rest = Math.min(Math.max(mean + part * deviation, 0), unlabelled)
      counts.push({value: (known + rest) / total, weight: 1})
    }
  }
  return equalPoints(counts, POINT_COUNT)
}
