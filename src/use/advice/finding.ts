/** A `fault`: a fit refuses the concept. A `warning`: the concept is used, and may spoil what is learned. A `note`: information. */
export type Severity = 'fault' | 'warning' | 'note'

/**
 * One thing that is or may be wrong with the anchor of a concept, by the check of that kind, with the numbers and names behind it.
 * It has no sentence: `findingText` of `adfa/report` makes it.
 */
export function finding<const K extends string, E extends object>(
  concept: string,
  severity: Severity,
  kind: K,
  evidence: E
) {
  return {concept, severity, kind, evidence} as const
}
