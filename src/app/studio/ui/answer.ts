import {batch, signal} from '@preact/signals'
import {useEffect, useMemo} from 'preact/hooks'
import type {SessionState} from '../../session/index.ts'

/** Asks one thing at a time; of the things wanted meanwhile only the last is asked, and only its answer is shown. */
export class Latest<T> {
  /** The last answer; it stays until the next one is there. */
  readonly value = signal<T | undefined>(undefined)
  /** Why the last question was refused. */
  readonly fault = signal<string | undefined>(undefined)
  #next: (() => Promise<T>) | undefined
  #isAsking = false
  /** Answers of earlier turns are dropped. */
  #turn = 0

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
        if (turn === this.#turn) this.#show(this.value.peek(), messageOf(error))
      }
    }
    this.#isAsking = false
  }

  #show(value: T | undefined, fault: string | undefined): void {
    batch(() => {
      this.value.value = value
      this.fault.value = fault
    })
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** An answer, or a refusal, with its question; the last one stays until the next is there. */
export interface Answered<Q, A> {
  readonly of: Q
  readonly answer?: A
  readonly fault?: Error
}

/** What the session answers to a question, asked again when `key` changes. One question is under way at a time, and only the newest counts. */
export function useLatest<Q, A>(
  question: Q | undefined,
  key: string,
  ask: (question: Q) => Promise<A>
): Answered<Q, A> | undefined {
  const latest = useMemo(() => new Latest<Answered<Q, A>>(), [])
  // The key says what is asked; questions are made anew by each drawing.
  useEffect(() => {
    if (question === undefined) return latest.clear()
    latest.want(() =>
      ask(question).then(
        answer => ({of: question, answer}),
        (fault: Error) => ({of: question, fault})
      )
    )
  }, [question === undefined, key])
  return latest.value.value
}

export interface Answer<A> {
  readonly answer: A | undefined
  readonly fault: Error | undefined
  /** Whether it is of an earlier version, until its own comes. */
  readonly isOld: boolean
}

/** What the session answers about a topic, asked again with every version. An answer about another topic is never shown; nothing is asked without a topic. */
export function useAnswer<A>(topic: string | undefined, version: string, ask: () => Promise<A>): Answer<A> {
  const question = topic === undefined ? undefined : {topic, version}
  const answered = useLatest(question, `${topic} ${version}`, ask)
  if (topic === undefined || answered?.of.topic !== topic) return {answer: undefined, fault: undefined, isOld: false}
  return {answer: answered.answer, fault: answered.fault, isOld: answered.of.version !== version}
}

/** Changes whenever the session may know more. */
export function versionOf({revision, counts, numbers, scores}: SessionState): string {
  return [revision, counts.is, numbers.is, scores.is].join(' ')
}
