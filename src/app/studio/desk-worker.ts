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
import {startWorker} from './start-worker.ts'

/**
 * One script for two workers, told apart by their names: the desk, and its solver. The solver is started from the address of
 * the desk itself, which works from disk too, where a worker can load no second file.
 */
const now = () => performance.now()
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

function startSolver(emit: (event: SolverEvent) => void): SolverHandle {
  const worker = startWorker(self.location.href, 'solver')
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
