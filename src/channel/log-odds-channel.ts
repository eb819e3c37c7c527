import type {Company} from './company.ts'

/** Words as log-odds: how they speak when a model predicts. Plain data, as it stands in the model file. */
export interface LogOddsChannel {
  readonly kind: 'log-odds'
  /** What anchors and tags of other concepts say. */
  readonly company: Company
  /** `weights[i][j]`: what word j, where it occurs, adds to the log-odds of concept i. Absent words say nothing. */
  readonly weights: readonly (readonly number[])[]
  /** Where the anchor of concept i is silent, its log-odds are those of its company, and this, and the words. */
  readonly silent: readonly number[]
  /** Where it fired they are this, and `firedShare` of the words: a fired anchor is believed at its precision. */
  readonly fired: readonly number[]
  readonly firedShare: number
  /** The probability from which on a concept is best reported, if F1 is what counts. */
  readonly threshold: number
  readonly certificate: LogOddsCertificate
}

export interface LogOddsCertificate {
  /** 'documents': weights and strength were learned from documents too; 'counts': from counts alone. */
  readonly source: 'documents' | 'counts'
  readonly documents: number
  /** How strongly the words speak, already part of the weights. */
  readonly slope: number
  /** The strength under which the anchors of held-out documents are likeliest; undefined from counts alone. */
  readonly likeliestSlope: number | undefined
  /**
   * What the words add to the log-likelihood of a held-out document's anchors at that strength, in nats; undefined from
   * counts alone.
   */
  readonly anchorGain: number | undefined
  /** The F1 over all decisions that the model expects of itself at `threshold`. */
  readonly expectedF1: number
}
