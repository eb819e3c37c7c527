/** What the converters share: lines of a file or of standard input, and documents written as JSON Lines. */
import {createReadStream} from 'node:fs'
import {basename} from 'node:path'
import {pipeline} from 'node:stream/promises'
import {fileURLToPath} from 'node:url'
import {createGunzip} from 'node:zlib'

export interface Line {
  readonly text: string
  /** The file and the number of the line, for errors. */
  readonly where: string
}

/** The lines of a UTF-8 file, plain or with a name that ends in `.gz`; `-` is standard input. Memory: a piece and a line. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  const name = path === '-' ? 'standard input' : path
  let rest = ''
  let line = 0
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
    } catch {
      throw new Error(`${name}: not text in UTF-8 after line ${line}; save it as UTF-8`)
    }
  }
  for await (const bytes of bytesOf(path)) {
    const lines = (rest + decode(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield {text: text.replace(/\r$/, ''), where: `${name}:${++line}`}
  }
  rest += decode()
  if (rest !== '') yield {text: rest, where: `${name}:${line + 1}`}
}

/** The bytes of a file, decompressed when its name ends in `.gz`. */
export function bytesOf(path: string): AsyncIterable<Uint8Array> {
  const source = path === '-' ? process.stdin : createReadStream(path)
  // `compose` passes errors of the source on, `pipe` does not.
  return path.endsWith('.gz') ? source.compose(createGunzip()) : source
}

/** Writes the documents of a converter to standard output, if it is the program that was started. */
export async function writeDocuments(
  file: string,
  usage: string,
  documentsOf: (path: string, options: readonly string[]) => AsyncIterable<object>
): Promise<void> {
  if (process.argv[1] !== fileURLToPath(file)) return
  const [path, ...options] = process.argv.slice(2)
  if (path === undefined) {
    console.error(`usage: npx tsx examples/convert/${basename(fileURLToPath(file))} ${usage} > documents.jsonl`)
    process.exitCode = 2
    return
  }
  const lines = async function* () {
    for await (const document of documentsOf(path, options)) yield `${JSON.stringify(document)}\n`
  }
  try {
    await pipeline(lines, process.stdout)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
