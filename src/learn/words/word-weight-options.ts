import {AdfaError, withDefaults} from '../../base/checks/index.ts'

/** The constants of the word weights; docs/words.md says what each is worth. */
export interface WordWeightOptions {
  /** Words speak together: each counts this share of what it would say alone. */
  readonly wordShare: number
  /** How many standard errors a word must be from independence before the counts let it speak. */
  readonly sigmas: number
  /** How far documents may move a weight from what the counts say of it: the variance of a normal prior around it. */
  readonly priorVariance: number
  /** Steps of each logistic regression; 0 leaves the weights as the counts have them. */
  readonly stepLimit: number
  /** Directions of words that keep the same company, learned beside the words; 0 for none. */
  readonly kinCount: number
  /** How far each may move the documents apart, as a standard deviation, before its weight. */
  readonly kinSpread: number
  /** The share of the likeliest strength that is used: words foretell anchors better than they tell concepts. */
  readonly slopeShare: number
  /** Words never speak more strongly than this; without held-out documents to ask, never more than 1. */
  readonly slopeLimit: number
  /** An anchor of another concept that fires counts this share of what it would say alone. */
  readonly companyShare: number
  /** The share of the words' say that is left where the anchor fired. */
  readonly firedShare: number
  /** Words count (words of the document / typical)^-lengthPower of what they would: those of long documents repeat each other. */
  readonly lengthPower: number
  /** The share of the documents that are held out to find the strength of the words. */
  readonly heldOut: number
  /** Decides which documents are held out. */
  readonly seed: number
}

export const wordWeightDefaults: WordWeightOptions = {
  wordShare: 0.3,
  sigmas: 4,
  priorVariance: 0.03,
  stepLimit: 8,
  kinCount: 50,
  kinSpread: 0.5,
  slopeShare: 0.5,
  slopeLimit: 1,
  companyShare: 0.7,
  firedShare: 0.3,
  lengthPower: 0.3,
  heldOut: 1 / 3,
  seed: 0
}

/** Fill up what is left out, and refuse what makes no sense. */
export function checkWordWeightOptions(options: Partial<WordWeightOptions> | undefined): WordWeightOptions {
  const full = withDefaults('learnWordWeights', wordWeightDefaults, options)
  const refuse = (name: keyof WordWeightOptions, rule: string) =>
    new AdfaError('bad-option', `learnWordWeights option "${name}" must be ${rule}; got ${full[name]}`)
  for (const name of ['wordShare', 'slopeShare', 'companyShare', 'firedShare', 'lengthPower'] as const)
    if (!(full[name] >= 0 && full[name] <= 1)) throw refuse(name, 'a share in [0, 1]')
  for (const name of ['sigmas', 'kinSpread', 'slopeLimit'] as const)
    if (!(full[name] >= 0 && full[name] < Number.POSITIVE_INFINITY)) throw refuse(name, 'a number from 0 on')
  if (!(full.priorVariance > 0 && full.priorVariance < Number.POSITIVE_INFINITY))
    throw refuse('priorVariance', 'a number above 0')
  if (!(Number.isInteger(full.stepLimit) && full.stepLimit >= 0)) throw refuse('stepLimit', 'a whole number from 0 on')
  if (!(Number.isInteger(full.kinCount) && full.kinCount >= 0)) throw refuse('kinCount', 'a whole number from 0 on')
  if (!(full.heldOut > 0 && full.heldOut < 1)) throw refuse('heldOut', 'a share above 0 and below 1')
  if (!Number.isSafeInteger(full.seed)) throw refuse('seed', 'a whole number')
  return full
}
