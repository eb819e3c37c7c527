/** What is known of the newest question: an answer, or a refusal, may be of an earlier one until its own comes. */
export interface Asked<Q, A> {
  readonly question: Q | undefined
  readonly answer?: A
  readonly fault?: Error
  /** The question that the answer or fault belongs to. */
  readonly of?: Q
}

/**
 * Asks one question at a time: what is asked meanwhile waits, and only the newest of it is asked next. Answers to questions that are no longer
 * the newest are dropped. The last answer stays until the next one comes, so that nothing jumps while someone types.
 */
export class NewestAnswer<Q, A> {
  readonly #ask: (question: Q) => Promise<A>
  readonly #tell: (asked: Asked<Q, A>) => void
  #asked: Asked<Q, A> = {question: undefined}
  #isBusy = false

  constructor(ask: (question: Q) => Promise<A>, tell: (asked: Asked<Q, A>) => void) {
    this.#ask = ask
    this.#tell = tell
  }

  want(question: Q): void {
    this.#set({...this.#asked, question})
    if (!this.#isBusy) void this.#run(question)
  }

  /** There is no question any more, and nothing to show. */
  clear(): void {
    this.#set({question: undefined})
  }

  async #run(question: Q): Promise<void> {
    this.#isBusy = true
    const result = await this.#ask(question).then(
      answer => ({answer}),
      (cause: unknown) => ({fault: cause instanceof Error ? cause : new Error(String(cause))})
    )
    this.#isBusy = false
    const newest = this.#asked.question
    if (newest === undefined) return
    if (newest === question) this.#set({question, of: question, ...result})
    else void this.#run(newest)
  }

  #set(asked: Asked<Q, A>): void {
    this.#asked = asked
    this.#tell(asked)
  }
}
