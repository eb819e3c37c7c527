/** Votes of sources, classes that exclude each other, and how reliable both are: all that is special about them. */
export {type ClassShares, classShares} from './class-rates.ts'
export {type ClassEvidence, correctClasses} from './correct-classes.ts'
export {type ClassGroup, classGroups, decideLabels, excludeCandidates, excludeClasses} from './exclusive.ts'
export {fitVotes, type VotedDocuments, votedDocuments} from './fit-votes.ts'
export {classPrior, LEAST_SHARE, sourceVotes, type VoteGroup, voteGroups, votesOf} from './group-votes.ts'
export {
  type Accuracy,
  type Confusion,
  type SourceFigures,
  type SourceGroup,
  type SourceReliability,
  sourceFigures,
  sourceReliability
} from './source-reliability.ts'
export {addVotes, silentClasses, type VoteWeights, voteEvidence, voteFactors} from './vote-weights.ts'
export {votedCorpus, votedCounts} from './voted-classes.ts'
