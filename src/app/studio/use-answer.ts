import {useEffect, useRef, useState} from 'preact/hooks'
import type {DeskState} from '../desk/index.ts'
import {type Asked, NewestAnswer} from './newest-answer.ts'

interface Question<A> {
  readonly topic: string
  readonly version: string
  ask(): Promise<A>
}

export interface Answer<A> {
  readonly answer: A | undefined
  readonly fault: Error | undefined
  /** Whether it is of an earlier version, until its own comes. */
  readonly isOld: boolean
}

/** What the desk answers about a topic, asked again with every version. An answer about another topic is never shown; nothing is asked without a topic. */
export function useAnswer<A>(topic: string | undefined, version: string, ask: () => Promise<A>): Answer<A> {
  const [asked, setAsked] = useState<Asked<Question<A>, A>>({question: undefined})
  const newest = useRef<NewestAnswer<Question<A>, A>>(undefined)
  newest.current ??= new NewestAnswer(question => question.ask(), setAsked)
  // Topic and version say what is asked.
  useEffect(() => {
    if (topic === undefined) newest.current?.clear()
    else newest.current?.want({topic, version, ask})
  }, [topic, version])
  const {of, answer, fault} = asked
  if (topic === undefined || of?.topic !== topic) return {answer: undefined, fault: undefined, isOld: false}
  return {answer, fault, isOld: of.version !== version}
}

/** Changes whenever the desk may know more. */
export function versionOf({revision, counts, numbers, scores}: DeskState): string {
  return [revision, counts.is, numbers.is, scores.is].join(' ')
}
