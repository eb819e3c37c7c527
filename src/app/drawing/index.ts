export type {BarsChart, Chart, ChartAxis, ChartBar, ChartPoint, ChartSeries, LinesChart} from './chart.ts'
export {drawChart} from './draw-chart.ts'
export {drawNetwork, type NetworkPictureOptions} from './draw-network.ts'
export {explanationSvg} from './explanation-svg.ts'
export type {Graphviz, NetworkPlaces} from './layout-network.ts'
export {
  drawReportPictures,
  mostDrawn,
  networkPicture,
  type Picture,
  type ReportPictures,
  reliabilityChart
} from './pictures.ts'
export {withMinus} from './plot-part.ts'
export {escapeHtml} from './svg-markup.ts'
export {tokens} from './tokens.ts'
