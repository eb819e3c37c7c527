import type {ChartSeries, LinesChart} from '../../../use/report/index.ts'
import {spreadOf} from '../spread.ts'
import {type DriftPath, driftPaths, EM_STEPS} from './em-drift-measure.ts'
import {type DriftFigure, type DriftSummary, driftSteps} from './em-drift-summary.ts'
import {pathNames} from './em-drift-text.ts'

const x = {label: 'steps of EM', ticks: driftSteps}

/** All paths in one panel, and anchors alone as a level. */
export function accuracyChart(summary: DriftSummary, name: string): LinesChart {
  const level = spreadOf(summary.results('paper').flatMap(({anchorsOnly}) => anchorsOnly.lastTag ?? [])).mean
  const anchors = {name: 'anchors alone', points: [0, EM_STEPS].map(step => ({x: step, y: level}))}
  return {
    kind: 'lines',
    title: 'Last-tag accuracy by step of EM',
    description:
      'How often the last tag of held-out documents is found, at the start and after each step, from two starts and along the path of refine.',
    x,
    y: {label: 'last tag found', percent: true},
    panels: [{title: name, series: [...driftPaths.map(path => series(summary, path, 'lastTag')), anchors]}]
  }
}

/** A panel a path: bounds of different starts lie far apart. */
export function boundChart(summary: DriftSummary, name: string): LinesChart {
  return {
    kind: 'lines',
    title: `Lower bound of the log-likelihood by step of EM, ${name}`,
    description:
      'The lower bound of the log-likelihood of the training documents, nats a document, at the start and after each step.',
    x,
    y: {label: 'bound, nats a document'},
    sharedY: false,
    panels: driftPaths.map(path => ({title: pathNames[path], series: [series(summary, path, 'bound')]}))
  }
}

function series(summary: DriftSummary, path: DriftPath, figure: DriftFigure): ChartSeries {
  return {
    name: pathNames[path],
    points: driftSteps.map(step => ({x: step, y: summary.spread(path, step, figure).mean})),
    marks: driftSteps.flatMap(step => summary.values(path, step, figure).map(y => ({x: step, y})))
  }
}
