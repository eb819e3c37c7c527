/**
 * Features of an anchor that belong to another concept: their words are those of another anchor's feature, not those of
 * the rest of their own. Two features that were swapped by mistake show so, without labels.
 *
 * A member is compared with the nearest other member of its own anchor and with the nearest member of any other anchor,
 * by the likeness of their words (member-profiles.ts). A difference of likeness has a standard error of about
 * sqrt(2) / |z|, z being the member's profile, whose entries have variance 1.
 */
import type {Lexicon} from '../../read/data/index.ts'
import {type Finding, percent} from './finding.ts'
import {likeness, type MemberProfiles} from './member-profiles.ts'

/** Members that fire in fewer documents are not judged, nor judged by. */
const LEAST_DOCUMENTS = 30
/** Nor members whose words are no clearer than this many standard errors of noise. */
const LEAST_SIGNAL = 5
const WARNING = {margin: 0.15, foreign: 0.6, errors: 5}
const FAULT = {margin: 0.3, foreign: 0.8, errors: 8}

interface Nearest {
  readonly member: number
  readonly likeness: number
}

export function checkMembers({anchors}: Lexicon, profiles: MemberProfiles): Finding[] {
  const {names, concepts, documents, signal, noise} = profiles
  const isClear = (w: number) => signal[w] > 0 && signal[w] >= LEAST_SIGNAL * Math.sqrt(2 * noise[w])
  const judged = names.map((_, w) => w).filter(w => documents[w] >= LEAST_DOCUMENTS && isClear(w))
  return judged.flatMap((w): Finding[] => {
    const isMate = (other: number) => concepts[other] === concepts[w]
    const mates = judged.filter(other => other !== w && isMate(other))
    const strangers = judged.filter(other => !isMate(other))
    if (mates.length === 0 || strangers.length === 0) return []
    const own = nearest(profiles, w, mates)
    const foreign = nearest(profiles, w, strangers)
    const margin = foreign.likeness - own.likeness
    const errors = (margin * Math.sqrt(signal[w])) / Math.SQRT2
    const passes = (limits: typeof WARNING) =>
      margin >= limits.margin && foreign.likeness >= limits.foreign && errors >= limits.errors
    if (!passes(WARNING)) return []
    const other = anchors[concepts[foreign.member]].concept
    const [feature, otherFeature, ownFeature] = [w, foreign.member, own.member].map(member => names[member])
    return [
      {
        concept: anchors[concepts[w]].concept,
        severity: passes(FAULT) ? 'fault' : 'warning',
        kind: 'foreign-member',
        message:
          `'${feature}' keeps the company of '${otherFeature}' of "${other}" (their words are ${alike(foreign)} alike) ` +
          `rather than that of '${ownFeature}' of its own anchor (${alike(own)})`,
        evidence: {
          feature,
          otherFeature,
          other,
          ownFeature,
          foreignLikeness: foreign.likeness,
          ownLikeness: own.likeness,
          standardErrors: errors
        },
        remedy: `if it was meant for "${other}", move it there; otherwise read some documents with it, and remove it if it means something else`
      }
    ]
  })
}

/** Of some members, the one whose words are most like those of w. */
function nearest(profiles: MemberProfiles, w: number, others: readonly number[]): Nearest {
  return others
    .map(member => ({member, likeness: likeness(profiles, w, member)}))
    .reduce((best, next) => (next.likeness > best.likeness ? next : best))
}

/** Chance may lead beyond either end. */
function alike({likeness}: Nearest): string {
  return percent(Math.min(1, Math.max(0, likeness)))
}
