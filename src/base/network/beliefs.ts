/** The evidence of one document on the concepts. */
export interface ConceptEvidence {
  /** The log-likelihood ratio of the document's own evidence on each concept. */
  readonly logOdds: Float64Array
  /** 1 for a concept whose probability follows from its own evidence alone; it still affects the others. */
  readonly settled: Uint8Array
  /** 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array
}

/** P(Y_i = 1 | evidence) of every concept for many documents; one document at a time. */
export interface Beliefs {
  /** Whether the probabilities are those of the network, but for rounding. */
  readonly isExact: boolean
  /** The log-odds of each concept without evidence. */
  readonly prior: Float64Array
  /** out[i] = the log-odds of concept i; of a labelled concept, unspecified. */
  run(evidence: ConceptEvidence, out: Float64Array): void
  /**
   * What each other concept contributed to `out[i]` in the last run; `out[i]` is the prior, the evidence on i and the sum
   * of all contributions. At place i: the part that cannot be attributed to one concept.
   */
  parts(i: number): Float64Array
  /** out[i] = the log-odds of concept i when exactly the `given` concepts are present among the others. */
  conditionalLogOdds(given: readonly number[], out: Float64Array): void
}
