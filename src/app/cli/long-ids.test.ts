import {expect, test} from 'vitest'
import {adfa, adfaDone, testFolder} from './test-run.ts'

const folder = testFolder()

/** Twitter's and many databases' ids: JSON.parse makes neighbours one number. */
const ids = Array.from({length: 300}, (_, at) => String(12345678901234567000n + BigInt(at)))
const lines = ids.map((id, at) => {
  const features = [...(at % 2 ? ['f'] : []), ...(at % 3 ? ['p', 'x'] : []), ...(at % 5 ? ['y'] : [])]
  return `{"id":${id},"features":${JSON.stringify(features)},"tags":[]}\n`
})
const docs = folder.write('docs.jsonl', lines.join(''))
const anchors = folder.write('anchors.json', JSON.stringify({flu: 'f', pain: 'p'}))
const reading = [docs, '--anchors', anchors, '--max-share', '1']

test('ids of many digits stay apart in counts, on one thread and on two, and with labels', async () => {
  const labelled = ids.map((id, at) => `{"id":${id},"labels":{"flu":${at % 2 === 1},"pain":${at % 3 !== 0}}}\n`)
  const labels = ['--labels', folder.write('labels.jsonl', labelled.join('')), '--label-share', '1']
  for (const more of [[], labels]) {
    await adfaDone('count', ...reading, ...more, '--workers', '1', '-o', folder.at('one'))
    await adfaDone('count', ...reading, ...more, '--workers', '2', '-o', folder.at('other'))
    expect(folder.bytes('other').equals(folder.bytes('one'))).toBe(true)
  }
})

test('predictions and sheets name them with all digits', async () => {
  await adfaDone('fit', ...reading, '-o', folder.at('model.json'))
  const predicted = await adfaDone('predict', folder.at('model.json'), docs)
  expect(
    predicted
      .trim()
      .split('\n')
      .map(line => (JSON.parse(line) as {id: string}).id)
  ).toEqual(ids)
  await adfaDone('label', ...reading, '--documents', '5', '--anchored', '0', '--sheet', folder.at('sheet.csv'))
  folder.write('sheet.csv', folder.text('sheet.csv').replaceAll(',random,,', ',random,x,'))
  const answers = ['--from-sheet', folder.at('sheet.csv'), '-o', folder.at('answers.jsonl')]
  await adfaDone('label', ...reading, '--documents', '5', '--anchored', '0', ...answers)
  const named = folder.rows('answers.jsonl').map(row => (row as {id: string}).id)
  expect(named).toHaveLength(5)
  expect(ids).toEqual(expect.arrayContaining(named))
})

test('an id that is not finite is an error', async () => {
  const bad = folder.write('bad.jsonl', `${lines.join('')}{"id":1e999,"features":["f"]}\n`)
  const ended = await adfa('count', bad, '--anchors', anchors, '-o', folder.at('x'))
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('bad.jsonl:301: field "id" is not a finite number')
  })
})
