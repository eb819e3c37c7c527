import type {Lexicon, SkippedAnchor} from '../../read/data/index.ts'
import {type Finding, listOf, splitReason} from './finding.ts'

/** Anchors that were left out when the documents were counted: nothing else is known of them. */
export function checkSkipped({anchors, skipped}: Lexicon): Finding[] {
  const kept = new Set(anchors.map(({concept}) => concept))
  const shared = new Map<string, Shared & {concept: string; features: string[]}>()
  const findings: Finding[] = []
  for (const {concept, reason} of skipped) {
    const found = readShared(reason)
    if (found === undefined) findings.push(unusable({concept, reason}, kept.has(concept)))
    else {
      const key = JSON.stringify([concept, found.others])
      const group = shared.get(key)
      if (group === undefined) shared.set(key, {...found, concept, features: [found.feature]})
      else group.features.push(found.feature)
    }
  }
  return [...[...shared.values()].map(group => sharedFinding(group, kept.has(group.concept))), ...findings]
}

interface Shared {
  readonly feature: string
  readonly others: readonly string[]
}

/** The words of the reason are all that counts keep. */
function readShared(reason: string): Shared | undefined {
  const found = /^anchor '(.*)' is shared with "(.*)"; an anchor belongs to /s.exec(reason)
  return found === null ? undefined : {feature: found[1], others: found[2].split('", "')}
}

function sharedFinding(
  {concept, features, others}: Shared & {concept: string; features: readonly string[]},
  isKept: boolean
): Finding {
  return {
    concept,
    severity: 'fault',
    kind: 'shared',
    message: `${listOf(features)} ${features.length === 1 ? 'is' : 'are'} an anchor of ${others.map(name => `"${name}"`).join(', ')} too; ${outcome(isKept)}`,
    evidence: {features, others, kept: isKept ? 'in part' : 'no'},
    remedy: 'an anchor belongs to one concept alone: choose another, or merge the concepts'
  }
}

function unusable({concept, reason}: SkippedAnchor, isKept: boolean): Finding {
  const {message, remedy} = splitReason(reason)
  const kind = /^anchor .* never occurs in |^it has no anchor/s.test(reason)
    ? 'dead'
    : /^anchor .* fires in all /s.test(reason)
      ? 'always'
      : 'unusable'
  return {
    concept,
    severity: 'fault',
    kind,
    message: `${message}; ${outcome(isKept)}`,
    evidence: {reason, kept: isKept ? 'in part' : 'no'},
    remedy
  }
}

function outcome(isKept: boolean): string {
  return isKept ? 'the rest of its anchor is kept' : 'the concept is left out'
}
