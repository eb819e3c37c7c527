export type {ConceptForms} from './anchor-forms.ts'
export {knownRates} from './anchor-statistics.ts'
export {type AnchorHits, anchorHits, mostlyNegated, mostNegated} from './check-negation.ts'
export {type Finding, type FindingKind, type Mend, mendOf, severities} from './checks.ts'
export {type AnchorFacts, type Diagnosis, diagnose, diagnoseModel, type Examination, examine} from './diagnose.ts'
export type {Severity} from './finding.ts'
export type {Similarity} from './name-similarity.ts'
export {type ProposalNote, type ProposedAnchor, type ProposedMember, proposeAnchors} from './propose-anchors.ts'
export {
  type ConceptSuggestions,
  isForm,
  type Rival,
  type Suggestion,
  suggestAnchors,
  suggestDefaults,
  suggestMembers
} from './suggest-anchors.ts'
export type {UncoveredGroup} from './uncovered.ts'
export {VocabularySurvey} from './vocabulary-survey.ts'
export type {Vocabulary, WordForm} from './word-forms.ts'
