import {instance} from '@viz-js/viz'
import type {Graphviz} from '../../use/report/index.ts'

/** Graphviz, 1.5 MB of WebAssembly: load it where a picture of a network is needed. */
export function loadGraphviz(): Promise<Graphviz> {
  return instance()
}
