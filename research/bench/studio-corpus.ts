/** Documents, anchors and edits for the bench of the studio. */
import {closeSync, openSync, writeSync} from 'node:fs'
import {rng} from '../../src/base/numeric/index.ts'
import type {Anchor} from '../../src/read/data/index.ts'
import type {LabelRow} from '../../src/use/labelling/index.ts'
import {generateDocuments} from '../../src/use/synthetic/index.ts'
import {benchModel} from './generated.ts'

const VOCABULARY = 2000
const WORDS = 59
const LABELLED = 200

export interface BenchCorpus {
  readonly anchors: readonly Anchor[]
  readonly labels: readonly LabelRow[]
}

/**
 * Writes documents of about 59 words as text in random order, 57 MB for 100,000. After half of the anchors comes the word
 * "found", so that there are phrases. Returns the anchors with their true rates, and labels of the first documents.
 */
export function writeCorpus(path: string, concepts: number, documents: number): BenchCorpus {
  const model = benchModel(concepts, VOCABULARY, WORDS)
  const random = rng(3)
  const file = openSync(path, 'w')
  let lines: string[] = []
  const labels: LabelRow[] = []
  for (const {id, features, tags} of generateDocuments(model, documents, rng(2))) {
    if (labels.length < LABELLED) {
      const truth = new Map(model.concepts.map(({name}) => [name, tags.includes(name)]))
      labels.push({id, labels: truth, drawn: 'random', skipped: undefined, others: new Map()})
    }
    const words = features.map(plain)
    for (let at = words.length - 1; at > 0; at--) {
      const other = Math.floor(random.next() * (at + 1))
      ;[words[at], words[other]] = [words[other], words[at]]
    }
    const text = words
      .map(word => (word.startsWith('anchor') && random.next() < 0.5 ? `${word} found` : word))
      .join(' ')
    lines.push(JSON.stringify({id, text}))
    if (lines.length < 5000) continue
    writeSync(file, `${lines.join('\n')}\n`)
    lines = []
  }
  writeSync(file, lines.map(line => `${line}\n`).join(''))
  closeSync(file)
  return {anchors: model.lexicon.anchors.map(anchor => ({...anchor, any: anchor.any.map(plain)})), labels}
}

/** `word-0042` as one token of text. */
function plain(feature: string): string {
  return feature.replace('-', '')
}

export type Kind = 'word' | 'phrase' | 'expression'

/** Three features of each kind that are in no anchor; each is asked for once, since an answer may be kept. */
export const features: Readonly<Record<Kind, readonly string[]>> = {
  word: ['word0111', 'word0222', 'word0333'],
  phrase: ['found word0111', 'found word0222', 'word0333 found'],
  expression: ['/word01(23|32)\\b/', '/word0(45|54)0/', '/\\b\\w+0777\\b/']
}
