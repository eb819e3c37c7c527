import {symlinkSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(120, rng(7))
const parts = [questions.slice(0, 30), questions.slice(30, 31), questions.slice(31)]
const shards = parts.map((_, at) => folder.at(`shard-${at}.counts`))
const [rows, all, merged, none] = ['all.jsonl', 'all.counts', 'merged.counts', 'none.counts'].map(folder.at)
const tools = {python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}
const anchors = ['--anchors', folder.write('tools.json', JSON.stringify(tools))]
const labels = ['--label-share', '0.5', '--seed', '2']

beforeAll(async () => {
  folder.write('all.jsonl', questions)
  await adfaDone`count ${rows} ${anchors} --min-tags 1 --of-top 5 ${labels} -o ${all}`
  for (const [at, part] of parts.entries())
    await adfaDone`count ${folder.write('part.jsonl', part)} --like ${all} ${labels} -o ${shards[at]}`
})

describe('adfa merge', () => {
  test('says what it made, as text or as JSON', async () => {
    const {stdout, stderr} = await adfa`merge ${shards} -o ${merged}`
    expect(stdout).toMatch(/^\d+ documents, 3 concepts, \d+ words, \d+ anchor patterns\nwrote .*merged\.counts\n$/)
    expect(stderr).toMatch(/^added .*shard-0\.counts +\d+ documents\nadded .*shard-1\.counts +\d doc.*\nadded .*\n$/)
    const added = shards.map(file => ({file, documents: expect.any(Number)}))
    const {documentCount: documents, patternCount: patterns} = folder.counts('all.counts')
    const result = {file: merged, documents, patterns, isComplete: true, added}
    expect(await adfaJson`merge ${shards} -o ${merged}`).toEqual(result)
  })

  test('refuses a file that is named twice, by whatever path', async () => {
    symlinkSync(all, folder.at('link.counts'))
    expect(await adfa`merge ${all} ${all} -o ${none}`).toEqual(refused(2, /all\.counts is given twice; .*name it once/))
    expect(await adfa`merge ${all} ${folder.at('link.counts')} -o ${none}`).toEqual(
      refused(2, /all\.counts and .*link\.counts are one file/)
    )
  })
})
