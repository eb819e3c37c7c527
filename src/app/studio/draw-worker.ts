import {type DrawingApi, type Port, serve} from '../desk/index.ts'
import {createDrawing, loadGraphviz} from '../drawing/index.ts'

/** Set by the build. */
declare const ADFA_VERSION: string

serve<DrawingApi, never>(self as unknown as Port, () => createDrawing(loadGraphviz, ADFA_VERSION))
