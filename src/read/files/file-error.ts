import {AdfaError, type ErrorCode} from '../../base/checks/index.ts'
import {withoutPasswords} from '../../base/text/index.ts'
import {errorCode, fileError, reasonOf} from '../reading/index.ts'

/** Why `path` could not be read, in plain words. An error meant for the user is returned as it is. */
export function cannotRead(path: string, error: unknown): AdfaError {
  const code = errorCode(error) ?? ''
  const reason =
    path === '-' && code === 'ENOENT'
      ? 'standard input may only hold documents; name a file here'
      : (readReasons[code] ?? `cannot be read: ${reasonOf(error)}`)
  return plainError('bad-file', withoutPasswords(path), reason, error)
}

/** Why `path` could not be written, in plain words. An error meant for the user is returned as it is. */
export function cannotWrite(path: string, error: unknown): AdfaError {
  const reason = writeReasons[errorCode(error) ?? ''] ?? `${reasonOf(error)}; write elsewhere`
  return plainError('cannot-write', path, `cannot be written: ${reason}`, error)
}

function plainError(code: ErrorCode, path: string, reason: string, cause: unknown): AdfaError {
  if (cause instanceof AdfaError) return cause
  if (cause instanceof Error && cause.name === 'AbortError')
    return new AdfaError('cancelled', `${path}: the work was cancelled`, {cause})
  return new AdfaError(code, `${path}: ${reason}`, {cause, details: {path}})
}

/** The error of the system when a folder is read or written as a file, for when that is noticed earlier. */
export function folderError(): Error {
  return Object.assign(new Error('is a directory'), {code: 'EISDIR'})
}

export function fileChanged(path: string): AdfaError {
  return fileError(
    path,
    'the file changed while it was in use; it is read several times and must stay the same; ' +
      'start again when nothing writes to it, or use a copy'
  )
}

const notFolder = 'a part of the path is a file where a folder should be; check the path'
const notReadable = 'no permission to read it; change its permissions or read a copy'
const notWritable = 'no permission; change the permissions or write elsewhere'

const readReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file; check the path',
  EISDIR: 'this is a folder, not a file; name the files in it',
  ENOTDIR: notFolder,
  EACCES: notReadable,
  EPERM: notReadable
}

const writeReasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist; create the folder first',
  EISDIR: 'it is a folder; give the name of a file',
  ENOTDIR: notFolder,
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: 'the disk is read-only; write elsewhere',
  ENOSPC: 'the disk is full; free some space or write elsewhere',
  EDQUOT: 'the disk is full; free some space or write elsewhere',
  EBADF: 'it is not open for writing; redirect it to a file or a pipe, or write elsewhere',
  ELOOP: 'its links lead in a circle; name the file itself',
  EPIPE: 'its reader has stopped; let the reader read to the end'
}
