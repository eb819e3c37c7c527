import {useEffect, useRef, useState} from 'preact/hooks'
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

type Figures = Latest<{readonly view: EvaluationView; readonly revision: number}>

/** The last figures of some documents, which outlive the page. */
const kept = new WeakMap<Studio, {readonly hash: string | undefined; readonly figures: Figures}>()

function figuresOf(studio: Studio): Figures {
  const hash = studio.project.value.documents?.hash
  const last = kept.get(studio)
  if (last?.hash === hash && last !== undefined) return last.figures
  const figures: Figures = new Latest()
  kept.set(studio, {hash, figures})
  return figures
}

/** The figures of the last model: asked for when it is ready, old from an edit to the next. */
export function useEvaluation(studio: Studio): Evaluating {
  const {revision, scores} = studio.state.value
  const latest = figuresOf(studio)
  const [since, setSince] = useState<number>()
  const turn = useRef(0)
  const ask = (request: EvaluationRequest, files?: readonly File[]) => {
    const mine = ++turn.current
    // What runs would be waited for.
    if (since !== undefined) studio.desk.cancel().catch(studio.say)
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
