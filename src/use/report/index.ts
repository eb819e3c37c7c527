/**
 * adfa/report: charts, network pictures and the one-file HTML report. Pure: Graphviz is an argument.
 *
 *     import {renderReport} from 'adfa/report'
 *
 *     renderReport({title: 'Notes', model, provenance: []}, viz)
 */
export {type CertificateFacts, certificateFacts, describeTables, edgeKey} from './certificate-facts.ts'
export type {
  BarsChart,
  Chart,
  ChartAxis,
  ChartBar,
  ChartPoint,
  ChartSeries,
  LinesChart
} from './chart.ts'
export {type ConceptFacts, type Estimate, shownRates} from './concept-facts.ts'
export {drawChart} from './draw-chart.ts'
export {drawNetwork, type NetworkPictureOptions} from './draw-network.ts'
export {explanationSvg} from './explanation-svg.ts'
export type {Graphviz, NetworkPlaces} from './layout-network.ts'
export {type LinkRules, linkRules} from './link-rules.ts'
export {
  edgeInWords,
  networkNeighbours,
  oddsInWords,
  oddsText,
  strengthDegree,
  strengthInWords
} from './network-edges.ts'
export {
  figure,
  type HtmlPart,
  type HtmlTable,
  html,
  htmlTable,
  Markup,
  type Page,
  type Picture,
  renderPage,
  type Section
} from './page.ts'
export {type ReportFiles, type ReportInput, renderReport, reportProvenance} from './report.ts'
export {statusText} from './report-certificates.ts'
export {cardText} from './report-concepts.ts'
export {networkPicture, reliabilityChart} from './report-pictures.ts'
export {tokens} from './tokens.ts'
