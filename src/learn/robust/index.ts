export {learnGatedLoadings, recoverWordRatios} from './gated-links.ts'
export {describePairs, type LearnedPairs, learnPairs, type PairCertificate, type Resampled} from './learn-pairs.ts'
export {hasRules} from './pair-rules.ts'
export {wordLikeness} from './word-likeness.ts'
