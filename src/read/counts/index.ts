export {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorTripleCounts,
  anchorWordCounts,
  chooseThree,
  chooseTwo,
  edgeWordCounts,
  memberFlags,
  memberTotals,
  wordTotals
} from './anchor-tables.ts'
export {type CompactCounts, compactCounts, countsOfRun, expandCounts} from './compact-counts.ts'
export {Counter, countCorpus, countEncoded, countPackedRange} from './counter.ts'
export {
  type Counts,
  type CountsHeader,
  isLabelled,
  labelledDocuments,
  type PatternCount,
  type ProtocolMark,
  unpackCounts
} from './counts.ts'
export {
  compactFromBytes,
  countsFileParts,
  countsFromBytes,
  countsToBytes,
  headerFromJson,
  isCountsFile
} from './counts-file.ts'
export {countsFromPatterns, dropConcepts} from './counts-from-patterns.ts'
export {addLabelled, headerDifference, mergeCompact, mergeCounts} from './merge-counts.ts'
export {mergeRuns, type PatternRange, piecesIn, splitRuns} from './merge-runs.ts'

export {
  addLabels,
  type CountOptions,
  checkCountOptions,
  countDefaults,
  DocumentPacker,
  type PackedCorpus,
  packCorpus
} from './packed-documents.ts'

export {type PatternSizes, sizesOf} from './pattern-bytes.ts'
export {type ResampleOptions, resampleCounts} from './resample-counts.ts'
export {ownMemory, type Run, type RunSpace, type RunStore, type StoredBytes} from './runs.ts'
export {describeShards, missingShards, mostShards, oneShard, requireComplete, type Shards, shardList} from './shards.ts'
export {
  describeTables,
  requireOrder,
  requirePatterns,
  type SiteStatement,
  type TableStatement
} from './table-statement.ts'
