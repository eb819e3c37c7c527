/**
 * adfa/report: charts, network pictures and the one-file HTML report. Pure: Graphviz is an argument.
 *
 *     import {renderReport} from 'adfa/report'
 *
 *     renderReport({title: 'Notes', model, provenance: []}, viz)
 */
export {type CertificateFacts, certificateFacts} from '../../use/facts/index.ts'
export {
  type BarsChart,
  type Chart,
  type ChartAxis,
  type ChartBar,
  type ChartPoint,
  type ChartSeries,
  drawChart,
  drawNetwork,
  type Graphviz,
  type LinesChart,
  type NetworkPictureOptions
} from '../drawing/index.ts'
export {describeFinding} from '../present/index.ts'
export {
  createDrawing,
  type DrawingApi,
  type DrawingHandle,
  loadGraphviz,
  type PictureRequest,
  type ReportTask
} from './drawing.ts'
export {Figure, Html, type Page, pageHost, renderPage, type Section} from './page.tsx'
export {type ReportFiles, type ReportInput, renderReport, reportProvenance} from './report.tsx'
