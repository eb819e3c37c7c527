import {batch, signal} from '@preact/signals'
import {type DocumentLine, type DocumentList, MOST_ROWS} from '../../../session/index.ts'
import {messageOf} from '../../ui/answer.ts'
import {chunksOf, type RowRange} from '../../ui/rows.ts'

/** Rows of one message. */
export const CHUNK = MOST_ROWS

/** Rows `from` and `count` of a list. */
type AskRows = (from: number, count: number) => Promise<DocumentList>

/**
 * The rows of a long list near those on the screen, asked for as they are needed, one message at a time. When the list changes,
 * the rows that are there stay until the first new ones arrive.
 */
export class DocumentRows {
  /** Documents of the list; undefined before the first answer. */
  readonly total = signal<number | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly #version = signal(0)
  #chunks = new Map<number, readonly DocumentLine[]>()
  #ask: AskRows | undefined
  #wanted: RowRange = {from: 0, to: 1}
  #isAsking = false
  /** Whether the rows that are there belong to an earlier list. */
  #isEarlier = false

  /** Whether the rows that are there belong to the list that was opened last. */
  get isCurrent(): boolean {
    return !this.#isEarlier
  }

  /** A new list, or the same one with new scores. */
  open(ask: AskRows, wanted: RowRange = this.#wanted): void {
    this.#ask = ask
    this.#wanted = wanted
    this.#isEarlier = true
    this.fault.value = undefined
    if (!this.#isAsking) void this.#run()
  }

  /** The rows on the screen. */
  need(wanted: RowRange): void {
    this.#wanted = wanted
    if (!this.#isAsking) void this.#run()
  }

  /** A row, once it is there. */
  row(at: number): DocumentLine | undefined {
    this.#version.value
    return this.#chunks.get(Math.floor(at / CHUNK))?.[at % CHUNK]
  }

  /** The place of a document among the rows that are there; -1 where it is not. */
  place(document: number): number {
    this.#version.value
    for (const [chunk, rows] of this.#chunks) {
      const at = rows.findIndex(row => row.at === document)
      if (at >= 0) return chunk * CHUNK + at
    }
    return -1
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    for (let chunk = this.#missing(); chunk !== undefined; chunk = this.#missing()) {
      const ask = this.#ask
      if (ask === undefined) break
      try {
        const list = await ask(chunk * CHUNK, CHUNK)
        if (ask === this.#ask) this.#take(chunk, list)
      } catch (error) {
        if (ask !== this.#ask) continue
        this.fault.value = messageOf(error)
        break
      }
    }
    this.#isAsking = false
  }

  #missing(): number | undefined {
    const chunks = chunksOf(this.#wanted, CHUNK)
    return this.#isEarlier ? (chunks[0] ?? 0) : chunks.find(chunk => !this.#chunks.has(chunk))
  }

  #take(chunk: number, {rows, total}: DocumentList): void {
    const wanted = chunksOf(this.#wanted, CHUNK)
    const isNear = (other: number) => wanted.some(one => Math.abs(one - other) <= 1)
    const kept = this.#isEarlier ? [] : [...this.#chunks].filter(([other]) => isNear(other))
    this.#chunks = new Map([...kept, [chunk, rows]])
    this.#isEarlier = false
    batch(() => {
      this.total.value = total
      this.#version.value++
    })
  }
}
