import {crc32, inflateRawSync} from 'node:zlib'
import {errorCode, fileError} from '../reading/index.ts'

interface ZipEntry {
  readonly name: string
  readonly isEncrypted: boolean
  readonly method: number
  readonly checksum: number
  readonly packedSize: number
  /** Where its local header is. */
  readonly place: number
}

/** The files of a ZIP archive by name, those that `isWanted`; together they may have `limit` bytes, decompressed. */
export function unpackZip(
  archive: Uint8Array,
  name: string,
  limit: number,
  isWanted: (entry: string) => boolean
): ReadonlyMap<string, Uint8Array> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length)
  const files = new Map<string, Uint8Array>()
  let room = limit
  for (const entry of directory(bytes, name)) {
    if (!isWanted(entry.name) || files.has(entry.name)) continue
    if (entry.isEncrypted) throw fileError(name, 'the archive has a password; save it without one')
    const content = contentOf(bytes, entry, {name, room, limit})
    if (crc32(content) !== entry.checksum) throw damaged(name)
    room -= content.length
    files.set(entry.name, content)
  }
  return files
}

const END_LENGTH = 22
const ENTRY_LENGTH = 46
const LOCAL_LENGTH = 30

/** The directory at the end of the archive. Archives of over 4 GB or 65,535 files have another one, which is not read. */
function* directory(bytes: Buffer, name: string): Generator<ZipEntry> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0 || end + END_LENGTH > bytes.length) throw damaged(name)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry++) {
    if (at + ENTRY_LENGTH > end || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged(name)
    const nameEnd = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28)
    if (nameEnd > end) throw damaged(name)
    yield {
      name: bytes.toString('utf8', at + ENTRY_LENGTH, nameEnd),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      packedSize: bytes.readUInt32LE(at + 20),
      place: bytes.readUInt32LE(at + 42)
    }
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

interface Room {
  readonly name: string
  readonly room: number
  readonly limit: number
}

function contentOf(bytes: Buffer, {place, packedSize, method}: ZipEntry, {name, room, limit}: Room): Uint8Array {
  if (place + LOCAL_LENGTH > bytes.length || bytes.readUInt32LE(place) !== 0x04034b50) throw damaged(name)
  const start = place + LOCAL_LENGTH + bytes.readUInt16LE(place + 26) + bytes.readUInt16LE(place + 28)
  if (start + packedSize > bytes.length) throw damaged(name)
  const packed = bytes.subarray(start, start + packedSize)
  const tooLarge = () =>
    fileError(name, `it has over ${limit / 1024 ** 2} MB, decompressed, and at most that is read; save it as CSV`)
  if (method === 0) {
    if (packed.length > room) throw tooLarge()
    return packed
  }
  if (method !== 8) throw fileError(name, `its data is compressed by an unknown method (${method}); save it again`)
  try {
    return inflateRawSync(packed, {maxOutputLength: Math.max(1, room)})
  } catch (error) {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged(name, error)
  }
}

function damaged(name: string, cause?: unknown) {
  return fileError(name, 'the archive is damaged or cut short; copy it again, or save it again', cause)
}
