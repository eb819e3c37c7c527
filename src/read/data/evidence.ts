/** A document as binary variables: what is 1, in ascending order; everything not listed is 0. */
export interface Evidence {
  /** Words of the vocabulary that occur. */
  readonly words: readonly number[]
  /** Concepts of which at least one anchor fired (the union the paper uses). */
  readonly anchors: readonly number[]
  /** Single anchor features that fired, numbered through all concepts in order. */
  readonly members: readonly number[]
}
