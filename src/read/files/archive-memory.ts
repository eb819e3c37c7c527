/** A file or folder in an archive. */
export interface ArchiveEntry {
  readonly path: string
  readonly isFile: boolean
  /** The lower 32 bits of its size, all that the library tells. */
  readonly lowSize: number
}

/** An archive in the memory of libarchive. What the library objects to is thrown as an Error with its words. */
export interface ArchiveMemory {
  /** A view of the archive, to fill and to look at; good until another method is called. */
  bytes(): Uint8Array
  /** All entries, in order. */
  entries(): readonly ArchiveEntry[]
  /** The content of the entry with this index, to its end, in pieces of 1 MB, its check sum tested. Each piece blocks. */
  content(index: number): Generator<Uint8Array>
}

interface Heap {
  readonly HEAPU8: Uint8Array
  _malloc(size: number): number
}

const pieceSize = 1024 * 1024
const regularFile = 0o100000

/**
 * Room for an archive of `size` bytes in a fresh libarchive (WebAssembly, loaded by the first call). There is nothing to close:
 * the memory goes with the object.
 */
export async function archiveMemory(size: number): Promise<ArchiveMemory> {
  const {libarchiveWasm} = await import('libarchive-wasm')
  const library = await libarchiveWasm({print: () => {}, printErr: () => {}})
  const heap: Heap = library.module
  const piece = heap._malloc(pieceSize)
  const start = heap._malloc(Math.max(1, size))
  if (piece === 0 || start === 0) throw new Error('there is not enough memory for it')

  /** Call `visit` with every entry until it returns false. */
  function walk(visit: (entry: number, archive: number) => boolean): number {
    const archive = library.read_new_memory(start, size)
    for (;;) {
      const entry = library.read_next_entry(archive)
      if (entry === 0) {
        const problem = library.error_string(archive)
        if (problem) throw new Error(problem)
        return archive
      }
      if (!visit(entry, archive)) return archive
    }
  }

  return {
    // The heap is another array whenever it has grown.
    bytes: () => heap.HEAPU8.subarray(start, start + size),
    entries() {
      const found: ArchiveEntry[] = []
      const archive = walk(entry => {
        found.push({
          path: library.entry_pathname(entry),
          isFile: library.entry_filetype(entry) === regularFile,
          lowSize: library.entry_size(entry) >>> 0
        })
        return true
      })
      library.read_free(archive)
      return found
    },
    *content(index) {
      let at = 0
      const archive = walk(() => at++ < index)
      for (;;) {
        const count = library.read_data(archive, piece, pieceSize)
        if (count === 0) break
        yield heap.HEAPU8.slice(piece, piece + count)
      }
      library.read_free(archive)
    }
  }
}
