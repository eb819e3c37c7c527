export {
  learnGatedLoadings,
  recoverWordRatios,
  type WordRatioOptions,
  type WordRatios,
  wordRatioDefaults
} from './gated-links.ts'
