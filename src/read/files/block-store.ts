import type {Row} from '../data/index.ts'
import type {DocumentBlock} from '../reading/index.ts'

interface StoredBlock {
  readonly block: DocumentBlock
  /** How many bytes of the files had been read when it came. */
  readonly read: number
}

/** Keeps the blocks of the first whole pass, decompressed, where they take at most `limit` bytes; otherwise none of them. */
export class BlockStore {
  readonly #limit: number
  #blocks: StoredBlock[] | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  get isComplete(): boolean {
    return this.#blocks !== undefined
  }

  /** Hand on the blocks of a pass, and keep copies: their bytes may be transferred to another thread. */
  async *keep(blocks: AsyncIterable<DocumentBlock>, bytesRead: () => number): AsyncGenerator<DocumentBlock> {
    let kept: StoredBlock[] = []
    let room = this.#limit
    for await (const block of blocks) {
      if (room > 0) {
        room -= sizeOf(block)
        if (room > 0) kept.push({block: copyOf(block), read: bytesRead()})
        else kept = []
      }
      yield block
    }
    if (room > 0) this.#blocks = kept
  }

  *blocks(): Generator<StoredBlock> {
    for (const {block, read} of this.#blocks ?? []) yield {block: copyOf(block), read}
  }

  clear(): void {
    this.#blocks = undefined
  }
}

function copyOf(block: DocumentBlock): DocumentBlock {
  return block.kind === 'rows' ? block : {...block, bytes: block.bytes.slice()}
}

function sizeOf(block: DocumentBlock): number {
  return block.kind === 'lines' ? block.bytes.length : block.rows.reduce((sum, row) => sum + rowSize(row), 0)
}

/** About the bytes of a parsed row: its characters, and some 32 for each string and object. */
function rowSize({text, features, tags = []}: Row): number {
  const size = (strings: Iterable<string>) => {
    let sum = 32
    for (const each of strings) sum += each.length + 32
    return sum
  }
  return 128 + size(text.values()) + size(features) + size(tags)
}
