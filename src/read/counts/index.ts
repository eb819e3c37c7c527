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
export {
  addLabels,
  Counter,
  type CountOptions,
  checkCountOptions,
  countCorpus,
  countDefaults,
  countEncoded,
  countPacked
} from './counter.ts'
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
  countsFileParts,
  countsFromBytes,
  countsToBytes,
  headerFromJson,
  isCountsFile
} from './counts-file.ts'
export {countsFromPatterns, dropConcepts} from './counts-from-patterns.ts'
export {headerDifference, mergeCounts, sumCounts} from './merge-counts.ts'

export {DocumentPacker} from './packed-documents.ts'

export {type ResampleOptions, resampleCounts} from './resample-counts.ts'
export {describeShards, missingShards, mostShards, oneShard, requireComplete, type Shards, shardList} from './shards.ts'
export {describeTables, requirePatterns, type SiteStatement, type TableStatement} from './table-statement.ts'
