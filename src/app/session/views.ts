/** What the page shows, as the session answers it: plain data that can be sent between threads. */
import type {AnchorEstimates, SourcedRates} from '../../learn/noise/index.ts'
import type {FeatureSpan, PlacedField} from '../../read/data/index.ts'
import type {Finding, UncoveredGroup} from '../../use/advice/index.ts'
import type {Rival} from '../../use/evaluation/index.ts'
import type {Stages} from './pipeline.ts'

/** One field of a document. */
export interface TextPart extends PlacedField {
  readonly spans: readonly TextSpan[]
}

export interface TextSpan extends FeatureSpan {
  /** Log-odds for the concept asked about. */
  readonly weight?: number
}

export interface SessionState extends Stages {
  /** Of the project that these results follow from; results of an older one are marked `old`. */
  readonly revision: number
  readonly documents: number
  /** The file of a model that is open without its documents: it can be looked at, and nothing can be learned. */
  readonly readOnly?: string
  /** Documents that are held out for evaluation, beside these. */
  readonly heldOut: number
  /** Why a fit waits until it is asked for, if it does. */
  readonly waits?: string
  readonly concepts: readonly ConceptState[]
  readonly findings: readonly Finding[]
  /** Documents that no anchor covers. */
  readonly uncovered: readonly UncoveredGroup[]
  /** Whether the doctor has looked at the anchors, perhaps before the last edit. */
  readonly isExamined: boolean
  /** Concepts by where their rates come from. */
  readonly rates: {readonly given: number; readonly labels: number; readonly guess: number}
  /** The probability from which a concept is reported. */
  readonly threshold?: number
  /** Simpler methods that do better in some figure of the last evaluation; `isOld`: of an earlier model. */
  readonly beaten?: {readonly by: readonly Rival[]; readonly isOld: boolean} | undefined
}

export interface ConceptState {
  readonly name: string
  /** Documents where its anchor fires. */
  readonly documents: number
  /** If somebody measured them. */
  readonly rates?: SourcedRates
  /** Why it is left out of the model. */
  readonly refused?: string
}

/** A share with its 90% interval; without one where none is known. */
export interface Estimate {
  readonly value: number
  readonly low?: number
  readonly high?: number
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
  readonly members: readonly MemberView[]
  readonly vetoes: readonly MemberView[]
  /** By every estimator that applies, as `adfa doctor` gives them. */
  readonly estimates: AnchorEstimates['estimates']
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
