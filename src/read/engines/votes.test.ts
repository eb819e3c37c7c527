import {afterAll, describe, expect, test} from 'vitest'
import {type Rng, randomIndex, rng} from '../../base/numeric/index.ts'
import {countsToBytes} from '../counts/index.ts'
import {anchorRule, parseAnchors} from '../data/index.ts'
import {openDocuments} from '../files/index.ts'
import {testFolder} from '../files/test-folder.ts'
import {type AnchorSource, countDocuments, countWith} from './count-with.ts'
import type {CountingEngine} from './counting-engine.ts'
import {openDuckDb} from './duckdb-engine.ts'
import {groupsEngine} from './groups-engine.ts'
import {openCountWorkers, workerEngine} from './worker-engine.ts'

const folder = testFolder()
const workers = openCountWorkers(2)
afterAll(() => workers.close())

const VOTES: readonly unknown[] = ['ham', 'spam', 'not spam', true, false, null]
const SOURCES: readonly string[] = ['lf0', 'a=b', '__proto__', '患者']

/** Documents with votes in an object and in a column, some without text and features. */
function drawDocuments(random: Rng): string {
  const pick = <T>(list: readonly T[]): T => list[randomIndex(random, list.length)]
  const lines = Array.from({length: 40}, (_, id) => {
    const votes = SOURCES.filter(() => random.next() < 0.5).map(
      source => `${JSON.stringify(source)}:${JSON.stringify(pick(VOTES))}`
    )
    const others = random.next() < 0.5 ? `,"features":["x${randomIndex(random, 5)}"]` : ''
    return `{"id":${id},"column":${JSON.stringify(pick(VOTES))}${others},"votes":{${votes.join(',')}}}`
  })
  return `${lines.join('\n')}\n`
}

const given: AnchorSource = {
  kind: 'given',
  anchors: parseAnchors(
    JSON.stringify({ham: {votes: SOURCES}, spam: {votes: ['lf0', 'column']}, $exclusive: [['ham', 'spam']]}),
    'anchors.json'
  )
}

describe('votes in every engine', () => {
  test.each<[string, AnchorSource]>([
    ['anchors that list sources', given],
    ['no anchors', {kind: 'votes'}],
    ['classes that are known', anchorRule(parseAnchors('{"$exclusive": [["spam", "ham"]]}', 'anchors.json'))]
  ])('with %s, threads and DuckDB count the bytes of one thread', {timeout: 60_000}, async (_, anchors) => {
    const random = rng(7)
    for (let at = 0; at < 10; at++) {
      const path = folder.file('votes.jsonl', drawDocuments(random))
      const fields = {fields: ['text'], votes: ['column']}
      const options = {...fields, skipBadAnchors: true}
      const expected = countsToBytes(await countDocuments(openDocuments([path], fields), anchors, options))
      const engines: CountingEngine[] = [
        workerEngine(openDocuments([path], fields), workers),
        await openDuckDb([path], {fields})
      ]
      for (const engine of engines) {
        expect(countsToBytes(await countWith(engine, anchors, options))).toEqual(expected)
        await engine.close()
      }
    }
  })

  test('engines without documents refuse them, with the way out', async () => {
    const groups = groupsEngine({groups: [], words: []})
    await expect(countWith(groups, {kind: 'votes'})).rejects.toThrow(
      /no anchors given, and the engine groups .*`anchors`/
    )
  })
})
