import {type Signal, signal} from '@preact/signals'
import {useEffect, useRef, useState} from 'preact/hooks'
import type {EvaluationRequest, EvaluationView} from '../../../session/index.ts'
import type {Studio} from '../../store.ts'
import {createAsker} from '../../ui/answer.ts'

export interface Evaluating {
  readonly view: EvaluationView | undefined
  readonly fault: string | undefined
  /** Whether the figures are of an earlier revision. */
  readonly isOld: boolean
  /** When the work under way began, in milliseconds. */
  readonly since: number | undefined
  ask(request: EvaluationRequest, files?: readonly File[]): void
}

interface Shown {
  readonly view: EvaluationView
  readonly revision: number
}

/** The last figures of some documents, which outlive the page. */
interface Kept {
  readonly hash: string | undefined
  readonly want: ReturnType<typeof createAsker>
  readonly last: Signal<Shown | undefined>
  readonly fault: Signal<string | undefined>
}

const kept = new WeakMap<Studio, Kept>()

function keptOf(studio: Studio): Kept {
  const hash = studio.project.value.documents?.hash
  const last = kept.get(studio)
  if (last !== undefined && last.hash === hash) return last
  const fresh: Kept = {
    hash,
    want: createAsker(),
    last: signal(undefined),
    fault: signal(undefined)
  }
  kept.set(studio, fresh)
  return fresh
}

/** The figures of the last model: asked for when it is ready, old from an edit to the next. */
export function useEvaluation(studio: Studio): Evaluating {
  const {revision, scores} = studio.state.value
  const {want, last, fault} = keptOf(studio)
  const [since, setSince] = useState<number>()
  const turn = useRef(0)
  const drop = useRef(() => {})
  const ask = (request: EvaluationRequest, files?: readonly File[]) => {
    const mine = ++turn.current
    // What runs would be waited for.
    if (since !== undefined) studio.session.cancel().catch(studio.say)
    setSince(Date.now())
    const done = (error?: Error) => {
      fault.value = error?.message
      if (mine === turn.current) setSince(undefined)
    }
    drop.current()
    drop.current = want(
      () => studio.session.evaluate(request, files),
      view => {
        last.value = {view, revision: studio.state.peek().revision}
        done()
      },
      done
    )
  }
  useEffect(() => {
    if (scores.is === 'ready') ask({})
    // Once for each model.
  }, [revision, scores.is === 'ready'])
  const shown = last.value
  return {
    view: shown?.view,
    fault: fault.value,
    isOld: shown !== undefined && (shown.revision !== revision || scores.is !== 'ready'),
    since,
    ask
  }
}
