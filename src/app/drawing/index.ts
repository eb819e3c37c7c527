export {nodeDrawing} from './node-drawing.ts'
