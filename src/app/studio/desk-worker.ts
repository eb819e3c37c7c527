import {
  connect,
  createDesk,
  createSolver,
  type DeskApi,
  type DeskEvent,
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

if (self.name === 'solver') serve<SolverApi, SolverEvent>(self, emit => createSolver(emit, now))
else serve<DeskApi, DeskEvent>(self, emit => createDesk({emit, startSolver, wait, now}))
