import type {DrawingApi} from '../desk/index.ts'
import {createDrawing, loadGraphviz} from '../drawing/index.ts'
import {servePort} from './serve-port.ts'

servePort<DrawingApi, never>(() => createDrawing(loadGraphviz))
