import {type BayesNetwork, networkEdges} from './bayes-network.ts'

/** How often the replicates have an edge. In a tree the direction is only the choice of a root, and means nothing. */
export interface EdgeConfidence {
  /** As in the network of all documents, or, of edges it does not have, the commoner direction. */
  readonly parent: string
  readonly child: string
  /** The share of the replicate networks that join the two, in either direction. */
  readonly confidence: number
  /** The share of those with just this direction. */
  readonly directed: number
  /** Whether the network of all documents joins the two. */
  readonly fitted: boolean
}

/** Every edge of the fitted network or of a replicate, the surest first. */
export function edgeConfidence(
  concepts: readonly string[],
  fitted: BayesNetwork,
  replicates: readonly BayesNetwork[]
): EdgeConfidence[] {
  const m = concepts.length
  const [times, inFit] = [new Float64Array(m * m), new Uint8Array(m * m)]
  for (const network of replicates) for (const [parent, child] of networkEdges(network)) times[parent * m + child]++
  for (const [parent, child] of networkEdges(fitted)) inFit[parent * m + child] = 1
  const edges: EdgeConfidence[] = []
  for (let i = 0; i < m; i++)
    for (let k = i + 1; k < m; k++) {
      const [there, back] = [i * m + k, k * m + i]
      const isFitted = inFit[there] + inFit[back] > 0
      if (!isFitted && times[there] + times[back] === 0) continue
      const isThere = isFitted ? inFit[there] === 1 : times[there] >= times[back]
      const [parent, child] = isThere ? [i, k] : [k, i]
      edges.push({
        parent: concepts[parent],
        child: concepts[child],
        confidence: (times[there] + times[back]) / replicates.length,
        directed: times[parent * m + child] / replicates.length,
        fitted: isFitted
      })
    }
  return edges.sort((a, b) => b.confidence - a.confidence)
}
