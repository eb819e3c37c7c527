export {knownRates, shareInterval} from './anchor-statistics.ts'
export {type AnchorFacts, type DiagnoseOptions, type Diagnosis, diagnose} from './diagnose.ts'
export type {Finding, FindingKind, Severity} from './finding.ts'
export type {Likeness} from './name-likeness.ts'
export {
  type ConceptSuggestions,
  type Suggestion,
  type SuggestOptions,
  suggestAnchors,
  suggestDefaults
} from './suggest-anchors.ts'
export type {Rival, WordClaim} from './word-claims.ts'
