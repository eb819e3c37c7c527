import {type EdgeConfidence, isPairNetwork} from '../../base/network/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {certificateFacts, edgeKey, type Link, networkLinks, shownRates} from '../../use/facts/index.ts'

/** What the Graph page shows: the concepts in clusters, and their links, strongest first. */
export type GraphView = ReturnType<typeof graphView>

/**
 * `revision` is that of the project the model is learned from; `confidence`: how often resamples have each edge, by default that of the
 * model's own intervals, if it has them.
 */
export function graphView(model: Model, revision: number, confidence?: readonly EdgeConfidence[]) {
  const certificate = certificateFacts(model)
  const given = confidence?.map(({parent, child, confidence: share}) => [edgeKey(parent, child), share] as const)
  const links: readonly Link[] = networkLinks(model, given ? new Map(given) : certificate.intervals?.edges)
  const clusters = clustersOf(model.concepts.length, links)
  const {method = 'given', status} = certificate.structure ?? {}
  return {
    revision,
    concepts: model.concepts.map((concept, i) => {
      // The share of documents that have it is absent where nobody measured it.
      const {prevalence} = shownRates(certificate, concept) ?? {}
      return {name: concept.name, ...(prevalence && {prevalence: prevalence.value}), cluster: clusters[i]}
    }),
    links,
    /** "pairs", "chow-liu, optimal". The status of pairs is that of their distribution of lifts, not of the choice of edges. */
    method: status === undefined || method === 'pairs' ? method : `${method}, ${status}`,
    isOfPairs: isPairNetwork(model.network)
  }
}

/** The number of each concept's cluster, from 0, the largest first: a concept is with the one that its strongest link joins it to. */
export function clustersOf(size: number, links: readonly Link[]): number[] {
  const group = Array.from({length: size}, (_, i) => i)
  const isJoined = new Set<number>()
  // The strongest link of each concept comes first.
  for (const {a, b, strength} of links) {
    if (strength <= 0 || (isJoined.has(a) && isJoined.has(b))) continue
    isJoined.add(a).add(b)
    const [into, from] = [group[a], group[b]]
    for (const [i, own] of group.entries()) if (own === from) group[i] = into
  }
  const sizeOf = (own: number) => group.filter(other => other === own).length
  const ordered = [...new Set(group)].sort((x, y) => sizeOf(y) - sizeOf(x))
  return group.map(own => ordered.indexOf(own))
}
