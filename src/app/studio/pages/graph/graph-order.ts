import type {Link} from '../../../../use/facts/index.ts'
import type {GraphView} from '../../../session/index.ts'

/** Numbers of the concepts whose names hold a text; all for none. */
export function foundConcepts({concepts}: GraphView, text: string): ReadonlySet<number> {
  const wanted = text.trim().toLowerCase()
  return new Set([...concepts.keys()].filter(i => concepts[i].name.toLowerCase().includes(wanted)))
}

/** A concept and those that are linked to it. */
export function nearConcepts({links}: GraphView, i: number): ReadonlySet<number> {
  return new Set([i, ...links.flatMap(({a, b}) => (a === i ? [b] : b === i ? [a] : []))])
}

/** What links are sorted by; they come strongest first, which decides between equals. */
const LINK_ORDERS = {
  strength: () => 0,
  name: ({a, b}: Link, {concepts}: GraphView) => `${concepts[a].name}\n${concepts[b].name}`,
  share: ({shares}: Link) => -(shares?.withB ?? 0),
  sure: ({confidence = 0}: Link) => -confidence
} as const

export type LinkOrder = keyof typeof LINK_ORDERS

export function sortedLinks(graph: GraphView, by: LinkOrder): readonly Link[] {
  return graph.links.toSorted((x, y) => compare(LINK_ORDERS[by](x, graph), LINK_ORDERS[by](y, graph)))
}

export type ConceptOrder = 'cluster' | 'name' | 'prevalence'

/** The concepts in the order of a matrix; equal ones by name. */
export function sortedConcepts({concepts}: GraphView, by: ConceptOrder): number[] {
  const key = (i: number) =>
    by === 'name' ? 0 : by === 'cluster' ? concepts[i].cluster : -(concepts[i].prevalence ?? 0)
  return [...concepts.keys()].sort((i, k) => key(i) - key(k) || compare(concepts[i].name, concepts[k].name))
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
