import type {BayesNetwork} from '../../base/network/index.ts'
import {palette} from './palette.ts'

/** Parts of the network that edges hold together, by the concepts in them, in the order of their first. */
export function connectedParts(network: BayesNetwork): number[][] {
  const neighbours: number[][] = network.parents.map(list => [...list])
  network.parents.forEach((list, child) => {
    for (const parent of list) neighbours[parent].push(child)
  })
  const isSeen = neighbours.map(() => false)
  return neighbours.flatMap((_, start) => {
    if (isSeen[start]) return []
    isSeen[start] = true
    const part = [start]
    for (const i of part)
      for (const k of neighbours[i]) {
        if (isSeen[k]) continue
        isSeen[k] = true
        part.push(k)
      }
    return [part.sort((a, b) => a - b)]
  })
}

/** With a few parts one below the other reads best; more of them are fitted together like tiles. */
const FEW_PARTS = 3

/**
 * What to add to the text of `networkToDot` so that concepts without links stand in one block, in rows, instead of
 * anywhere between the others; nothing where there are none.
 */
export function loneConceptsDot(network: BayesNetwork): string {
  const parts = connectedParts(network)
  const lone = parts.filter(part => part.length === 1).flat()
  const packing = parts.length - lone.length <= FEW_PARTS ? 'pack=12, packmode=array_c1' : 'pack=4, packmode=clust'
  if (lone.length === 0) return `  graph [${packing}]\n`
  const columns = Math.max(5, Math.min(10, Math.ceil(0.75 * Math.sqrt(lone.length))))
  const rows = Array.from({length: Math.ceil(lone.length / columns)}, (_, row) =>
    lone.slice(row * columns, (row + 1) * columns)
  )
  // Edges that nobody sees put a row in order from the left, and the rows from the bottom, where dot begins.
  return `  graph [${packing}]
  subgraph cluster_lone {
    graph [label="without links", color="${palette.grid}", fontcolor="${palette.quietInk}", fontname="Helvetica,Arial,sans-serif", fontsize=10]
${rows.map(chain).join('')}    {
      rank=same
${chain(rows.map(([first]) => first).reverse())}    }
  }
`
}

function chain(concepts: readonly number[]): string {
  return `      ${concepts.join(' -> ')}${concepts.length > 1 ? ' [style=invis]' : ''}\n`
}
