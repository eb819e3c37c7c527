import type {SourceFile} from './source-file.ts'

/** A file that comes in pieces of these sizes, over and over. */
export function testSource(
  name: string,
  content: string | Uint8Array,
  sizes: readonly number[] = [65_536]
): SourceFile {
  const file = new File([content as Uint8Array<ArrayBuffer>], name)
  return {
    name,
    size: file.size,
    slice: (from, to) => file.slice(from, to),
    stream() {
      let at = 0
      let piece = 0
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (at >= file.size) return controller.close()
          const to = at + sizes[piece++ % sizes.length]
          controller.enqueue(new Uint8Array(await file.slice(at, to).arrayBuffer()))
          at = to
        }
      })
    }
  }
}
