import type {Finding} from './finding.ts'

/** One change of the anchors, or of how documents are read, that mends a finding. */
export type Mend =
  | {readonly kind: 'negation'}
  | {readonly kind: 'remove'; readonly concept: string; readonly feature: string}
  | {readonly kind: 'move'; readonly feature: string; readonly from: string; readonly to: string}

/**
 * The one edit that mends a finding: a member that never occurs, or that another concept has too, is removed; one that belongs
 * to another concept moves there; negated words are read as such. Of several members the first: the next diagnosis names the rest. Undefined where people must
 * read documents or choose.
 */
export function mendOf({kind, concept, evidence}: Finding): Mend | undefined {
  const {feature, features, other} = evidence
  if (kind === 'negated') return {kind: 'negation'}
  if (kind === 'foreign-member' && typeof feature === 'string' && typeof other === 'string')
    return {kind: 'move', feature, from: concept, to: other}
  if ((kind === 'dead-member' || kind === 'shared') && typeof features === 'object')
    return {kind: 'remove', concept, feature: features[0]}
  return undefined
}
