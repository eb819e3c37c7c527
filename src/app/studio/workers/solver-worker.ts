import {createSolver, type SolverApi, type SolverEvent} from '../../session/index.ts'
import {servePort} from './serve-port.ts'

servePort<SolverApi, SolverEvent>(emit => createSolver(emit, () => performance.now()))
