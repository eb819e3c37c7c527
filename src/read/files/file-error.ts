import {AdfaError} from '../../base/checks/index.ts'

/** Why `path` could not be read, in plain words. An error that already speaks plainly is handed back as it is. */
export function cannotRead(path: string, error: unknown): AdfaError {
  if (error instanceof AdfaError) return error
  if (isAbort(error)) return new AdfaError('cancelled', `${path}: reading was cancelled`, {cause: error})
  return new AdfaError('bad-file', `${path}: ${readReason(error)}`, {cause: error, details: {path}})
}

/** Why `path` could not be written, in plain words. An error that already speaks plainly is handed back as it is. */
export function cannotWrite(path: string, error: unknown): AdfaError {
  if (error instanceof AdfaError) return error
  if (isAbort(error)) return new AdfaError('cancelled', `${path}: writing was cancelled`, {cause: error})
  return new AdfaError('cannot-write', `${path}: cannot be written: ${writeReason(error)}`, {
    cause: error,
    details: {path}
  })
}

/** The stable word that Node puts on system and zlib errors: "ENOENT", "Z_BUF_ERROR". */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The error the system gives when a folder is read or written as a file, for when that is noticed before it does. */
export function folderError(): Error {
  return Object.assign(new Error('is a directory'), {code: 'EISDIR'})
}

function readReason(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'there is no such file; check its name and folder'
    case 'EISDIR':
      return 'this is a folder, not a file; name the files in it'
    case 'ENOTDIR':
      return 'a part of the path is a file where a folder should be; check the path'
    case 'EACCES':
    case 'EPERM':
      return 'no permission to read it; change its permissions or read a copy'
    default:
      return `cannot be read: ${describe(error)}`
  }
}

function writeReason(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'its folder does not exist; create the folder first'
    case 'EISDIR':
      return 'it is a folder; give the name of a file'
    case 'ENOTDIR':
      return 'a part of the path is a file where a folder should be; check the path'
    case 'EACCES':
    case 'EPERM':
      return 'no permission; change the permissions or write elsewhere'
    case 'EROFS':
      return 'the disk is read-only; write elsewhere'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; free some space or write elsewhere'
    case 'EFBIG':
      return 'the file would be larger than is allowed here; raise the limit or write elsewhere'
    case 'EPIPE':
      return 'whoever was reading has stopped; let the reader read to the end'
    default:
      return `${describe(error)}; write elsewhere`
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
