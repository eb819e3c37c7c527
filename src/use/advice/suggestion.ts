import type {Candidate} from './rank-words.ts'
import type {Rival, WordClaim} from './word-company.ts'

/** A word that may be added to an anchor. */
export interface Suggestion extends WordClaim, Pick<Candidate, 'score' | 'basis' | 'likeness'> {
  readonly word: string
  /** Another concept that it may speak for as well. */
  readonly rival: (Omit<Rival, 'concept'> & {readonly concept: string}) | undefined
  /** Another concept whose names it is like as much. */
  readonly namesake: string | undefined
  /** Why it is suggested, in plain words. */
  readonly reason: string
  /** What speaks against it. */
  readonly warnings: readonly string[]
}
