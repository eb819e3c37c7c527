import {above, atLeast, checkOptions, type Rules, whole, within} from '../../base/checks/index.ts'

/** The constants of the word weights; docs/words.md gives the effect of each. */
export interface WordWeightOptions {
  /** Words of a document are correlated, so each counts this share of its lone weight. */
  readonly wordShare: number
  /** Drops links within this many standard errors of independence. */
  readonly sigmas: number
  /** The variance of a normal prior of each weight around its value from counts. */
  readonly priorVariance: number
  /** Steps of each logistic regression; 0 keeps the weights from counts. */
  readonly stepLimit: number
  /** Directions of words that occur together, learned beside the words; 0 for none. */
  readonly kinCount: number
  /** The standard deviation of each direction over the documents, before its weight. */
  readonly kinSpread: number
  /** The share of the evidence from words that counts where the anchor fired. */
  readonly firedShare: number
  /** Scales weights by (words of the document / typical)^-lengthPower: words of long documents repeat each other. */
  readonly lengthPower: number
  /** Decides which documents are held out while the constants are set. */
  readonly seed: number
}

export const wordWeightDefaults: WordWeightOptions = {
  wordShare: 0.3,
  sigmas: 4,
  priorVariance: 0.03,
  stepLimit: 8,
  kinCount: 50,
  kinSpread: 0.5,
  firedShare: 0.3,
  lengthPower: 0.3,
  seed: 0
}

const RULES: Rules<WordWeightOptions> = {
  wordShare: within(0, 1),
  sigmas: atLeast(0),
  priorVariance: above(0),
  stepLimit: whole(0),
  kinCount: whole(0),
  kinSpread: atLeast(0),
  firedShare: within(0, 1),
  lengthPower: within(0, 1),
  seed: whole()
}

export function checkWordWeightOptions(options: Partial<WordWeightOptions> | undefined): WordWeightOptions {
  return checkOptions('learnWordWeights', wordWeightDefaults, RULES, options)
}
