import {drawChart, drawNetwork} from '../../use/report/index.ts'
import {nodeDrawing} from '../drawing/index.ts'
import type {Pictures} from './experiment.ts'

/** The pictures of experiments, drawn without a browser. */
export async function nodePictures(): Promise<Pictures> {
  const {viz, document} = await nodeDrawing()
  return {
    chart: chart => drawChart(chart, document),
    network: (network, names, look) => drawNetwork(network, names, viz, {...look})
  }
}
