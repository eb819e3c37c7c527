export {createDrawing, type DrawingApi, type DrawingHandle, type Drawn, type PictureRequest} from './drawing.ts'
export {loadGraphviz} from './load-graphviz.ts'
