import {Command} from 'commander'
import {expect, test} from 'vitest'
import {failureOf} from '../../../read/files/test-folder.ts'
import {addEngineOptions, clickHouseOptions} from './open-engine.ts'

async function read(...flags: readonly string[]) {
  const command = addEngineOptions(new Command('count').exitOverride())
  command.parse([...flags], {from: 'user'})
  return clickHouseOptions(command.opts(), undefined, () => {})
}

test('clickHouseOptions(...) reads a table with a document a row, or one with a word a row', async () => {
  expect(await read()).toMatchObject({layout: {kind: 'tokens', tokens: 'features'}, timeLimit: 0, memory: 0})
  const columns = [
    '--tokens-column',
    'words',
    '--tags-column',
    'codes',
    '--tagged-column',
    'coded',
    '--id-column',
    'visit'
  ]
  expect((await read(...columns, '--time-limit', '60')).timeLimit).toBe(60)
  expect((await read(...columns)).layout).toEqual({
    kind: 'tokens',
    tokens: 'words',
    tags: 'codes',
    tagged: 'coded',
    id: 'visit'
  })
  expect((await read('--document-column', 'visit', '--word-column', 'word')).layout).toEqual({
    kind: 'long',
    document: 'visit',
    word: 'word'
  })
})

test.each([
  [['--word-column', 'word'], /both --document-column and --word-column/],
  [['--document-column', 'd', '--word-column', 'w', '--tags-column', 't'], /give those of one kind/],
  [['--tagged-column', 'coded'], /name the tags with --tags-column/]
])('clickHouseOptions(%j) refuses what does not go together', async (flags, message) => {
  const failure = await failureOf(() => read(...flags))
  expect(failure.code).toBe('bad-option')
  expect(failure.message).toMatch(message)
})
