/** A model that a few thousand documents identify: for tests of falling errors and of interval coverage. */
export const learnable = {
  concepts: 6,
  prevalence: [0.15, 0.35],
  edgeStrength: [1.5, 2.5],
  truePositive: [0.6, 0.9],
  falsePositive: [0.01, 0.05],
  failure: [0.3, 0.8],
  leak: [0.05, 0.2]
} as const
