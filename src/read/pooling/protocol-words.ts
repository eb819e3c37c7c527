import {type Anchors, createFeatureReader, fieldNames, type TextOptions} from '../data/index.ts'

/** The words of a list, and what to say about it. */
export interface WordList {
  /** Ascending, each once. */
  readonly words: readonly string[]
  /** Words that are anchors, and therefore left out: an anchor is no evidence beside itself. */
  readonly anchors: readonly string[]
  /** Whether no word names a field of the documents, although they are read from fields. */
  readonly isWithoutFields: boolean
}

/** A vocabulary that people wrote down: one word a line, by the name that it has in models (`text:fever`, `sex:f`). */
export function parseWordList(list: string, anchors: Anchors, phrases: readonly string[], text: TextOptions): WordList {
  const lines = list
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(line => line.trim())
  const named = [...new Set(lines.filter(line => line !== ''))]
  const reader = createFeatureReader(anchors, phrases, text)
  const isAnchor = (word: string) => {
    const role = reader.featureRole(word)
    if (role !== undefined && role.members.length > 0) return true
    const field = text.fields.findIndex(name => word.startsWith(`${name}:`))
    return field >= 0 && reader.isAnchor(field, word.slice(text.fields[field].length + 1))
  }
  const fields = fieldNames(text)
  return {
    words: named.filter(word => !isAnchor(word)).toSorted(),
    anchors: named.filter(isAnchor),
    isWithoutFields: fields.length > 0 && !named.some(word => fields.some(name => word.startsWith(`${name}:`)))
  }
}
