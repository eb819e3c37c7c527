import type {DrawingApi} from '../../desk/index.ts'
import {createDrawing, loadGraphviz} from '../../drawing/index.ts'
import {servePort} from './serve-port.ts'

/** Set by the build. */
declare const ADFA_VERSION: string

servePort<DrawingApi, never>(() => createDrawing(loadGraphviz, ADFA_VERSION))
