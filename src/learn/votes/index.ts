/** All that is special about votes of sources and about classes that exclude each other. */
export {correctClasses} from './correct-classes.ts'
export {type ClassShares, classShares, fitVotes, votedDocuments} from './fit-votes.ts'
export {
  type ClassGroup,
  classGroups,
  classPrior,
  decideLabels,
  excludeCandidates,
  excludeClasses,
  groupVotes,
  MIN_PREVALENCE,
  sourceVotes,
  type VoteGroup,
  voteGroups
} from './groups.ts'
export {
  type Accuracy,
  type SourceFigures,
  type SourceGroup,
  type SourceReliability,
  sourceFigures,
  sourceReliability
} from './sources.ts'
export {silentClasses, type VoteWeights, votedCorpus, votedCounts, voteEvidence, voteFactors} from './vote-weights.ts'
