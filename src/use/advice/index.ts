export {type ConceptForms, findForms} from './anchor-forms.ts'
export {knownRates, shareInterval} from './anchor-statistics.ts'
export {type AnchorHits, anchorHits, mostlyNegated, mostNegated} from './check-negation.ts'
export {type AnchorFacts, type DiagnoseOptions, type Diagnosis, diagnose} from './diagnose.ts'
export {diagnoseModel, type Examination, type ExamineInput, examine} from './examine.ts'
export {type Finding, type FindingKind, type Mend, mendOf, type RemedyTool, type Severity} from './finding.ts'
export {type FieldFacts, fieldAdvice, type LabelledShare, type MemberLabels} from './member-labels.ts'
export type {Similarity} from './name-similarity.ts'
export {type ProposedAnchor, type ProposedMember, proposeAnchors} from './propose-anchors.ts'
export {
  type ConceptSuggestions,
  type Suggestion,
  type SuggestOptions,
  suggestAnchors,
  suggestDefaults
} from './suggest-anchors.ts'
export {type UncoveredGroup, uncoveredGroups, uncoveredText} from './uncovered.ts'
export {VocabularySurvey} from './vocabulary-survey.ts'
export type {Rival, WordClaim} from './word-claims.ts'
export type {Company, FormKind, Vocabulary, WordForm} from './word-forms.ts'
