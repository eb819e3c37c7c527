export {
  createDrawing,
  type DrawingApi,
  type DrawingHandle,
  type Drawn,
  loadGraphviz,
  type PictureRequest,
  type ReportTask
} from './drawing.ts'
