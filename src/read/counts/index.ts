export {addCounts} from './add-counts.ts'
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
export {countCorpus} from './count-corpus.ts'
export {type CountOptions, checkCountOptions, countDefaults} from './count-options.ts'
export {countPackedRange} from './count-packed.ts'
export {Counter} from './counter.ts'
export {
  type Counts,
  type CountsHeader,
  isLabelled,
  labelledDocuments,
  type PatternCount,
  type ProtocolMark
} from './counts.ts'
export {countsFromBytes, countsToBytes, isCountsFile} from './counts-file.ts'
export {countsFromPatterns} from './counts-from-patterns.ts'
export {countsOfTables, type SetCount} from './counts-of-tables.ts'
export {dropConcepts} from './drop-concepts.ts'
export {memberFlags} from './member-flags.ts'
export {headerDifference, mergeCounts} from './merge-counts.ts'
export {DocumentPacker, type PackedCorpus, type PackedDocuments, packCorpus} from './packed-documents.ts'
export {type ResampleOptions, resampleCounts} from './resample-counts.ts'
export {describeShards, missingShards, oneShard, requireComplete, type Shards, shardList} from './shards.ts'
export {
  describeTables,
  type NoisePart,
  type NoiseStatement,
  noiseVariance,
  requireOrder,
  requirePatterns,
  type SiteStatement,
  type TableStatement
} from './table-statement.ts'
