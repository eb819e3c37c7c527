export {anchorCellWords} from './anchor-cell-words.ts'
export {
  anchorPairCounts,
  anchorTable,
  anchorTripleCounts,
  anchorWordCounts,
  corpusTable,
  edgeWordCounts,
  wordTotals
} from './anchor-tables.ts'
export {type CountOptions, checkCountOptions, countCorpus, countDefaults} from './count-corpus.ts'
export {Counter} from './counter.ts'
export {type Counts, type CountsHeader, isLabelled, labelledDocuments} from './counts.ts'
export {countsFromBytes, countsToBytes, isCountsFile} from './counts-file.ts'
export {dropConcepts} from './drop-concepts.ts'
export {memberFlags} from './member-flags.ts'
export {mergeCounts} from './merge-counts.ts'
export {type ResampleOptions, resampleCounts} from './resample-counts.ts'
