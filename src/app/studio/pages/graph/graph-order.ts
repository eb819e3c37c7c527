import type {Link} from '../../../../use/facts/index.ts'
import type {GraphView} from '../../../session/index.ts'

export type LinkOrder = 'strength' | 'name' | 'share' | 'sure'
export type ConceptOrder = 'cluster' | 'name' | 'prevalence'

/** Numbers of the concepts whose names hold a text; all for none. */
export function foundConcepts({concepts}: GraphView, text: string): ReadonlySet<number> {
  const wanted = text.trim().toLowerCase()
  return new Set([...concepts.keys()].filter(i => concepts[i].name.toLowerCase().includes(wanted)))
}

/** A concept and those that are linked to it. */
export function nearConcepts({links}: GraphView, i: number): ReadonlySet<number> {
  return new Set([i, ...links.flatMap(({a, b}) => (a === i ? [b] : b === i ? [a] : []))])
}

/** Links come strongest first, which decides between equals. */
export function sortedLinks({concepts, links}: GraphView, by: LinkOrder): readonly Link[] {
  if (by === 'strength') return links
  const name = ({a, b}: Link) => `${concepts[a].name}\n${concepts[b].name}`
  if (by === 'name') return links.toSorted((x, y) => compare(name(x), name(y)))
  const figure = (link: Link) => (by === 'share' ? (link.shares?.withB ?? 0) : (link.confidence ?? 0))
  return links.toSorted((x, y) => figure(y) - figure(x))
}

/** The concepts in the order of a matrix. */
export function sortedConcepts({concepts}: GraphView, by: ConceptOrder): number[] {
  const byName = [...concepts.keys()].sort((i, k) => compare(concepts[i].name, concepts[k].name))
  if (by === 'name') return byName
  if (by === 'cluster') return byName.sort((i, k) => concepts[i].cluster - concepts[k].cluster)
  return byName.sort((i, k) => (concepts[k].prevalence ?? 0) - (concepts[i].prevalence ?? 0))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A row of the matrix: cells with a link, and how many empty ones stand between; the cell at hand stands alone. */
type MatrixPart = {readonly column: number; readonly link?: Link} | {readonly gap: number; readonly from: number}

export function matrixRow(
  width: number,
  links: ReadonlyMap<number, Link>,
  current: number | undefined
): readonly MatrixPart[] {
  const columns = [...links.keys(), ...(current === undefined || links.has(current) ? [] : [current])]
  const parts: MatrixPart[] = []
  let next = 0
  for (const column of columns.sort((a, b) => a - b)) {
    if (column > next) parts.push({gap: column - next, from: next})
    const link = links.get(column)
    parts.push({column, ...(link && {link})})
    next = column + 1
  }
  if (next < width) parts.push({gap: width - next, from: next})
  return parts
}
