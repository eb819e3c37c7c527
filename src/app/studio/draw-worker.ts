import {type DrawingApi, type Port, serve} from '../desk/index.ts'
import {createDrawing, loadGraphviz} from '../drawing/index.ts'

serve<DrawingApi, never>(self as unknown as Port, () => createDrawing(loadGraphviz))
