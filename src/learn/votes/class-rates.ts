import {anchorPairCounts, type Counts} from '../../read/counts/index.ts'
import {fitVotes, votedDocuments} from './fit-votes.ts'
import {voteGroups} from './group-votes.ts'
import {type ClassShares, likeliestShares} from './likeliest-shares.ts'

export type {ClassShares}

/** Labels of fewer documents say less than the usual shares. */
const LEAST_LABELLED = 30
const LEAST_LIFT = 0.01

/**
 * The classes of each group of which exactly one holds, by labels of 30 documents or more, or without any; undefined for other
 * concepts. That prevalences of a group add up to 1 makes firing rates more telling than they are for concepts at large.
 */
export function classShares(counts: Counts): (ClassShares | undefined)[] {
  const {anchors} = counts.lexicon
  const together = anchorPairCounts(counts)
  const found: (ClassShares | undefined)[] = anchors.map(() => undefined)
  for (const group of voteGroups(anchors)) {
    const {shares} =
      counts.tables === undefined
        ? fitVotes(group, votedDocuments(counts, group))
        : {shares: likeliestShares(group.concepts.map(i => together[i * anchors.length + i] / counts.documentCount))}
    group.concepts.forEach((i, at) => {
      const {prevalence, precision} = labelledShares(counts.labelled.subarray(4 * i, 4 * i + 4)) ?? shares[at]
      // An anchor that is rarer with its class than without counts as one without effect: its votes have weights of their own.
      found[i] = {prevalence, precision: Math.max(precision, prevalence * (1 + LEAST_LIFT))}
    })
  }
  return found
}

/** Each count is raised by a half, so that no share is 0 or 1. */
function labelledShares([absent, falsely, missed, hit]: Float64Array): ClassShares | undefined {
  const all = absent + falsely + missed + hit
  if (all < LEAST_LABELLED) return undefined
  return {prevalence: (missed + hit + 0.5) / (all + 1), precision: (hit + 0.5) / (hit + falsely + 1)}
}
