import {unreachable} from '../../base/checks/index.ts'
import type {Chart, ReliabilityChart} from './chart.ts'
import {checkChart} from './check-chart.ts'
import {drawBars} from './draw-bars.ts'
import {drawIntervals} from './draw-intervals.ts'
import {drawLines} from './draw-lines.ts'
import {drawWeights} from './draw-weights.ts'
import type {DrawingDocument, PicturePart} from './plot-part.ts'
import {svgFrame} from './svg-frame.ts'

/**
 * A chart as SVG that stands by itself: no style, font or script from elsewhere, and a title and a description for screen
 * readers. Observable Plot draws with `document`; the same chart gives the same text in Node and in browsers, but for coarse
 * screens, where Plot moves marks by half a pixel.
 */
export function drawChart(chart: Chart, document: DrawingDocument): string {
  checkChart(chart)
  return svgFrame(chart, parts(chart, document))
}

function parts(chart: Chart, document: DrawingDocument): PicturePart[] {
  switch (chart.kind) {
    case 'lines':
      return drawLines(chart, document, {isSquare: false})
    case 'reliability':
      return drawLines(reliabilityLines(chart), document, {isSquare: true})
    case 'bars':
      return drawBars(chart, document)
    case 'weights':
      return drawWeights(chart, document)
    case 'intervals':
      return drawIntervals(chart, document)
    default:
      return unreachable(chart)
  }
}

const WHOLE = [0, 0.2, 0.4, 0.6, 0.8, 1]

function reliabilityLines({title, description, series}: ReliabilityChart) {
  return {
    kind: 'lines' as const,
    title,
    description,
    x: {label: 'probability given', percent: true, ticks: WHOLE},
    y: {label: 'share found true', percent: true, ticks: WHOLE},
    panels: [{title: '', series}]
  }
}
