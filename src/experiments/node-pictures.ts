import {instance} from '@viz-js/viz'
import {drawChart, drawNetwork} from '../report/index.ts'
import type {Pictures} from './experiment.ts'
import {nodeDocument} from './node-document.ts'

/** Pictures drawn without a browser. */
export async function nodePictures(): Promise<Pictures> {
  const document = nodeDocument()
  const viz = await instance()
  return {
    chart: chart => drawChart(chart, document),
    network: (network, names, look) => drawNetwork(network, names, viz, {...look})
  }
}
