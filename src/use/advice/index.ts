export {type ConceptForms, findForms} from './anchor-forms.ts'
export {knownRates, shareInterval} from './anchor-statistics.ts'
export {type AnchorHits, anchorHits, mostlyNegated, mostNegated} from './check-negation.ts'
export {type AnchorFacts, type Diagnosis, diagnose, diagnoseModel, type Examination, examine} from './diagnose.ts'
export {type Finding, type FindingKind, type Mend, mendOf, type RemedyTool, type Severity} from './finding.ts'
export {fieldAdvice} from './member-labels.ts'
export type {Similarity} from './name-similarity.ts'
export {type ProposedAnchor, proposeAnchors} from './propose-anchors.ts'
export {
  type ConceptSuggestions,
  type Rival,
  type Suggestion,
  suggestAnchors,
  suggestDefaults
} from './suggest-anchors.ts'
export {uncoveredGroups, uncoveredText} from './uncovered.ts'
export {VocabularySurvey} from './vocabulary-survey.ts'
export type {Vocabulary} from './word-forms.ts'
