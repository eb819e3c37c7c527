import {AdfaError} from '../../base/checks/index.ts'

/** Documents that have just these features of those that anchors name, and the words that occur in them. */
export interface DocumentGroup {
  /** The features, as the group names them. */
  readonly mask: readonly string[]
  readonly documents: number
  /** Numbers of words ({@link DocumentGroups.words}), each once, and in how many of the documents each occurs. */
  readonly wordIds: readonly number[]
  readonly wordCounts: readonly number[]
}

/** All documents of a corpus in groups, as a database counts them by two GROUP BYs. */
export interface DocumentGroups {
  readonly groups: readonly DocumentGroup[]
  readonly words: readonly string[]
}

interface OpenGroup extends DocumentGroup {
  documents: number
  where: string
  readonly wordIds: number[]
  readonly wordCounts: number[]
}

/**
 * Puts the rows of the two GROUP BYs together, in any order, and refuses what cannot be right: a group or a word of a group told
 * twice, a group whose documents are missing, a word in more documents than its group has.
 */
export class GroupCollector {
  readonly #groups = new Map<string, OpenGroup>()
  /** The same groups by the very list that named them, which is quicker to find than its content. */
  readonly #byList = new Map<readonly string[], OpenGroup>()
  readonly #words = new Map<string, number>()
  #documents = 0

  /** A row of the first GROUP BY. */
  addGroup(mask: readonly string[], documents: number, where: string): void {
    const group = this.#groupOf(mask)
    if (group.documents > 0)
      throw new AdfaError(
        'bad-file',
        `${where}: the documents with ${describeMask(mask)} stand here and at ${group.where}; ` +
          'each group is told once; is a file given twice, or was the result not grouped?'
      )
    group.documents = checkCount(documents, where)
    group.where = where
    this.#documents += group.documents
    if (!Number.isSafeInteger(this.#documents))
      throw new AdfaError('bad-file', `${where}: more than 2^53 documents in all; check the column "documents"`)
  }

  /** A row of the second GROUP BY. */
  addWord(mask: readonly string[], word: string, documents: number, where: string): void {
    const group = this.#groupOf(mask)
    let id = this.#words.get(word)
    if (id === undefined) {
      id = this.#words.size
      this.#words.set(word, id)
    }
    group.wordIds.push(id)
    group.wordCounts.push(checkCount(documents, where))
  }

  finish(): DocumentGroups {
    const words = [...this.#words.keys()]
    const lastGroup = new Int32Array(words.length).fill(-1)
    const groups = [...this.#groups.values()]
    if (groups.length === 0)
      throw new AdfaError('bad-file', 'there is no group of documents at all; export the result of the queries again')
    groups.forEach((group, number) => {
      checkGroup(group, number, lastGroup, words)
    })
    return {groups, words}
  }

  #groupOf(mask: readonly string[]): OpenGroup {
    const known = this.#byList.get(mask)
    if (known !== undefined) return known
    const key = JSON.stringify(mask)
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = {mask, documents: 0, where: '', wordIds: [], wordCounts: []}
      this.#groups.set(key, group)
      this.#byList.set(mask, group)
    }
    return group
  }
}

/** `lastGroup` tells the number of the last group that had each word, and is kept up. */
function checkGroup(
  {mask, documents, wordIds, wordCounts}: OpenGroup,
  number: number,
  lastGroup: Int32Array,
  words: readonly string[]
): void {
  const refuse = (what: string, wayOut: string) => {
    throw new AdfaError('bad-file', `documents with ${describeMask(mask)}: ${what}; ${wayOut}`)
  }
  if (documents === 0)
    refuse(
      'words are counted in them, and how many they are is told nowhere',
      'give the results of both queries, all files of each'
    )
  for (let at = 0; at < wordIds.length; at++) {
    const id = wordIds[at]
    if (lastGroup[id] === number)
      refuse(
        `the word ${JSON.stringify(words[id])} is counted twice`,
        'each word is told once a group; is a file given twice, or was the result not grouped?'
      )
    lastGroup[id] = number
    if (wordCounts[at] > documents)
      refuse(
        `the word ${JSON.stringify(words[id])} occurs in ${wordCounts[at]} of ${documents} documents`,
        'a document counts once for a word however often it has it: take DISTINCT words of each document, and run both queries on the same documents'
      )
  }
}

function checkCount(documents: number, where: string): number {
  if (Number.isSafeInteger(documents) && documents > 0) return documents
  throw new AdfaError('bad-file', `${where}: "documents" is a whole number above 0; got ${documents}`)
}

function describeMask(mask: readonly string[]): string {
  return mask.length === 0 ? 'no anchor feature' : `the anchor features ${JSON.stringify(mask)}`
}
