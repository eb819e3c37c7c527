import {useEffect, useMemo, useRef, useState} from 'preact/hooks'
import type {EvaluationRequest, EvaluationView} from '../desk/index.ts'
import {Latest} from './latest.ts'
import type {Studio} from './store.ts'

export interface Evaluating {
  readonly view: EvaluationView | undefined
  readonly fault: string | undefined
  /** Whether the figures are of an earlier revision. */
  readonly isOld: boolean
  /** When the work under way began, in milliseconds. */
  readonly since: number | undefined
  ask(request: EvaluationRequest, files?: readonly File[]): void
}

/** The figures of the last model: asked for when it is ready, old from an edit to the next. */
export function useEvaluation(studio: Studio): Evaluating {
  const {revision, scores} = studio.state.value
  const latest = useMemo(() => new Latest<{view: EvaluationView; revision: number}>(), [])
  const [since, setSince] = useState<number>()
  const turn = useRef(0)
  const ask = (request: EvaluationRequest, files?: readonly File[]) => {
    const mine = ++turn.current
    setSince(Date.now())
    latest.want(() =>
      studio.desk
        .evaluate(request, files)
        .then(view => ({view, revision: studio.state.peek().revision}))
        .finally(() => mine === turn.current && setSince(undefined))
    )
  }
  useEffect(() => {
    if (scores.is === 'ready') ask({})
    // Once for each model.
  }, [revision, scores.is === 'ready'])
  const shown = latest.value.value
  return {
    view: shown?.view,
    fault: latest.fault.value,
    isOld: shown !== undefined && (shown.revision !== revision || scores.is !== 'ready'),
    since,
    ask
  }
}
