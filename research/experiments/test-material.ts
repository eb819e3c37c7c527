import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {rng} from '../../src/base/numeric/index.ts'
import {anchorsWithRates, type Model} from '../../src/learn/model/index.ts'
import {encodeCorpus, parseRow} from '../../src/read/data/index.ts'
import {generateDocuments, randomModel} from '../../src/use/synthetic/index.ts'
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
    parseRow(document, {text: []}, document.id)
  )
  return {model, material: {name: 'generated', ...encodeCorpus(rows, lexicon)}}
}

/** Every file below a folder with its bytes. */
export function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).toSorted()
  const files = names.filter(name => statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}
