import {AdfaError} from '../../base/checks/index.ts'
import {type Anchors, createFeatureReader, type FeatureReader, type TextOptions} from '../data/index.ts'
import type {Codes} from './clickhouse-literals.ts'
import {FeatureRoles} from './feature-roles.ts'

/** A word or tag from the server: its bytes in hexadecimal digits, and in how many documents it occurs. */
export interface TokenCount {
  /** Undefined for the documents themselves. */
  readonly hex: string | undefined
  readonly documents: number
}

/** Read one line of {@link ClickHouseTable.tokens}. */
export function parseTokenLine(line: string): TokenCount {
  const found = /^(?:74((?:[0-9A-F]{2})*))?\t(\d+)$/.exec(line)
  if (found === null) throw new Error(`the server sent a row that was not asked for: ${line.slice(0, 100)}`)
  return {hex: found[1], documents: Number(found[2])}
}

/**
 * Add up lists that are each in ascending order of the words' bytes, the documents first. Cost: one step per row and list.
 * `stop` is called when no more is needed or a list fails, so that none of them is waited for.
 */
export async function* mergeTokens(
  lists: readonly AsyncIterable<readonly TokenCount[]>[],
  stop: () => void
): AsyncGenerator<readonly TokenCount[]> {
  if (lists.length === 1) {
    yield* lists[0]
    return
  }
  const cursors = lists.map(list => new Cursor(list))
  try {
    await Promise.all(cursors.map(cursor => cursor.fill()))
    let batch: TokenCount[] = []
    for (let least = leastOf(cursors); least !== undefined; least = leastOf(cursors)) {
      let documents = 0
      for (const cursor of cursors) {
        if (cursor.current === undefined || keyOf(cursor.current) !== least) continue
        documents += cursor.current.documents
        if (!cursor.step()) await cursor.fill()
      }
      batch.push({hex: least === '' ? undefined : least.slice(1), documents})
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  } finally {
    stop()
    await Promise.all(cursors.map(cursor => cursor.close()))
  }
}

const BATCH = 1000

/** A word from its bytes; undefined when they are not text. */
export function decodeToken(hex: string): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(Buffer.from(hex, 'hex'))
  } catch {
    return undefined
  }
}

/** A word or tag that is needed and is not text. */
export function badToken(hex: string, what: string, where: string): AdfaError {
  const shown = JSON.stringify(Buffer.from(hex, 'hex').toString('utf8').slice(0, 80))
  return new AdfaError(
    'bad-document',
    `${where}: the ${what} ${shown} (bytes ${hex.slice(0, 80)}) is not text in UTF-8, and a model could not name it; ` +
      'correct it in the table, or make a view without it'
  )
}

/** The bytes after a letter, so that the documents, which have an empty key, come before the empty word. */
function keyOf({hex}: TokenCount): string {
  return hex === undefined ? '' : `t${hex}`
}

function leastOf(cursors: readonly Cursor[]): string | undefined {
  let least: string | undefined
  for (const {current} of cursors) {
    if (current === undefined) continue
    const key = keyOf(current)
    if (least === undefined || key < least) least = key
  }
  return least
}

class Cursor {
  readonly #batches: AsyncIterator<readonly TokenCount[]>
  #batch: readonly TokenCount[] = []
  #at = 0

  constructor(list: AsyncIterable<readonly TokenCount[]>) {
    this.#batches = list[Symbol.asyncIterator]()
  }

  get current(): TokenCount | undefined {
    return this.#batch[this.#at]
  }

  /** Move to the next; false when more must be fetched. */
  step(): boolean {
    return ++this.#at < this.#batch.length
  }

  async fill(): Promise<void> {
    do {
      const next = await this.#batches.next()
      this.#batch = next.done ? [] : next.value
      this.#at = 0
      if (next.done) return
    } while (this.#batch.length === 0)
  }

  /** Its own failures no longer matter. */
  async close(): Promise<void> {
    try {
      await this.#batches.return?.()
    } catch {
      return
    }
  }
}

/** What the roles of features depend on. */
interface Reading {
  readonly anchors: Anchors
  readonly phrases: readonly string[]
  readonly text: TextOptions
}

/**
 * The ready-made features that fire or veto anchors, with the numbers that the server groups documents by, from 1. Those
 * known by name are in it from the start; matches of regular expressions are added as they are seen.
 */
export class RoleTable {
  readonly reader: FeatureReader
  readonly #roles: FeatureRoles
  readonly #names: string[] = []
  readonly #ids: number[] = []

  constructor({anchors, phrases, text}: Reading) {
    this.reader = createFeatureReader(anchors, phrases, text)
    this.#roles = new FeatureRoles(this.reader)
    if (!this.reader.hasPatterns) for (const name of this.reader.roleNames) this.#add(name)
  }

  get codes(): Codes {
    return {names: this.#names, ids: this.#ids}
  }

  /** Match a word, once, with regular expressions; returns its role, if it has one. A word with a role must be text. */
  see(hex: string, where: string): {readonly isTaken: boolean} | undefined {
    const name = decodeToken(hex)
    if (name !== undefined) return this.#add(name)
    if (this.reader.featureRole(Buffer.from(hex, 'hex').toString('utf8')) === undefined) return undefined
    throw badToken(hex, 'word', where)
  }

  /** The anchor features that fire in documents with the roles of these numbers. */
  membersOf(ids: readonly number[]): number[] {
    return this.#roles.membersOf(ids.map(id => id - 1))
  }

  #add(name: string): {readonly isTaken: boolean} | undefined {
    const role = this.#roles.find(name)
    if (role === undefined) return undefined
    this.#names.push(name)
    this.#ids.push(role.number + 1)
    return role
  }
}
