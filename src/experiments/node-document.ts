import {parseHTML} from 'linkedom'
import type {DrawingDocument} from '../report/index.ts'

/** A document for `drawChart` where there is no browser. */
export function nodeDocument(): DrawingDocument {
  return parseHTML('<!doctype html><html><body></body></html>').document
}
