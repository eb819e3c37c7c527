import {withDefaults} from '../numeric/index.ts'
import type {Anchors} from './anchors.ts'
import {createEncoder} from './encoder.ts'
import type {Evidence} from './evidence.ts'
import {checkTextOptions, type Lexicon, type TextOptions, textDefaults} from './lexicon.ts'
import {LexiconBuilder} from './lexicon-builder.ts'
import {type Labels, parseRow, type Row, rowKey} from './row.ts'

/** Documents in memory, as binary variables. */
export interface Corpus {
  readonly lexicon: Lexicon
  readonly documents: readonly CorpusDocument[]
}

export interface CorpusDocument {
  /** Identifies the document when a share of them is drawn. */
  readonly key: string
  readonly evidence: Evidence
  /** What is known of each concept: 1 present, 0 absent, -1 unknown. */
  readonly truth: Int8Array | undefined
}

export interface CorpusOptions extends TextOptions {
  readonly phrases: readonly string[]
  readonly skipBadAnchors: boolean
}

const corpusDefaults: CorpusOptions = {...textDefaults, phrases: [], skipBadAnchors: false}

/** Read plain objects (PRODUCT.md, Contract: documents) by the given anchors, learning the vocabulary from them. */
export function buildCorpus(rows: Iterable<unknown>, anchors: Anchors, options?: Partial<CorpusOptions>): Corpus {
  const {phrases, skipBadAnchors, ...text} = withDefaults('buildCorpus', corpusDefaults, options)
  checkTextOptions(text)
  const parsed = Array.from(rows, (row, at) => parseRow(row, text.fields, `row ${at + 1}`))
  let builder = new LexiconBuilder(anchors, {text, phrases, filter: undefined, skipBadAnchors})
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    for (const row of parsed) builder.add(row)
  }
  return encodeCorpus(parsed, builder.finish())
}

/** Read rows by a lexicon learned before; `labels`, if given, stand instead of the tags and labels in the rows. */
export function encodeCorpus(rows: Iterable<Row>, lexicon: Lexicon, labels?: Labels): Corpus {
  const encoder = createEncoder(lexicon, labels)
  const documents: CorpusDocument[] = []
  for (const row of rows)
    if (encoder.accepts(row))
      documents.push({key: rowKey(row), evidence: encoder.encode(row), truth: encoder.truth(row)})
  return {lexicon, documents}
}
