import {type DocumentGroups, GroupCollector} from './read-groups.ts'

/** The two GROUP BYs, done the slow and obvious way: by each set of those features of a document that are in `named`. */
export function groupNaively(documents: readonly (readonly string[])[], named: ReadonlySet<string>): DocumentGroups {
  const collector = new GroupCollector()
  const masks = documents.map(features => [...new Set(features.filter(name => named.has(name)))].sort())
  for (const key of new Set(masks.map(mask => JSON.stringify(mask)))) {
    const members = documents.filter((_, at) => JSON.stringify(masks[at]) === key)
    collector.addGroup(JSON.parse(key), members.length, 'group')
    for (const word of new Set(members.flat()))
      collector.addWord(JSON.parse(key), word, members.filter(features => features.includes(word)).length, 'word')
  }
  return collector.finish()
}
