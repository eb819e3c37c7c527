import {
  connect,
  createDesk,
  createSolver,
  type DeskApi,
  type DeskEvent,
  type DrawingHandle,
  type Methods,
  type Port,
  type SolverApi,
  type SolverEvent,
  type SolverHandle,
  serve
} from '../desk/index.ts'
import {startWorker} from './start-worker.ts'
import {ownAddress, scriptOf} from './worker-scripts.ts'

// One script for two workers, told apart by their names: the desk, and its solver.
const now = () => performance.now()
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

function startSolver(emit: (event: SolverEvent) => void): SolverHandle {
  return handleOf(startWorker(ownAddress(), 'solver'), emit)
}

async function startDrawing(): Promise<DrawingHandle> {
  return handleOf(startWorker(await scriptOf('draw'), 'draw'), () => {})
}

function handleOf<Api extends Methods<Api>, Event>(worker: Worker, emit: (event: Event) => void) {
  const {api, close} = connect<Api, Event>(worker, emit)
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
else serve<DeskApi, DeskEvent>(scope, emit => createDesk({emit, startSolver, startDrawing, wait, now}))
