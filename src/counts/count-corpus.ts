import type {Corpus} from '../data/index.ts'
import {AdfaError, withDefaults} from '../numeric/index.ts'
import {Counter} from './counter.ts'
import type {Counts} from './counts.ts'

export interface CountOptions {
  /** Share of the documents whose tags or labels are counted, for noise rates; 0 leaves them unread. */
  readonly labelShare: number
  readonly seed: number
}

export const countDefaults: CountOptions = {labelShare: 0, seed: 0}

/** Refuse values that make no sense. */
export function checkCountOptions<T extends CountOptions>(options: T): T {
  const {labelShare, seed} = options
  if (!(labelShare >= 0 && labelShare <= 1))
    throw new AdfaError('bad-option', `label-share is a share in [0, 1]; got ${labelShare}`)
  if (!Number.isSafeInteger(seed)) throw new AdfaError('bad-option', `seed is a whole number; got ${seed}`)
  return options
}

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus(corpus: Corpus, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = checkCountOptions(withDefaults('countCorpus', countDefaults, options))
  const counter = new Counter({lexicon: corpus.lexicon, labelShare, seed})
  for (const {evidence, key, truth} of corpus.documents) counter.add(evidence, key, truth)
  return counter.finish()
}
