export {
  createDrawing,
  type DrawingApi,
  type DrawingHandle,
  type Drawn,
  type PictureRequest,
  type ReportTask
} from './drawing.ts'
export {loadGraphviz} from './load-graphviz.ts'
