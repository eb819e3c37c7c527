/**
 * One thing that speaks for a concept (log-odds above 0) or against it. `otherwise` is the probability of the concept if
 * just this were the other way round and the document were read again.
 */
export type Contribution =
  /** How common the concept is, before anything is read. */
  | {readonly kind: 'prior'; readonly probability: number; readonly logOdds: number}
  /** Another concept that is known, by what the network makes of it. Its words are part of the words' own figures. */
  | {
      readonly kind: 'known'
      readonly concept: string
      readonly present: boolean
      readonly logOdds: number
      readonly otherwise: number
    }
  /** The concept's own anchor. */
  | {readonly kind: 'anchor'; readonly fired: boolean; readonly logOdds: number; readonly otherwise: number}
  /**
   * A word that the concept can cause: how much more often it occurs (or is missing) with the concept than without, all
   * other concepts as common as usual. Infinite for a word that occurs and that nothing else can cause.
   */
  | {
      readonly kind: 'word'
      readonly word: string
      readonly present: boolean
      readonly logOdds: number
      readonly otherwise: number
    }
  /**
   * Another concept: what the document says of it, and what that says of this one, by the network and by words that both
   * can cause.
   */
  | {
      readonly kind: 'concept'
      readonly concept: string
      readonly probability: number
      /** The network ties the two directly. */
      readonly linked: boolean
      /** Words of the document that both can cause, the strongest first, three at most. */
      readonly sharedWords: readonly string[]
      readonly logOdds: number
      /** The probability if the other concept were known to be absent (or present, where it is probably absent). */
      readonly otherwise: number
    }
  /** What is too small to be named, together. */
  | {
      readonly kind: 'rest'
      readonly of: 'absent-words' | 'known-tags' | 'concepts'
      readonly count: number
      readonly logOdds: number
    }
