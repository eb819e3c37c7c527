import {createDrawing, loadGraphviz} from '../../report/index.ts'
import type {DrawingApi} from '../../session/index.ts'
import {servePort} from './serve-port.ts'

/** Set by the build. */
declare const ADFA_VERSION: string

servePort<DrawingApi, never>(() => createDrawing(loadGraphviz, ADFA_VERSION))
