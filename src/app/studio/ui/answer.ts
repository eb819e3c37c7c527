import {useEffect, useMemo, useState} from 'preact/hooks'
import type {SessionState} from '../../session/index.ts'

/**
 * Asks one thing at a time; of the things wanted meanwhile only the last is asked, and only its answer is told. The result drops
 * a question.
 */
export function createAsker() {
  let before: Promise<unknown> = Promise.resolve()
  return <A>(ask: () => Promise<A>, tell: (answer: A) => void, refuse: (fault: Error) => void): (() => void) => {
    let isWanted = true
    const tellIf =
      <V>(say: (value: V) => void) =>
      (value: V) =>
        isWanted && say(value)
    before = before.then(() => (isWanted ? ask().then(tellIf(tell), tellIf(refuse)) : undefined))
    return () => {
      isWanted = false
    }
  }
}

export interface Answer<A> {
  readonly answer: A | undefined
  readonly fault: Error | undefined
  /** Whether it is of an earlier version, until its own comes. */
  readonly isOld: boolean
}

interface Answered<A> {
  readonly topic: string
  readonly version: string
  readonly answer?: A
  readonly fault?: Error
}

/** What the session answers about a topic, asked again with every version. An answer about another topic is never shown; nothing is asked without a topic. */
export function useAnswer<A>(topic: string | undefined, version: string, ask: () => Promise<A>): Answer<A> {
  const [shown, show] = useState<Answered<A>>()
  const want = useMemo(createAsker, [])
  useEffect(() => {
    if (topic === undefined) return
    return want(
      ask,
      answer => show({topic, version, answer}),
      fault => show({topic, version, fault})
    )
  }, [topic, version])
  const isOwn = topic !== undefined && shown?.topic === topic
  return {
    answer: isOwn ? shown.answer : undefined,
    fault: isOwn ? shown.fault : undefined,
    isOld: isOwn && shown.version !== version
  }
}

/** Changes whenever the session may know more. */
export function versionOf({revision, counts, numbers, scores}: SessionState): string {
  return [revision, counts.is, numbers.is, scores.is].join(' ')
}
