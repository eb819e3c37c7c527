import {printableLine} from '../../base/text/index.ts'
import type {Anchors} from '../../read/data/index.ts'

/** Why a concept cannot have this name; undefined where it can. */
export function nameFault(name: string, anchors: Anchors): string | undefined {
  if (name === '') return 'A concept needs a name.'
  if (name.startsWith('$')) return 'Names that begin with "$" are reserved; choose another.'
  if (anchors.some(({concept}) => concept === name)) return `There is a concept "${printableLine(name)}" already.`
  return undefined
}

/** The names of a pasted list, one a line or parted by commas or semicolons: each once, without those there already. */
export function pastedNames(text: string, anchors: Anchors): string[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const parts = lines.length > 1 ? lines : text.split(/[,;]/)
  const names = parts.map(part => part.trim().replace(/^[-*•]\s+/, ''))
  return [...new Set(names)].filter(name => nameFault(name, anchors) === undefined)
}

/** The anchors with those of concepts that are not there yet. */
export function withNewConcepts(anchors: Anchors, more: Anchors): Anchors {
  const known = new Set(anchors.map(({concept}) => concept))
  return [...anchors, ...more.filter(({concept}) => !known.has(concept))]
}
