import type {Corpus} from '../data/index.ts'
import {withDefaults} from '../numeric/index.ts'
import {Counter} from './counter.ts'
import type {Counts} from './counts.ts'

export interface CountOptions {
  /** Share of the documents whose tags or labels are counted, for noise rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus(corpus: Corpus, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = withDefaults('countCorpus', countDefaults, options)
  const counter = new Counter({lexicon: corpus.lexicon, labelShare, seed})
  for (const {evidence, key, truth} of corpus.documents) counter.add(evidence, key, truth)
  return counter.finish()
}
