/** The kind of an error, as a stable word that programs may test for. */
export type ErrorCode =
  | 'bad-option'
  | 'bad-document'
  | 'bad-file'
  | 'bad-anchors'
  | 'bad-rates'
  | 'bad-counts'
  | 'bad-model'
  | 'mismatch'
  | 'cannot-write'
  | 'cancelled'

/**
 * The one error class of the library: a mistake that the caller can mend.
 * The message says what is wrong, where, the rule, what was found, and the way out. Anything else that is thrown is a bug.
 */
export class AdfaError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: {cause?: unknown; details?: Readonly<Record<string, unknown>>} = {}
  ) {
    super(message, 'cause' in options ? {cause: options.cause} : {})
    this.name = 'AdfaError'
    this.code = code
    this.details = options.details ?? {}
  }
}

/** Ends a switch over a union, so that the compiler reports a case that is missing. */
export function unreachable(value: never): never {
  throw new Error(`internal error: unexpected value ${JSON.stringify(value)}`)
}

/** Throws an error with the code `cancelled` when the caller has asked to stop. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AdfaError('cancelled', 'cancelled before the work was done')
}

/** Guesses from the first characters of a file what it holds, so that an error can say which file was given by mistake. */
export function fileKind(start: string): 'a model' | 'counts' | 'released tables' | 'documents' | undefined {
  if (start.startsWith('ADFACNT\n')) return 'counts'
  if (/^\s*\{\s*"format":\s*"adfa-model"/.test(start)) return 'a model'
  if (start.startsWith('{"format":"adfa-release"')) return 'released tables'
  return /^\s*\{\s*"(id|text|title|body|features|tags|labels)"\s*:/.test(start) ? 'documents' : undefined
}
