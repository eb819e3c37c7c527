import {type CountsHeader, isLabelled} from '../counts/index.ts'
import {clickHouseFailure} from './clickhouse-failure.ts'
import type {OpenTable} from './clickhouse-open.ts'
import {cutWords} from './clickhouse-read-groups.ts'
import type {RoleTable} from './clickhouse-roles.ts'
import {together} from './clickhouse-together.ts'
import {decodeToken} from './clickhouse-tokens.ts'
import type {KnownLabels} from './counting-engine.ts'

/** What labels say of the documents with those ids, which alone are asked for, as {@link Counts.labelled}. */
export async function labelledById(
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
