import {
  type Connection,
  connect,
  createSession,
  type DrawingApi,
  type Methods,
  type Progress,
  type SessionApi,
  type SessionEvent,
  type SolverApi,
  serve
} from '../../session/index.ts'
import type {ScriptName, WorkerFault, WorkerRequest} from './start-session.ts'

const now = () => performance.now()
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
// The types of a page are in force here too, where `self` is a window.
const scope = self as unknown as Worker

const connections = new Map<number, Pick<Connection<unknown>, 'close'>>()
let last = 0

/** The page starts the workers of the session, and ends them: see `startSession`. */
function startThread<Api extends Methods<Api>, Event = never>(script: ScriptName, emit?: (event: Event) => void) {
  const id = ++last
  const {port1: port, port2} = new MessageChannel()
  scope.postMessage({kind: 'start', id, script} satisfies WorkerRequest, [port2])
  const connection = connect<Api, Event>(port, emit)
  connections.set(id, connection)
  port.start()
  return {
    api: connection.api,
    end() {
      scope.postMessage({kind: 'end', id} satisfies WorkerRequest)
      port.close()
      connection.close()
      connections.delete(id)
    }
  }
}

scope.addEventListener('message', ({data}: MessageEvent<WorkerFault>) => {
  if (data.kind === 'fault of worker') connections.get(data.id)?.close(data.message)
})

const startSolver = (emit: (event: Progress) => void) => startThread<SolverApi, Progress>('solver', emit)
const startDrawing = () => startThread<DrawingApi>('draw')
serve<SessionApi, SessionEvent>(scope, emit => createSession({emit, startSolver, startDrawing, wait, now}))
