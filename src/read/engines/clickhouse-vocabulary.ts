import type {LexiconBuilder} from '../data/index.ts'
import {createProgress, linkedAbort, type OpenTable} from './clickhouse-open.ts'
import {readPatterns, tableChanged} from './clickhouse-patterns.ts'
import {badToken, decodeToken, mergeTokens, RoleTable} from './clickhouse-tokens.ts'
import type {EngineControl} from './counting-engine.ts'
import {anchorHits, CommonWords} from './feature-roles.ts'

/**
 * Add the most common words and the hits of all anchors. Words of one table come in descending order of frequency, and only
 * as many as needed. With several tables, or with regular expressions, which must see every word, all words come; memory
 * does not grow with them.
 */
export async function surveyWords(
  tables: readonly OpenTable[],
  builder: LexiconBuilder,
  control: EngineControl
): Promise<void> {
  const {anchors, options} = builder
  const {phrases, text, filter} = options
  const roles = new RoleTable({anchors, phrases, text})
  const progress = createProgress('vocabulary', control)
  const where = tables.map(({table}) => table.name).join(', ')
  const words = new CommonWords(builder, roles.reader)
  const {hasPatterns} = roles.reader
  const order = tables.length === 1 ? 'frequency' : 'name'
  const {signal, stop} = linkedAbort(control.signal)
  const lists = tables.map(open => open.tokens(open.table.tokens(order, filter), {signal, onRows: progress.of(open)}))
  for await (const batch of mergeTokens(lists, stop)) {
    // Checked before the next batch, so that a short list simply ends.
    if (order === 'frequency' && !hasPatterns && words.isEnough(batch[0])) break
    for (const {hex, documents} of batch) {
      if (hex === undefined) words.documents = documents
      // A word that matches an anchor's regular expression is an anchor, however rare.
      else if (!hasPatterns || !roles.see(hex, where)?.isTaken) words.add({hex, name: decodeToken(hex), documents})
    }
  }
  const readers = await readPatterns(tables, roles, {words: [], tags: undefined, filter}, control)
  const documentCount = readers.reduce((sum, reader) => sum + reader.documents, 0)
  if (documentCount !== words.documents) throw tableChanged(where)
  const patterns = readers.flatMap(reader => [...reader.patterns])
  const hits = anchorHits(patterns, roles.reader.memberConcepts, anchors.length)
  const frequencies = words.finish(hex => badToken(hex, 'word', where))
  builder.addSurvey({documentCount, frequencies, ...hits})
  progress.end(documentCount)
}
