export {learnGatedLoadings, recoverWordRatios} from './gated-links.ts'
