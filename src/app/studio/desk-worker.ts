import {
  connect,
  createDesk,
  createSolver,
  type DeskApi,
  type DeskEvent,
  type Port,
  type SolverApi,
  type SolverEvent,
  type SolverHandle,
  serve
} from '../desk/index.ts'
import {scriptAddress, startWorker} from './start-worker.ts'

/**
 * One script for two workers, told apart by their names: the desk, and its solver. The page sends the desk its own text to start
 * the solver from: a worker can load no second file from disk, and not even its own address.
 */
let address = ''
self.addEventListener('message', ({data}: MessageEvent<{readonly kind: string; readonly text: string}>) => {
  if (data.kind === 'script') address = scriptAddress(data.text)
})

const now = () => performance.now()
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

function startSolver(emit: (event: SolverEvent) => void): SolverHandle {
  const worker = startWorker(address, 'solver')
  const {api, close} = connect<SolverApi, SolverEvent>(worker, emit)
  return {
    api,
    end() {
      worker.terminate()
      close()
    }
  }
}

// The types of a page are in force here too, where `self` is a window.
const scope: Port = self as unknown as Port

if (self.name === 'solver') serve<SolverApi, SolverEvent>(scope, emit => createSolver(emit, now))
else serve<DeskApi, DeskEvent>(scope, emit => createDesk({emit, startSolver, wait, now}))
