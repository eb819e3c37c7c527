import {createSolver, type Progress, type SolverApi} from '../../session/index.ts'
import {servePort} from './serve-port.ts'

servePort<SolverApi, Progress>(emit => createSolver(emit, () => performance.now()))
