import {withDefaults} from '../../base/checks/index.ts'
import type {Corpus} from '../data/index.ts'
import {type CountOptions, countDefaults} from './count-options.ts'
import {countPackedRange} from './count-packed.ts'
import type {Counts} from './counts.ts'
import {packCorpus} from './packed-documents.ts'

/** Count the documents of a corpus, grouped by anchor pattern. */
export function countCorpus(corpus: Corpus, options?: Partial<CountOptions>): Counts {
  const {labelShare, seed} = withDefaults('countCorpus', countDefaults, options)
  const {header, labelled, ...documents} = packCorpus(corpus, {labelShare, seed})
  return countPackedRange(header, documents, 0, documents.documentCount, labelled)
}
