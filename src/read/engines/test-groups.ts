import type {DocumentGroups} from './read-groups.ts'

/** The two GROUP BYs, done the slow and obvious way: by each set of those features of a document that are in `named`. */
export function groupNaively(documents: readonly (readonly string[])[], named: ReadonlySet<string>): DocumentGroups {
  const words = [...new Set(documents.flat())]
  const masks = documents.map(features => JSON.stringify([...new Set(features)].filter(name => named.has(name)).sort()))
  const groups = [...new Set(masks)].map(mask => {
    const members = documents.filter((_, at) => masks[at] === mask)
    const counts = words.map(word => members.filter(features => features.includes(word)).length)
    const wordIds = [...words.keys()].filter(id => counts[id] > 0)
    return {mask: JSON.parse(mask), documents: members.length, wordIds, wordCounts: wordIds.map(id => counts[id])}
  })
  return {groups, words}
}
