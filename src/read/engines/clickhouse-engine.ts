import {AdfaError, badOption, checkOptions} from '../../base/checks/index.ts'
import {type Counts, type CountsHeader, isLabelled} from '../counts/index.ts'
import {type Lexicon, type TagSurvey, type TextOptions, valueFieldNames} from '../data/index.ts'
import {clickHouseFailure} from './clickhouse-failure.ts'
import {
  type ClickHouseOptions,
  clickHouseDefaults,
  createProgress,
  type OpenTable,
  openTables,
  together
} from './clickhouse-open.ts'
import {countsFromTables, cutWords, labelledByTags, readPatterns, tableChanged} from './clickhouse-patterns.ts'
import {limitRules} from './clickhouse-settings.ts'
import {badToken, decodeToken, RoleTable} from './clickhouse-tokens.ts'
import {surveyWords} from './clickhouse-vocabulary.ts'

import type {CountingEngine, EngineControl, KnownLabels} from './counting-engine.ts'

/**
 * Counts documents in ClickHouse tables on the server, which groups them by the anchor features they have; only the groups
 * are sent. Several tables, such as the shards of a cluster, are counted separately and added up.
 */
export async function openClickHouse(
  tables: readonly string[],
  options?: Partial<ClickHouseOptions>
): Promise<CountingEngine> {
  const opened = await openTables(
    tables,
    checkOptions<ClickHouseOptions>('ClickHouse', clickHouseDefaults, limitRules, options)
  )
  return {
    name: 'clickhouse',
    rows: undefined,
    surveyTags: (survey, control) => surveyTags(opened, survey, control),
    surveyWords(builder, control) {
      refuseValues(builder.options.text)
      return surveyWords(opened, builder, control)
    },
    count(header, control) {
      refuseValues(header.lexicon.text)
      refuseShare(header, control)
      return count(opened, header, control)
    },
    async close() {
      await Promise.all(opened.map(({session}) => session.close()))
    }
  }
}

async function surveyTags(tables: readonly OpenTable[], survey: TagSurvey, control: EngineControl): Promise<void> {
  const progress = createProgress('tags', control)
  const found = await together(tables, control.signal, async (open, signal) => {
    const tags: string[] = []
    const counts: number[] = []
    let documentCount = 0
    for await (const batch of open.tokens(open.table.tags(), {signal, onRows: progress.of(open)}))
      for (const {hex, documents} of batch) {
        if (hex === undefined) {
          documentCount = documents
          continue
        }
        const tag = decodeToken(hex)
        if (tag === undefined) throw badToken(hex, 'tag', open.table.name)
        tags.push(tag)
        counts.push(documents)
      }
    return {documentCount, tags, counts}
  })
  for (const list of found) survey.addSurvey(list)
  progress.end(found.reduce((sum, {documentCount}) => sum + documentCount, 0))
}

async function count(tables: readonly OpenTable[], header: CountsHeader, control: EngineControl): Promise<Counts> {
  const {lexicon, labelShare} = header
  const {anchors, words, text, filter} = lexicon
  const {labels} = control
  const progress = createProgress('counting', control)
  const {roles, documents} = await findRoles(tables, lexicon, control.signal)
  const tags = labelShare > 0 && labels === undefined ? anchors.map(({concept}) => concept) : undefined
  const readers = await readPatterns(tables, roles, {words, tags, filter}, {signal: control.signal, progress})
  const labelled =
    labels === undefined
      ? labelledByTags(readers, anchors.length, roles.reader.memberConcepts)
      : await labelledById(tables, header, {roles, labels}, control.signal)
  const counts = countsFromTables(header, readers, labelled)
  if (documents !== undefined && documents !== counts.documentCount)
    throw tableChanged(tables.map(({table}) => table.name).join(', '))
  const counted = [...new Set(counts.wordIds)].map(j => words[j])
  const unseen = text.fields.filter(field => !counted.some(word => word.startsWith(`${field}:`)))
  if (unseen.length > 0) control.onUnseenFields?.(unseen)
  progress.end(counts.documentCount)
  return counts
}

/** The words with roles. Where anchors have regular expressions, this reads all words, and with them the number of documents. */
async function findRoles(
  tables: readonly OpenTable[],
  lexicon: Lexicon,
  signal: AbortSignal | undefined
): Promise<{roles: RoleTable; documents: number | undefined}> {
  const roles = new RoleTable(lexicon)
  if (!roles.reader.hasPatterns) return {roles, documents: undefined}
  const seen = new Set<string>()
  const found = await together(tables, signal, async (open, own) => {
    let count = 0
    for await (const batch of open.tokens(open.table.tokens('none', lexicon.filter), {signal: own}))
      for (const {hex, documents} of batch)
        if (hex === undefined) count = documents
        else if (!seen.has(hex) && roles.see(hex, open.table.name) !== undefined) seen.add(hex)
    return count
  })
  return {roles, documents: found.reduce((sum, some) => sum + some, 0)}
}

function refuseValues(text: TextOptions): void {
  const names = [...valueFieldNames(text), ...text.votes]
  if (names.length === 0) return
  throw new AdfaError(
    'bad-option',
    `ClickHouse tables hold lists of ready-made words; ${names.join(', ')} cannot be read as category, number, list or votes; ` +
      'put such values among the words of a document (sex:m, votes:nurse=alcohol) in a view, or count files with the memory or duckdb engine'
  )
}

function refuseShare({labelShare}: CountsHeader, {labels}: EngineControl): void {
  if (labels === undefined && labelShare > 0 && labelShare < 1)
    throw badOption(
      'ClickHouse',
      'labelShare',
      '1 (the tags of all documents) or 0 (of none); the memory and duckdb engines draw a share document by document',
      labelShare
    )
}

/** {@link Counts.labelled} by the labels of documents; only the documents with these ids are asked for. */
async function labelledById(
  tables: readonly OpenTable[],
  header: CountsHeader,
  {roles, labels}: {readonly roles: RoleTable; readonly labels: KnownLabels},
  signal: AbortSignal | undefined
): Promise<Float64Array<ArrayBuffer>> {
  const {anchors, filter} = header.lexicon
  const conceptIds = new Map(anchors.map(({concept}, i) => [concept, i]))
  const labelled = new Float64Array(4 * anchors.length)
  const keys = [...labels].map(([key]) => key)
  const add = (key: string, members: readonly number[]) => {
    const fired = new Set(members.map(member => roles.reader.memberConcepts[member]))
    for (const [concept, isPresent] of labels.get(key) ?? []) {
      const i = conceptIds.get(concept)
      if (i !== undefined && isLabelled(header, key)) labelled[4 * i + 2 * Number(isPresent) + Number(fired.has(i))]++
    }
  }
  await together(tables, signal, async ({table, session, room}, own) => {
    for (const {names} of cutWords(keys, () => true, room / 2)) {
      if (names.length === 0) continue
      for await (const lines of session.lines(table.rolesById(roles.codes, names, filter), {signal: own}))
        for (const line of lines) {
          const found = /^((?:[0-9A-F]{2})*)\t\[([\d,]*)\]$/.exec(line)
          if (found === null) throw clickHouseFailure(new Error(`an unexpected answer: ${line}`), table.name)
          const [, hex, ids] = found
          add(decodeToken(hex) ?? '', roles.membersOf(ids === '' ? [] : ids.split(',').map(Number)))
        }
    }
  })
  return labelled
}
