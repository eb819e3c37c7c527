import {readFileSync} from 'node:fs'
import {AdfaError} from '../../base/checks/index.ts'
import type {Progress} from '../pipeline/index.ts'
import type {Project} from '../project/index.ts'
import {createDrawing, loadGraphviz} from '../report/index.ts'
import {emptyProject} from './edits.ts'
import type {ExportKind} from './exports.ts'
import {createSession, type SessionApi, type SessionEvent} from './session.ts'
import {createSolver, type SolverApi} from './solver.ts'
import type {SessionState} from './state.ts'

const {version} = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export {emptyProject}

export interface TestSession {
  readonly api: SessionApi
  readonly states: SessionState[]
  readonly notices: string[]
  readonly progress: Extract<SessionEvent, {kind: 'progress'}>[]
  /** Solvers that were started, and that were ended. */
  readonly solvers: {started: number; ended: number}
  state(): SessionState
  /** Wait for a state. */
  until(holds: (state: SessionState) => boolean): Promise<SessionState>
  /** What the studio saves. */
  bytes(what: ExportKind): Promise<Buffer>
  text(what: ExportKind): Promise<string>
  /** Put another project in place. */
  set(project: Project, revision: number): Promise<void>
  /** Send a project and wait until its scores are ready. */
  ready(project: Project, revision: number): Promise<SessionState>
}

export const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** A session in this process. `quiet` replaces the wait for the next edit; `around` changes the solver. */
export function openSession({
  documents = 2000,
  quiet = 0,
  around = api => api
}: {
  documents?: number
  quiet?: number
  around?: (api: SolverApi, emit: (event: Progress) => void) => SolverApi
} = {}): TestSession {
  const states: SessionState[] = []
  const notices: string[] = []
  const progress: TestSession['progress'] = []
  const solvers = {started: 0, ended: 0}
  const waiting: (() => void)[] = []
  const emit = (event: SessionEvent) => {
    if (event.kind === 'notice') notices.push(event.message)
    if (event.kind === 'progress') progress.push(event)
    if (event.kind !== 'state') return
    states.push(event.state)
    for (const wake of waiting.splice(0)) wake()
  }
  const now = () => performance.now()
  const api = createSession({
    emit,
    now,
    wait: ms => (ms === 0 ? new Promise(resolve => setImmediate(resolve)) : pause(Math.min(ms, quiet))),
    startDrawing: () => ({api: createDrawing(loadGraphviz, version), end: () => {}}),
    startSolver(onEvent) {
      solvers.started++
      const {api, end} = endable(around(createSolver(onEvent, now), onEvent))
      return {
        api,
        end() {
          solvers.ended++
          end()
        }
      }
    },
    demoDocuments: documents
  })
  const until = async (holds: (state: SessionState) => boolean): Promise<SessionState> => {
    for (;;) {
      const state = states.at(-1)
      if (state !== undefined && holds(state)) return state
      await new Promise<void>(resolve => waiting.push(resolve))
    }
  }
  const set = (project: Project, revision: number) => api.change({kind: 'replace', project}, revision)
  const bytes = async (what: ExportKind) => Buffer.concat((await api.export(what)).parts)
  return {
    api,
    bytes,
    text: async what => (await bytes(what)).toString(),
    states,
    notices,
    progress,
    solvers,
    until,
    set,
    state: () => states[states.length - 1],
    async ready(project, revision) {
      await set(project, revision)
      return until(
        state =>
          state.revision === revision &&
          [state.counts, state.numbers, state.scores].every(({is}) => is === 'ready' || is === 'failed')
      )
    }
  }
}

/** As from another thread: calls under way are rejected when the solver ends. */
function endable(api: SolverApi): {api: SolverApi; end(): void} {
  const waiting: ((error: Error) => void)[] = []
  const call = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push(reject)
      work.then(resolve, reject)
    })
  return {
    api: {
      examine: task => call(api.examine(task)),
      learn: task => call(api.learn(task)),
      resample: (task, replicates) => call(api.resample(task, replicates)),
      evaluate: task => call(api.evaluate(task))
    },
    end() {
      for (const reject of waiting) reject(new AdfaError('cancelled', 'the work was stopped'))
    }
  }
}
