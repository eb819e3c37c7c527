import {batch, type ReadonlySignal, signal} from '@preact/signals'

/** Asks one thing at a time; of the things wanted meanwhile only the last is asked, and only its answer is shown. */
export class Latest<T> {
  readonly #value = signal<T | undefined>(undefined)
  readonly #fault = signal<string | undefined>(undefined)
  #next: (() => Promise<T>) | undefined
  #isAsking = false
  /** Answers of earlier turns are dropped. */
  #turn = 0

  /** The last answer; it stays until the next one is there. */
  get value(): ReadonlySignal<T | undefined> {
    return this.#value
  }

  /** Why the last question was refused. */
  get fault(): ReadonlySignal<string | undefined> {
    return this.#fault
  }

  want(ask: () => Promise<T>): void {
    this.#next = ask
    this.#turn++
    if (!this.#isAsking) void this.#run()
  }

  /** Nothing is wanted any more: what is under way is not shown. */
  clear(): void {
    this.#next = undefined
    this.#turn++
    this.#show(undefined, undefined)
  }

  async #run(): Promise<void> {
    this.#isAsking = true
    while (this.#next !== undefined) {
      const ask = this.#next
      const turn = this.#turn
      this.#next = undefined
      try {
        const answer = await ask()
        if (turn === this.#turn) this.#show(answer, undefined)
      } catch (error) {
        if (turn === this.#turn) this.#show(this.#value.peek(), messageOf(error))
      }
    }
    this.#isAsking = false
  }

  #show(value: T | undefined, fault: string | undefined): void {
    batch(() => {
      this.#value.value = value
      this.#fault.value = fault
    })
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
