import {signal} from '@preact/signals'
import {type Studio, useStudio} from '../store.ts'

/** What work has given, the project it is of, and its number among the answers. */
interface Answered<T> {
  readonly value: T
  readonly revision: number
  readonly number: number
}

/** Work of the session that takes long, its last answer, and why it failed; all of it stays while other pages are open. */
export class Work<T> {
  readonly answer = signal<Answered<T> | undefined>(undefined)
  readonly fault = signal<string | undefined>(undefined)
  readonly isBusy = signal(false)
  readonly #studio: Studio
  #turn = 0

  constructor(studio: Studio) {
    this.#studio = studio
  }

  /** Of several that were started only the last one counts. */
  async start(ask: () => Promise<T>): Promise<void> {
    const turn = ++this.#turn
    this.isBusy.value = true
    this.fault.value = undefined
    try {
      const value = await ask()
      if (turn === this.#turn) this.show(value)
    } catch (error) {
      if (turn === this.#turn) this.fault.value = (error as Error).message
    }
    if (turn === this.#turn) this.isBusy.value = false
  }

  show(value: T): void {
    const {number = 0} = this.answer.peek() ?? {}
    this.answer.value = {value, revision: this.#studio.state.peek().revision, number: number + 1}
  }
}

const works = new WeakMap<Studio, Map<string, Work<unknown>>>()

/** The work of this name; an evaluation, for example, of these documents. */
export function useWork<T>(name: string): Work<T> {
  const studio = useStudio()
  const own = works.get(studio) ?? new Map<string, Work<unknown>>()
  works.set(studio, own)
  const work = own.get(name) ?? new Work(studio)
  own.set(name, work)
  return work as Work<T>
}
