export type {
  BarsChart,
  Chart,
  ChartAxis,
  ChartBar,
  ChartPoint,
  ChartSeries,
  IntervalsChart,
  LinesChart,
  ReliabilityChart,
  WeightsChart
} from './chart.ts'
export {drawChart} from './draw-chart.ts'
export {drawNetwork, type Graphviz, type NetworkPictureOptions} from './draw-network.ts'
export {edgeInWords} from './network-links.ts'
export {
  figure,
  type HtmlPart,
  type HtmlTable,
  html,
  htmlTable,
  Markup,
  type Page,
  renderPage,
  type Section
} from './page.ts'

export type {DrawingDocument} from './plot-part.ts'
export {type ReportInput, renderReport} from './report.ts'
export {type DrawingTools, drawReportPictures, type ReportPictures} from './report-pictures.ts'
