import type {LexiconBuilder} from '../data/index.ts'
import {tableChanged} from './clickhouse-groups.ts'
import type {OpenTable} from './clickhouse-open.ts'
import {readGroups} from './clickhouse-read-groups.ts'
import {RoleTable} from './clickhouse-roles.ts'
import {createProgress, linkedAbort} from './clickhouse-together.ts'
import {mergeTokens} from './clickhouse-tokens.ts'
import {VocabularyCollector} from './clickhouse-vocabulary.ts'
import type {EngineControl} from './counting-engine.ts'
import {anchorHits} from './feature-roles.ts'

/**
 * Add the commonest words and the hits of all anchors. Words of one table come by how common they are, and only as far as
 * they are needed; those of several, or where regular expressions want to see every word, come all, and memory does not grow
 * with them.
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
  const words = new VocabularyCollector(builder, roles, where)
  const order = tables.length === 1 ? 'frequency' : 'name'
  const {signal, stop} = linkedAbort(control.signal)
  const lists = tables.map(open => open.tokens(open.table.tokens(order, filter), {signal, onRows: progress.of(open)}))
  for await (const batch of mergeTokens(lists, stop)) {
    // Asked of a further batch, so that a short list simply ends.
    if (order === 'frequency' && words.isEnough(batch[0])) break
    for (const token of batch) words.add(token)
  }
  const readers = await readGroups(tables, roles, {words: [], tags: undefined, filter}, control.signal)
  const documentCount = readers.reduce((sum, reader) => sum + reader.documents, 0)
  if (documentCount !== words.documents) throw tableChanged(where)
  const groups = readers.flatMap(reader => [...reader.groups])
  const hits = anchorHits(groups, roles.reader.memberConcepts, anchors.length)
  const none = {tokens: [], counts: new Float64Array(0)}
  const frequencies = [...text.fields.map(() => none), words.finish()]
  builder.addSurvey({documentCount, frequencies, ...hits})
  progress.end(documentCount)
}
