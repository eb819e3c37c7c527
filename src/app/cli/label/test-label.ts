import {parseRow} from '../../../read/data/index.ts'
import type {Question} from '../../../use/labelling/index.ts'

/** A question on a document of the given fields: on one concept, or on all. */
export function testQuestion(document: object, concept?: number): Question {
  const row = parseRow(document, {text: ['title', 'text']}, 'test')
  const anchors = concept === undefined ? [] : [concept]
  const drawn = {key: 'test', row, evidence: {words: [], anchors, members: []}}
  return concept === undefined ? {drawn: 'random', document: drawn} : {drawn: 'anchored', document: drawn, concept}
}
