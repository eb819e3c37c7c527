import {instance} from '@viz-js/viz'
import {parseHTML} from 'linkedom'
import type {DrawingTools} from '../../use/report/index.ts'

/** What pictures are drawn with outside browsers. */
export async function nodeDrawing(): Promise<DrawingTools> {
  const {document} = parseHTML('<!doctype html><html><body></body></html>')
  return {viz: await instance(), document}
}
