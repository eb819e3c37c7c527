export {
  anchorCellWords,
  anchorPairCounts,
  anchorTable,
  anchorWordCounts,
  edgeWordCounts,
  memberFlags,
  memberTotals,
  wordTotals
} from './anchor-tables.ts'
export {
  addLabels,
  Counter,
  type CountOptions,
  checkCountOptions,
  countCorpus,
  countDefaults,
  countEncoded,
  countNumbered,
  countPacked,
  type NumberedDocuments
} from './counter.ts'
export {
  type Counts,
  type CountsHeader,
  isLabelled,
  labelledDocuments,
  type ProtocolMark,
  requirePatterns,
  type SiteStatement,
  type TableStatement,
  unpackCounts
} from './counts.ts'
export {
  countsFromBytes,
  countsToBytes,
  headerFromJson,
  isCountsFile
} from './counts-file.ts'
export {checkAlike, countsFromPatterns, dropConcepts, mergeCounts, sumCounts} from './merge-counts.ts'
export {resampleCounts} from './resample-counts.ts'
export {describeShards, missingShards, mostShards, oneShard, requireComplete, shardList} from './shards.ts'
