/**
 * A file of the WRENCH benchmark, number -> `{"label": 1, "weak_labels": [-1, 1], "data": {"text": "..."}}`, with the names of the
 * classes in `label.json` beside it. A document has its number as `id`, the class of its label as tag, the fields of `data`, and
 * `votes` of the sources `lf0`, `lf1`, ...; -1 is none. The file is one object and is parsed as a whole:
 *
 *     npx tsx examples/convert/wrench.ts train.json > train.jsonl
 *
 * Exactly one class holds in each document: `{"$exclusive": [["HAM", "SPAM"]]}` is the anchors file for it.
 */
import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {writeDocuments} from './lines.ts'

export interface WrenchDocument {
  readonly id: string
  readonly tags?: readonly string[]
  readonly votes: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

interface Entry {
  readonly label?: number | null
  readonly weak_labels: readonly number[]
  readonly data: Readonly<Record<string, unknown>>
}

/** The names of the classes, in the order of their numbers. */
export function wrenchClasses(path: string): readonly string[] {
  const file = join(dirname(path), 'label.json')
  const names = objectIn(file)
  const classes = Object.keys(names).map((_, at) => names[at])
  if (classes.length > 1 && classes.every(name => typeof name === 'string')) return classes as string[]
  throw new Error(`${file}: it must name two classes or more by number, {"0": "HAM", "1": "SPAM"}`)
}

export async function* wrench(path: string): AsyncGenerator<WrenchDocument> {
  const classes = wrenchClasses(path)
  let sources: number | undefined
  for (const [id, entry] of Object.entries(objectIn(path))) {
    const where = `${path}, document "${id}"`
    const {label, weak_labels: votes, data} = (entry ?? {}) as Entry
    if (!Array.isArray(votes) || typeof data !== 'object' || data === null)
      throw new Error(`${where}: expected {"label": 1, "weak_labels": [-1, 1], "data": {"text": "..."}}`)
    sources ??= votes.length
    if (votes.length !== sources)
      throw new Error(`${where}: ${votes.length} weak labels, and documents before have ${sources}; write -1 for none`)
    const classOf = (number: number) => {
      if (classes[number] !== undefined) return classes[number]
      throw new Error(
        `${where}: there is no class ${number}; label.json has 0 to ${classes.length - 1}, and -1 is none`
      )
    }
    const cast = votes.flatMap((vote, at) => (vote === -1 ? [] : [[`lf${at}`, classOf(vote)]]))
    const isKnown = label !== undefined && label !== null && label !== -1
    yield {...data, id, ...(isKnown && {tags: [classOf(label)]}), votes: Object.fromEntries(cast)}
  }
}

function objectIn(path: string): Readonly<Record<string, unknown>> {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}; the file must be one JSON object`)
  }
  throw new Error(`${path}: the file must be one JSON object`)
}

await writeDocuments(import.meta.url, 'train.json', wrench)
