import {type Anchors, createEncoder, type Lexicon, type Row} from '../../read/data/index.ts'

/** Words that may not be suggested. */
export interface BarredWords {
  /** 1 for each word that is part of some anchor already. */
  readonly member: Uint8Array
  /** Of each concept, 1 for each word that its "not" names. */
  readonly veto: readonly Uint8Array[]
}

/**
 * Words that are anchors already, or are vetoed. Feature names may be phrases, regular expressions or without a field,
 * so each word is read as a document of its own, by the very code that reads documents.
 */
export function barredWords(lexicon: Lexicon): BarredWords {
  const {anchors, words} = lexicon
  const member = new Uint8Array(words.length)
  const veto = anchors.map(() => new Uint8Array(words.length))
  eachFiring(
    lexicon,
    anchors.map(anchor => ({...anchor, not: []})),
    (_, j) => {
      member[j] = 1
    }
  )
  eachFiring(
    lexicon,
    anchors.map(({concept, not}) => ({concept, any: not, not: [], rates: undefined})),
    (i, j) => {
      veto[i][j] = 1
    }
  )
  return {member, veto}
}

function eachFiring(lexicon: Lexicon, anchors: Anchors, visit: (concept: number, word: number) => void): void {
  const encoder = createEncoder({...lexicon, anchors, words: [], filter: undefined})
  lexicon.words.forEach((word, j) => {
    for (const i of encoder.encode(wordAsRow(word, lexicon.text.fields)).anchors) visit(i, j)
  })
}

/** A document that is this word alone, as text of its field and as a ready-made feature. */
function wordAsRow(word: string, fields: readonly string[]): Row {
  const field = fields.find(prefix => word.startsWith(`${prefix}:`))
  const text = field === undefined ? [] : [[field, word.slice(field.length + 1)] as const]
  return {id: undefined, text: new Map(text), features: [word], tags: undefined, labels: undefined}
}
