/** A `fault`: a fit refuses the concept. A `warning`: the concept is used, and may spoil what is learned. A `note`: information. */
export type Severity = 'fault' | 'warning' | 'note'

/** One thing that is or may be wrong with the anchor of a concept. */
export interface Finding {
  readonly concept: string
  readonly severity: Severity
  /** The check that made it, for programs. */
  readonly kind: FindingKind
  readonly message: string
  /** The numbers and names behind the message. */
  readonly evidence: Readonly<Record<string, number | string | readonly string[]>>
  readonly remedy: string
  /** What the remedy needs, by whatever name a command or a page has it. */
  readonly tool?: RemedyTool
}

export type RemedyTool = 'suggestions' | 'forms' | 'labels' | 'negation'

export type FindingKind =
  | 'unusable'
  | 'shared'
  | 'dead'
  | 'rare'
  | 'dead-member'
  | 'always'
  | 'together'
  | 'nested'
  | 'forms'
  | 'negated'
  | 'fires-for-another'
  | 'foreign-member'
  | 'members-disagree'
  | 'weak-member'
  | 'wrong-labels'
  | 'refused-rates'
  | 'doubtful-rates'
  | 'impossible-rates'
  | 'rate-below-word'
  | 'residual'

const SEVERITIES: readonly Severity[] = ['fault', 'warning', 'note']

/** Worst first; equals stay in their order. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  const rank = ({severity}: Finding) => SEVERITIES.indexOf(severity)
  return findings.toSorted((x, y) => rank(x) - rank(y))
}

/** Separates a reason for leaving a concept out from its remedy, which follows the last semicolon. */
export function splitReason(reason: string): {readonly message: string; readonly remedy: string} {
  const cut = reason.lastIndexOf('; ')
  return cut < 0
    ? {message: reason, remedy: 'correct its anchor, give its rates or label documents, or remove the concept'}
    : {message: reason.slice(0, cut), remedy: reason.slice(cut + 2)}
}
