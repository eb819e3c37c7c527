import {rng} from '../../base/numeric/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {anchorsWithRates} from '../../learn/model/index.ts'
import {encodeCorpus, parseRow} from '../../read/data/index.ts'
import {generateDocuments, randomModel} from '../../use/synthetic/index.ts'
import type {Material} from './material.ts'

/** A small known model, and tagged documents drawn from it. */
export function testMaterial(
  count: number,
  {
    concepts = 4,
    words = 20,
    seed = 1
  }: {readonly concepts?: number; readonly words?: number; readonly seed?: number} = {}
): {readonly model: Model; readonly material: Material} {
  const model = randomModel({concepts, words}, rng(seed))
  const lexicon = {...model.lexicon, anchors: anchorsWithRates(model)}
  const rows = Array.from(generateDocuments(model, count, rng(seed + 1)), document =>
    parseRow(document, {fields: []}, document.id)
  )
  return {model, material: {name: 'generated', ...encodeCorpus(rows, lexicon)}}
}
