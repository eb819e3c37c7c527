import {edgeList, edgesToCsv} from './edge-list.ts'
import {networkToBif, networkToUai} from './export-network.ts'
import {networkToDot} from './network-to-dot.ts'
import type {Network} from './pair-network.ts'

/** Texts that other programs read: `csv` has a row per edge. */
export type NetworkFormat = 'bif' | 'dot' | 'uai' | 'csv'

/** The network in the file format of other programs; `names` are those of its variables. */
export function networkText(network: Network, names: readonly string[], format: NetworkFormat): string {
  switch (format) {
    case 'bif':
      return networkToBif(network, names)
    case 'uai':
      return networkToUai(network)
    case 'csv':
      return edgesToCsv(edgeList(network, names))
    case 'dot':
      return networkToDot(network, names)
  }
}
