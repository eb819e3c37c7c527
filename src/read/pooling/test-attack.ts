import fc from 'fast-check'
import type {LinearSolver} from '../../base/linear/index.ts'
import type {Corpus, CorpusDocument} from '../data/index.ts'
import {type AttackFindings, attackReleases} from './attack.ts'
import {type AttackTarget, allCells, withheldTargets} from './attack-model.ts'
import {partitionsOf} from './partitions.ts'
import type {ReleaseRules} from './release.ts'
import {releaseCounts} from './release-counts.ts'
import {anyPartitionedSite, anySite, countSite} from './test-sites.ts'

/** A site to attack. The documents are split for a release of growing data: every `added`th document comes later. */
export interface AttackedSite {
  readonly site: Corpus
  readonly rules: ReleaseRules
  readonly added: number
}

const anyRules = fc.record({maxOrder: fc.integer({min: 1, max: 3}), minCell: fc.integer({min: 2, max: 8})})
const attacked = (site: fc.Arbitrary<Corpus>): fc.Arbitrary<AttackedSite> =>
  fc
    .record({site, rules: anyRules, added: fc.integer({min: 2, max: 4})})
    .filter(({site, rules}) => site.documents.length >= Math.max(3, rules.minCell))
export const plainSites = attacked(anySite)
export const partitionedSites = attacked(anyPartitionedSite)

/** Whether a document has a variable: a concept, a word, or none of the values of a partition. */
function has({lexicon}: Corpus, evidence: CorpusDocument, variable: number): boolean {
  const [m, n] = [lexicon.anchors.length, lexicon.words.length]
  if (variable < m) return evidence.anchors.includes(variable)
  if (variable < m + n) return evidence.words.includes(variable - m)
  const {words, anchors} = partitionsOf(lexicon)[variable - m - n]
  return !words.some(j => evidence.words.includes(j)) && !anchors.some(i => evidence.anchors.includes(i))
}

/** The partitions of which every document has a value. */
function completeFields(site: Corpus): string[] {
  const first = site.lexicon.anchors.length + site.lexicon.words.length
  return partitionsOf(site.lexicon).flatMap(({field}, at) =>
    site.documents.some(document => has(site, document, first + at)) ? [] : [field]
  )
}

/** The cells of 1 to `minCell - 1` of the documents. */
function smallCells(site: Corpus, targets: Iterable<AttackTarget>, minCell: number, isAdded: (at: number) => boolean) {
  return [...targets].filter(({documents, has: present, lacks}) => {
    const size = site.documents.filter(
      (document, at) =>
        isAdded(at) === (documents === 'added') &&
        present.every(variable => has(site, document, variable)) &&
        !lacks.some(variable => has(site, document, variable))
    ).length
    return size > 0 && size < minCell
  })
}

/** Attacks what a release of the site withholds: numbers, and cells that are too small. */
export function attackSite(solver: LinearSolver, {site, rules}: AttackedSite): AttackFindings {
  const input = {releases: [releaseCounts(countSite(site), rules)], complete: completeFields(site)}
  const small = smallCells(site, allCells(input), rules.minCell, () => false)
  return attackReleases(solver, input, {targets: [...withheldTargets(input), ...small]})
}

/**
 * Attacks two releases of a site, the second with more documents: made from all documents by itself, or with the first as the
 * `earlier` one. Undefined where one of the two has too few documents.
 */
export function attackGrowing(
  solver: LinearSolver,
  {site, rules, added}: AttackedSite,
  isContinued: boolean
): AttackFindings | undefined {
  const isAdded = (at: number) => at % added === 0
  const [first, second] = [false, true].map(later => ({
    ...site,
    documents: site.documents.filter((_, at) => isAdded(at) === later)
  }))
  if (Math.min(first.documents.length, second.documents.length) < Math.max(3, rules.minCell)) return undefined
  const earlier = releaseCounts(countSite(first), {...rules, site: 'north'})
  const later = isContinued
    ? releaseCounts(countSite(second), {...rules, site: 'north', earlier})
    : releaseCounts(countSite(site), {...rules, site: 'north'})
  const input = {releases: [earlier, later], complete: completeFields(site)}
  const small = smallCells(site, allCells(input), rules.minCell, isAdded)
  return attackReleases(solver, input, {targets: [...withheldTargets(input), ...small]})
}
