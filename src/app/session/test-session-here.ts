import {AdfaError} from '../../base/checks/index.ts'
import type {Progress} from '../pipeline/index.ts'
import {createDrawing, loadGraphviz} from '../report/index.ts'
import {createSession, type SessionEvent} from './session.ts'
import {createSolver, type SolverApi} from './solver.ts'

export interface HereOptions {
  /** Visits of the demo. */
  readonly documents?: number
  /** The most milliseconds of any wait: the session waits 0.8 s for the next edit otherwise. */
  readonly quiet?: number
  /** Changes the solver: slower, counted, never done. */
  readonly around?: (api: SolverApi, emit: (event: Progress) => void) => SolverApi
  readonly version?: string
}

/**
 * The real session without threads of its own, in Node or in a page:
 *
 *     const {api} = sessionHere(event => studio.hear(event))
 *     const {reading, anchors} = await api.demo()
 *     await api.open(reading)
 *     await api.change({kind: 'replace', project: {...emptyProject, reading, anchors}}, 1)
 */
export function sessionHere(emit: (event: SessionEvent) => void, options: HereOptions = {}) {
  const {documents: demoDocuments = 2000, quiet = 0, around = api => api, version = 'tested'} = options
  const solvers = {started: 0, ended: 0}
  const now = () => performance.now()
  const api = createSession({
    emit,
    now,
    wait: ms => pause(Math.min(ms, quiet)),
    startDrawing: () => ({api: createDrawing(loadGraphviz, version), end: () => {}}),
    startSolver(onEvent) {
      solvers.started++
      return endable(around(createSolver(onEvent, now), onEvent), () => solvers.ended++)
    },
    demoDocuments
  })
  return {api, solvers}
}

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** As from another thread: calls under way are rejected when the solver ends. */
function endable(api: SolverApi, onEnd: () => void): {api: SolverApi; end(): void} {
  let reject: (error: AdfaError) => void = () => {}
  const ended = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  ended.catch(() => {})
  const call = (name: keyof SolverApi, args: unknown[]) =>
    Promise.race([(api[name] as (...args: unknown[]) => Promise<unknown>)(...args), ended])
  return {
    api: new Proxy(api, {
      get:
        (_, name) =>
        (...args: unknown[]) =>
          call(name as keyof SolverApi, args)
    }),
    end() {
      onEnd()
      reject(new AdfaError('cancelled', 'the work was stopped'))
    }
  }
}
