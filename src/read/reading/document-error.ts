import {AdfaError} from '../../base/checks/index.ts'

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The stable word that Node puts on system and zlib errors: "ENOENT", "Z_BUF_ERROR". */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export function fileError(name: string, problem: string, cause?: unknown): AdfaError {
  return new AdfaError('bad-file', `${name}: ${problem}`, cause === undefined ? {} : {cause})
}

/** A document or line that breaks the rules of its format. */
export function documentError(where: string, what: string, rule: string, cause?: unknown): AdfaError {
  return new AdfaError('bad-document', `${where}: ${what}; ${rule}`, cause === undefined ? {} : {cause})
}
