import {type Anchors, Encoder, fieldsOf, type Lexicon, type Row} from '../../read/data/index.ts'
import {fieldOf, isEmptyName, withoutField} from './name-similarity.ts'

/** Words that may not be suggested. */
interface BarredWords {
  /** 1 for each word that is a member of some anchor. */
  readonly member: Uint8Array
  /** By concept, 1 for each word named by its "not". */
  readonly veto: readonly Uint8Array[]
  /** 1 for each function word, single letter and negated mention. */
  readonly isEmpty: Uint8Array
}

/**
 * Finds the words that are members of anchors, vetoed, or no sign of anything. Feature names may be phrases or regular expressions and may lack
 * a field, so each word is encoded like a document.
 */
export function barredWords(lexicon: Lexicon, words: readonly string[] = lexicon.words): BarredWords {
  const {anchors, reading} = lexicon
  const member = new Uint8Array(words.length)
  const veto = anchors.map(() => new Uint8Array(words.length))
  const members = anchors.map(anchor => ({...anchor, not: []}))
  const vetoes = anchors.map(({concept, not}) => ({concept, any: not, not: [], rates: undefined}))
  for (const [, j] of firings(members)) member[j] = 1
  for (const [i, j] of firings(vetoes)) veto[i][j] = 1
  const fields = fieldsOf(reading).fieldNames
  return {member, veto, isEmpty: Uint8Array.from(words, word => Number(isEmptyName(word, fields)))}

  /** Concept and word of every anchor that fires in a document of one word alone. */
  function firings(of: Anchors): (readonly [concept: number, word: number])[] {
    const encoder = new Encoder({...lexicon, anchors: of, words: [], filter: undefined})
    return words.flatMap((word, j) => encoder.encode(wordAsRow(word, reading.text)).anchors.map(i => [i, j] as const))
  }
}

/** A document of this word alone, both as text of its field and as a feature. */
function wordAsRow(word: string, fields: readonly string[]): Row {
  const field = fieldOf(word, fields)
  const text = field === undefined ? [] : [[field, withoutField(word, fields)] as const]
  return {id: undefined, text: new Map(text), features: [word], tags: undefined, labels: undefined}
}
