export {type AnchorFacts, type DiagnoseOptions, type Diagnosis, diagnose, diagnoseDefaults} from './diagnose.ts'
export type {Finding, FindingKind, Severity} from './finding.ts'
export {knownRates} from './known-rates.ts'
export type {Likeness} from './name-likeness.ts'
export {
  type ConceptSuggestions,
  type SuggestOptions,
  suggestAnchors,
  suggestDefaults
} from './suggest-anchors.ts'
export type {Suggestion} from './suggestion.ts'
export type {Rival, WordClaim} from './word-company.ts'
