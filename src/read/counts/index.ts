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
export {countsFromBytes, countsToBytes, headerFromJson, isCountsFile} from './counts-file.ts'
export {countsFromPatterns, dropConcepts} from './counts-from-patterns.ts'
export {addCounts, headerDifference, mergeCounts} from './merge-counts.ts'

export {
  addLabels,
  type CountOptions,
  checkCountOptions,
  countDefaults,
  DocumentPacker,
  type PackedCorpus,
  packCorpus
} from './packed-documents.ts'

export {type ResampleOptions, resampleCounts} from './resample-counts.ts'
export {describeShards, missingShards, mostShards, oneShard, requireComplete, type Shards, shardList} from './shards.ts'
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
