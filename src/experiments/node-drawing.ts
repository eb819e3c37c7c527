import {instance} from '@viz-js/viz'
import {parseHTML} from 'linkedom'
import {type DrawingTools, drawChart, drawNetwork} from '../report/index.ts'
import type {Pictures} from './experiment.ts'

/** What pictures are drawn with where there is no browser. */
export async function nodeDrawing(): Promise<DrawingTools> {
  const {document} = parseHTML('<!doctype html><html><body></body></html>')
  return {viz: await instance(), document}
}

/** The pictures of experiments, drawn without a browser. */
export async function nodePictures(): Promise<Pictures> {
  const {viz, document} = await nodeDrawing()
  return {
    chart: chart => drawChart(chart, document),
    network: (network, names, look) => drawNetwork(network, names, viz, {...look})
  }
}
