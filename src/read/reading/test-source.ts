import type {SourceFile} from './source-bytes.ts'

/** A file that comes in pieces of these sizes, over and over. */
export function testSource(
  name: string,
  content: string | Uint8Array,
  sizes: readonly number[] = [65_536]
): SourceFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    stream() {
      let at = 0
      let piece = 0
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) return controller.close()
          const to = at + sizes[piece++ % sizes.length]
          controller.enqueue(Uint8Array.from(bytes.subarray(at, to)))
          at = to
        }
      })
    }
  }
}
