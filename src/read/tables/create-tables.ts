import type {unzipSync} from 'fflate'
import {fileError, type ParquetFile, type SourceFile, type TablesApi} from '../reading/index.ts'
import {openParquetFile} from './parquet-file.ts'
import {checkWorkbookSize, sheetCells, type Unpack} from './sheet-cells.ts'

/** Readers of tables without Node. Files are read as a whole. */
export function createTables(): TablesApi {
  const open = new Map<number, Omit<ParquetFile, 'close'>>()
  let last = 0
  return {
    async ready() {},
    async sheet(file) {
      const {name} = file
      checkWorkbookSize(file.size, name)
      // Loaded here, since most runs read no workbooks.
      const {unzipSync} = await import('fflate')
      return sheetCells(await bytesOf(file), {name}, unpackBy(unzipSync))
    },
    async parquet(file) {
      const bytes = await bytesOf(file)
      const content = {
        byteLength: bytes.length,
        slice: async (from: number, to?: number) => bytes.slice(from, to).buffer
      }
      const opened = await openParquetFile(content, file.name)
      open.set(++last, opened)
      return {key: last, size: opened.size, columns: opened.columns, groups: opened.groups}
    },
    async column(key, column, group) {
      const file = open.get(key)
      if (file === undefined) throw new Error('internal error: the Parquet file is closed')
      return file.readColumn(column, group)
    },
    async close(key) {
      open.delete(key)
    }
  }
}

async function bytesOf(file: SourceFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(file.size)
  let at = 0
  for (const reader = file.stream().getReader(); ; ) {
    const {done, value} = await reader.read()
    if (done) break
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}

/** Sizes are those that the archive announces; what is longer than it says is cut there, and refused as damaged. */
function unpackBy(unzip: typeof unzipSync): Unpack {
  return (bytes, name, limit, isWanted) => {
    let room = limit
    try {
      const files = unzip(bytes, {
        filter(entry) {
          const wants = isWanted(entry.name)
          if (wants) room -= entry.originalSize
          return wants && room >= 0
        }
      })
      if (room >= 0) return new Map(Object.entries(files))
    } catch (error) {
      throw fileError(name, 'the archive is damaged or cut short; copy it again, or save it again', error)
    }
    throw fileError(name, `it has over ${limit / 1024 ** 2} MB, decompressed, and at most that is read; save it as CSV`)
  }
}
