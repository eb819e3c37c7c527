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

/** One script for two workers, told apart by their names: the desk, and its solver. */

const now = () => performance.now()
const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
// The types of a page are in force here too, where `self` is a window.
const scope = self as unknown as Worker

/** The page starts the solver, and ends it: see `startDesk`. */
function startSolver(emit: (event: SolverEvent) => void): SolverHandle {
  const {port1: port, port2} = new MessageChannel()
  scope.postMessage({kind: 'solver'}, [port2])
  const {api, close} = connect<SolverApi, SolverEvent>(port, emit)
  port.start()
  return {
    api,
    end() {
      scope.postMessage({kind: 'solver'})
      port.close()
      close()
    }
  }
}

if (self.name === 'solver')
  scope.addEventListener('message', ({ports: [port]}) => {
    serve<SolverApi, SolverEvent>(port, emit => createSolver(emit, now))
    port.start()
  })
else serve<DeskApi, DeskEvent>(scope, emit => createDesk({emit, startSolver, wait, now}))
