import {instance} from '@viz-js/viz'
import type {DrawingTools} from '../report/index.ts'
import {nodeDocument} from './node-document.ts'

/** What the pictures of a report are drawn with where there is no browser. */
export async function nodeDrawing(): Promise<DrawingTools> {
  return {viz: await instance(), document: nodeDocument()}
}
