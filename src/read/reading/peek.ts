import {joined} from './bytes.ts'

/** The beginning of some bytes, and all of them. */
export interface Peeked {
  /** At least as many bytes as asked for, unless there are fewer. */
  readonly head: Uint8Array
  readonly chunks: AsyncGenerator<Uint8Array>
}

/** Look at the beginning of bytes without consuming them: at `count` of them, or until `isEnough` says so. */
export async function peek(
  chunks: AsyncIterable<Uint8Array>,
  count: number,
  isEnough: (head: Uint8Array) => boolean = () => false
): Promise<Peeked> {
  const rest = chunks[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  let length = 0
  let needed = 1
  let head: Uint8Array = new Uint8Array(0)
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    parts.push(next.value)
    length += next.value.length
    // Looked at again when twice the bytes have arrived, so that many small pieces cost linear time.
    if (length < needed) continue
    head = joined(parts)
    needed = 2 * length
    if (length >= count || isEnough(head)) break
  }
  if (head.length < length) head = joined(parts)
  return {head, chunks: continued(parts, rest)}
}

async function* continued(parts: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
