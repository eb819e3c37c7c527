import {AdfaError} from '../../base/checks/index.ts'
import type {TagFilter} from '../data/index.ts'
import {GroupReader} from './clickhouse-groups.ts'
import {type Codes, literalSize} from './clickhouse-literals.ts'
import type {OpenTable} from './clickhouse-open.ts'
import type {RoleTable} from './clickhouse-roles.ts'
import {type Progress, together} from './clickhouse-together.ts'

/** What is counted in each group of documents. */
export interface GroupQuestion {
  readonly words: readonly string[]
  /** Undefined when tags are not counted. */
  readonly tags: readonly string[] | undefined
  readonly filter: TagFilter | undefined
}

/** Let every table group its documents by roles, and count words and tags in each group; in as few queries as they fit in. */
export async function readGroups(
  tables: readonly OpenTable[],
  roles: RoleTable,
  {words, tags, filter}: GroupQuestion,
  signal: AbortSignal | undefined,
  progress?: Progress
): Promise<GroupReader[]> {
  const isWord = (name: string) => roles.reader.featureRole(name)?.isTaken !== true
  const always = [...roles.codes.names, ...(tags ?? []), ...(filter?.tags ?? [])]
  const size = always.reduce((sum, name) => sum + literalSize(name), 0)
  return together(tables, signal, async (open, own) => {
    const {table, session, room} = open
    if (size > room / 2)
      throw new AdfaError(
        'bad-option',
        `${table.name}: the ${always.length} words that anchors and tags stand for take ${size} bytes, and a query of this user ` +
          `has room for ${Math.floor(room / 2)}; ask the administrator to raise max_query_size, or make the regular expressions of anchors narrower`
      )
    const reader = new GroupReader(roles, words.length, table.name)
    const lists = cutWords(words, isWord, room - size)
    for (const [at, list] of lists.entries()) {
      // Tags are counted once, with the first words.
      const sql = table.count(
        {roles: roles.codes, words: list, ...tagCodes(words, at === 0 ? tags : undefined)},
        filter
      )
      for await (const lines of session.lines(sql, {signal: own, onRows: progress?.of(open)})) reader.add(lines)
      reader.endAnswer()
    }
    return reader
  })
}

/** After the words the tags are numbered, and after these what says that they are known. */
function tagCodes(
  words: readonly string[],
  tags: readonly string[] | undefined
): {tags: Codes; tagged: number | undefined} {
  if (tags === undefined) return {tags: {names: [], ids: []}, tagged: undefined}
  const ids = tags.map((_, i) => words.length + i + 1)
  return {tags: {names: tags, ids}, tagged: words.length + tags.length + 1}
}

/** Cut the words, numbered from 1 on, into lists that take at most `bytes` each; at least one list. */
export function cutWords(names: readonly string[], isWord: (name: string) => boolean, bytes: number): Codes[] {
  const lists: {names: string[]; ids: number[]}[] = [{names: [], ids: []}]
  let used = 0
  names.forEach((name, j) => {
    if (!isWord(name)) return
    const size = literalSize(name)
    if (used > 0 && used + size > bytes) {
      lists.push({names: [], ids: []})
      used = 0
    }
    used += size
    lists[lists.length - 1].names.push(name)
    lists[lists.length - 1].ids.push(j + 1)
  })
  return lists
}
