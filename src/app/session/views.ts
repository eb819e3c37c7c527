/** What the page shows, as the session answers it: plain data that can be sent between threads. */
import type {Anchors, FeatureSpan, PlacedField} from '../../read/data/index.ts'
import type {ColumnGuess} from '../../read/reading/index.ts'
import type {Finding, Mend, Suggestion} from '../../use/advice/index.ts'
import type {LabelProgress, LabelRow} from '../../use/labelling/index.ts'
import type {Explanation} from '../../use/prediction/index.ts'
import type {Project, Reading} from '../project/index.ts'

export type FileKind = 'documents' | 'anchors' | 'labels' | 'project' | 'model' | 'counts'

export interface Survey {
  readonly files: readonly SurveyedFile[]
  /** Rows that were looked at, and whether there are more. */
  readonly rows: number
  readonly hasMore: boolean
  readonly columns: readonly ColumnView[]
  readonly reading: Reading
  /** What files of anchors, labels or a project bring along. */
  readonly anchors?: Anchors
  readonly labels?: readonly LabelRow[]
  readonly project?: Project
  /** What the project holds besides what a person decided; or the model that is given alone, which is then open read-only. */
  readonly model?: HeldModel
  /** Of the demo: the name of its project, and the concept to begin with. */
  readonly demo?: {readonly name: string; readonly concept: string}
  /** What differs from the project's own documents, in words. */
  readonly warnings: readonly string[]
}

/** A model in a project file or a file of its own, in numbers. */
export interface HeldModel {
  readonly concepts: number
  /** Of text, in its documents. */
  readonly fields: readonly string[]
  /** How many it was learned from, where the model says so. */
  readonly documents?: number
  /** Of its text. */
  readonly bytes: number
}

export interface SurveyedFile {
  readonly name: string
  readonly size: number
  readonly kind: FileKind
  /** "JSON Lines, 6.0 MB", "anchors of 23 concepts". */
  readonly words: string
}

/** A column, as `adfa init` shows it. */
export interface ColumnView extends ColumnGuess {
  readonly example: string
}

export interface Preview {
  readonly rows: readonly PreviewRow[]
  /** The first rows, from which shares of words are estimated. */
  readonly surveyed: number
  /** Different words that are kept by these rows, and frequent words that are dropped, with their share. */
  readonly kept: number
  readonly dropped: readonly {readonly word: string; readonly share: number}[]
}

export interface PreviewRow {
  readonly name: string
  readonly parts: readonly TextPart[]
}

/** One field of a document. */
export interface TextPart extends PlacedField {
  readonly spans: readonly TextSpan[]
}

export interface TextSpan extends FeatureSpan {
  /** Log-odds for the concept asked about. */
  readonly weight?: number
}

export interface Opened {
  /** Documents to learn from, and those held out. */
  readonly documents: number
  readonly heldOut: number
  readonly hash: string
  /** Such as an encoding that shows only after the first rows. */
  readonly notes: readonly string[]
  readonly seconds: number
  /** Documents with tags, and the most frequent tags. */
  readonly tagged: number
  readonly tags: readonly {readonly tag: string; readonly documents: number}[]
}

/** `old`: of an earlier revision; `provisional`: rates are guessed until the full fit; `none`: something is missing. */
export type Stage =
  | {readonly is: 'none'; readonly needs: string}
  | {readonly is: 'ready' | 'provisional' | 'old'}
  | {readonly is: 'computing'; readonly words: string; readonly share?: number}
  | {readonly is: 'failed'; readonly message: string}

export interface SessionState {
  /** Of the project that these results follow from; results of an older one are marked `old`. */
  readonly revision: number
  readonly documents: number
  /** The file of a model that is open without its documents: it can be looked at, and nothing can be learned. */
  readonly readOnly?: string
  /** Documents that are held out for evaluation, beside these. */
  readonly heldOut: number
  /** Documents of each concept: known a moment after an edit. */
  readonly counts: Stage
  /** Rates, prevalences, network and words. */
  readonly numbers: Stage
  /** Probabilities of all documents. */
  readonly scores: Stage
  /** Why a fit waits until it is asked for, if it does. */
  readonly waits?: string
  readonly concepts: readonly ConceptState[]
  readonly findings: readonly FindingView[]
  /** Documents that no anchor covers, a sentence for each group. */
  readonly uncovered: readonly string[]
  /** Whether the doctor has looked at the anchors, perhaps before the last edit. */
  readonly isExamined: boolean
  /** Concepts by where their rates come from. */
  readonly rates: {readonly given: number; readonly labels: number; readonly guess: number}
  /** The probability from which a concept is reported. */
  readonly threshold?: number
  /** Simpler methods that do better in some figure of the last evaluation; `isOld`: of an earlier model. */
  readonly beaten?: {readonly by: readonly string[]; readonly isOld: boolean} | undefined
}

export interface ConceptState {
  readonly name: string
  /** Documents where its anchor fires. */
  readonly documents: number
  readonly prevalence?: Estimate
  /** Why it is left out of the model. */
  readonly refused?: string
}

/** A share with its 90% interval; without one where none is known. */
export interface Estimate {
  readonly value: number
  readonly low?: number
  readonly high?: number
  /** What rates are from. */
  readonly source?: 'given' | 'labels'
}

export interface FindingView extends Pick<Finding, 'concept' | 'severity' | 'kind' | 'message' | 'remedy'> {
  /** The one edit that mends it, where there is one. */
  readonly mend?: Mend
  /** The documents behind it. */
  readonly query?: ListQuery
}

export interface Probe {
  readonly feature: string
  /** Documents with the feature, and those of them that the concept does not have yet. */
  readonly documents: number
  readonly fresh: number
  /** Other concepts whose anchors fire in these documents, most first. */
  readonly overlaps: readonly {readonly concept: string; readonly documents: number}[]
  /** Five of the new documents, the same ones each time. */
  readonly examples: readonly ProbeExample[]
  /** Another concept that has the feature already. */
  readonly takenBy?: string
  /** A frequent name that the feature may have been meant for, where it occurs nowhere. */
  readonly didYouMean?: string
}

export interface ProbeExample {
  readonly at: number
  readonly name: string
  readonly probability?: number
  readonly before: string
  readonly match: string
  readonly after: string
}

export interface ConceptView {
  readonly name: string
  readonly members: readonly MemberView[]
  readonly vetoes: readonly MemberView[]
  readonly prevalence?: Estimate
  readonly precision?: Estimate
  readonly coverage?: Estimate
  /** Every estimator that applies, as `adfa doctor` gives them. */
  readonly estimators: readonly {readonly method: string; readonly prevalence?: Estimate; readonly isUsed: boolean}[]
  /** Documents; undefined where they are not known. */
  readonly anchored?: number
  readonly missed?: number
  readonly newest?: number
}

export interface MemberView {
  readonly feature: string
  readonly documents: number
  /** Documents that no other member of the concept has. */
  readonly alone: number
}

export interface SuggestionView extends Pick<Suggestion, 'word' | 'documents' | 'reason' | 'warnings'> {
  /** The share of its documents where the anchor fires. */
  readonly anchored: number
  /** How many of its documents have the concept, and how many of the concept's documents it covers. */
  readonly precision: Estimate
  readonly coverage: Estimate
}

/** Which documents, and in which order: by probability of the concept, or as in the file. */
export interface ListQuery {
  readonly concept?: string
  readonly low?: number
  readonly high?: number
  /** Features that the document has, or lacks. */
  readonly has?: string
  readonly lacks?: string
  readonly anchor?: 'fires' | 'silent'
  readonly label?: 'yes' | 'no' | 'none'
  /** Documents where the anchor fires since the last edit. */
  readonly isNewest?: boolean
  /** Documents that cross the threshold in the last comparison: by the second side alone, or by the first alone. */
  readonly crossed?: 'entered' | 'left'
  /** Documents that the last evaluation found wrong: reported without the tag, or tagged and not reported. */
  readonly wrong?: 'alarm' | 'miss'
}

export interface DocumentList {
  readonly total: number
  readonly from: number
  readonly rows: readonly DocumentLine[]
}

export interface DocumentLine {
  /** The number of the document, from 0. */
  readonly at: number
  readonly name: string
  readonly probability?: number
  readonly label?: boolean
  /** The beginning of its text, with the strongest words for the concept marked. */
  readonly parts: readonly TextPart[]
  readonly words: number
}

export interface DocumentView {
  readonly at: number
  readonly name: string
  readonly parts: readonly TextPart[]
  /** Most probable first. */
  readonly concepts: readonly {readonly name: string; readonly probability: number; readonly label?: boolean}[]
}

export interface ExplanationView {
  readonly at: number
  /** As people read it. */
  readonly explanation: Explanation
  /** What each word of the document adds to the log-odds, by feature. */
  readonly weights: ReadonlyMap<string, number>
  /** The probability of every concept, given those that are set. */
  readonly probabilities: Readonly<Record<string, number>>
}

export interface LabelView {
  readonly concepts: readonly string[]
  readonly progress: LabelProgress
  /** Intervals narrower than this factor are enough. */
  readonly narrow: number
  readonly question?: QuestionView
}

export interface QuestionView {
  readonly at: number
  readonly name: string
  /** A whole document, or one concept of a document where its anchor fires. */
  readonly drawn: 'random' | 'anchored'
  readonly parts: readonly TextPart[]
  /** Most probable first; one for a short question. */
  readonly concepts: readonly {readonly name: string; readonly isPreset: boolean}[]
}
