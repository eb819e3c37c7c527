import {ByteReader, ByteWriter, PatternReader, type PatternSizes} from './pattern-bytes.ts'

/** The patterns of some documents, in order, in pieces of whole patterns. */
export type Run = readonly RunPiece[]

/** Some patterns of a run, as bytes, in memory or in a store. It can be handed to another thread. */
export interface RunPiece {
  /** The members of its first pattern. */
  readonly first: readonly number[]
  readonly patternCount: number
  readonly documentCount: number
  readonly length: number
  readonly content: Uint8Array | StoredBytes
}

/** Where a store keeps bytes. */
export interface StoredBytes {
  readonly file: string
  readonly offset: number
}

/** Keeps what does not fit in memory. */
export interface RunStore {
  put(bytes: Uint8Array): StoredBytes
  get(stored: StoredBytes, length: number): Uint8Array
  /** Remove everything that was put. */
  close(): Promise<void>
}

/** Where runs are kept: `limit` bytes of them in memory, the rest in the store, if there is one. */
export interface RunSpace {
  readonly limit: number
  readonly store: RunStore | undefined
  /** Whether threads may share them. */
  readonly isShared: boolean
  /** Bytes after which a piece ends. */
  readonly pieceSize: number
}

/** Large enough to read from a disk, small enough for hundreds of runs to be open. */
const PIECE_SIZE = 2 ** 17

/** Memory of this thread; runs of more bytes than this are merged, to save some of it. */
export const ownMemory: RunSpace = {limit: 2 ** 28, store: undefined, isShared: false, pieceSize: PIECE_SIZE}

export const bytesIn = (run: Run) => run.reduce((sum, {length}) => sum + length, 0)

/** Move a run from memory to a store. */
export function storeRun(run: Run, store: RunStore): Run {
  return run.map(piece => ({...piece, content: store.put(bytesOf(piece, store))}))
}

/** Writes the words of a pattern, ascending, and their counts. */
interface WordSource {
  moveTo(out: ByteWriter): void
}

/** Writes patterns in order, and keeps them: in memory until the limit is reached, then in the store. */
export class RunWriter {
  readonly #space: RunSpace
  readonly #out = new ByteWriter()
  readonly #pieces: RunPiece[] = []
  #first: readonly number[] = []
  #patternCount = 0
  #documentCount = 0
  #inMemory = 0

  constructor(space: RunSpace) {
    this.#space = space
  }

  /** Write the pattern with the members at `from` to `to`, and the words that `cells` writes. */
  write(members: Uint32Array, from: number, to: number, documents: number, cells: WordSource): void {
    this.#begin(members, from, to)
    this.#out.ascending(members, from, to)
    this.#out.integer(documents)
    cells.moveTo(this.#out)
    this.#end(documents)
  }

  /** Write a pattern as it stands in another run. */
  copy({members, memberCount, documents}: PatternReader, bytes: Uint8Array): void {
    this.#begin(members, 0, memberCount)
    this.#out.bytes(bytes)
    this.#end(documents)
  }

  finish(): Run {
    this.#cut()
    return this.#pieces
  }

  #begin(members: Uint32Array, from: number, to: number): void {
    if (this.#patternCount === 0) this.#first = [...members.subarray(from, to)]
  }

  #end(documents: number): void {
    this.#patternCount++
    this.#documentCount += documents
    if (this.#out.length >= this.#space.pieceSize) this.#cut()
  }

  #cut(): void {
    const bytes = this.#out.written()
    if (bytes.length === 0) return
    this.#pieces.push({
      first: this.#first,
      patternCount: this.#patternCount,
      documentCount: this.#documentCount,
      length: bytes.length,
      content: this.#keep(bytes)
    })
    this.#out.length = 0
    this.#patternCount = 0
    this.#documentCount = 0
  }

  #keep(bytes: Uint8Array): RunPiece['content'] {
    const {limit, store, isShared} = this.#space
    if (store !== undefined && this.#inMemory + bytes.length > limit) return store.put(bytes)
    this.#inMemory += bytes.length
    const copy = new Uint8Array(isShared ? new SharedArrayBuffer(bytes.length) : new ArrayBuffer(bytes.length))
    copy.set(bytes)
    return copy
  }
}

/** The bytes of a piece. */
export function bytesOf({content, length}: RunPiece, store: RunStore | undefined): Uint8Array {
  if (content instanceof Uint8Array) return content
  if (store === undefined) throw new Error('internal error: a piece of a run is in a store that is not open')
  return store.get(content, length)
}

/** Reads the patterns of a run in order; at most one piece is in memory besides those that always are. */
export class RunReader extends PatternReader {
  readonly #run: Run
  readonly #store: RunStore | undefined
  #piece = 0
  #start = 0
  input = new ByteReader(new Uint8Array(0))

  constructor(run: Run, store: RunStore | undefined, sizes: PatternSizes) {
    super(sizes)
    this.#run = run
    this.#store = store
  }

  /** Go to the next pattern, whose words come next in `input`; false where there is none. */
  advance(): boolean {
    if (this.input.isAtEnd) {
      if (this.#piece === this.#run.length) return false
      this.input = new ByteReader(bytesOf(this.#run[this.#piece++], this.#store))
    }
    this.#start = this.input.at
    this.next(this.input)
    return true
  }

  /** The bytes of the pattern, whose words are then behind. */
  takePattern(): Uint8Array {
    this.input.skipIntegers(2 * this.input.integer())
    return this.input.bytes.subarray(this.#start, this.input.at)
  }
}
