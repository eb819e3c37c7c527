import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {buildCorpus, parseRow, type Row} from '../../read/data/index.ts'
import {DocumentDraw, type DrawOptions} from './draw-documents.ts'
import {anchorTotals} from './label-progress.ts'
import type {LabelTask} from './label-session.ts'

/** Documents about fever, cough and rash; each has two of three concepts' words at random, and their truth as tags. */
export function smallDocuments(count = 300, seed = 1) {
  const random = rng(seed)
  return Array.from({length: count}, (_, id) => {
    const tags = ['fever', 'cough', 'rash'].filter(() => random.next() < 0.3)
    const anchors = tags.filter(() => random.next() < 0.6)
    const words = ['ill', ...tags.map(tag => `about-${tag}`), ...anchors]
    return {id, text: words.join(' '), tags}
  })
}

export const smallAnchors = ['fever', 'cough', 'rash'].map(concept => ({
  concept,
  any: [`text:${concept}`],
  not: [],
  rates: undefined
}))

export function smallCounts(documents: readonly object[] = smallDocuments()): Counts {
  return countCorpus(buildCorpus(documents, smallAnchors))
}

export function toRow(document: object): Row {
  return parseRow(document, {text: ['title', 'text']}, 'test')
}

interface SmallTask {
  readonly narrow?: number
  readonly wanted?: (key: string) => boolean
  readonly documents?: readonly object[]
}

export function smallTask(
  options: Partial<DrawOptions> = {documents: 40, anchored: 2},
  {narrow = 3, wanted, documents = smallDocuments()}: SmallTask = {}
): LabelTask & {counts: Counts} {
  const counts = smallCounts(documents)
  const drawing = new DocumentDraw(counts.lexicon, options, wanted)
  for (const document of documents) drawing.add(toRow(document))
  const concepts = counts.lexicon.anchors.map(({concept}) => concept)
  return {concepts, draw: drawing.finish(), totals: anchorTotals(counts), narrow, counts}
}
