import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {loadModel} from '../../learn/model/index.ts'
import {compareModels} from '../../use/comparison/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const small = await generateSmall(folder, 2000)
const anchors: Record<string, {any: string[]}> = JSON.parse(folder.text('anchors.json'))
const [first, second] = Object.keys(anchors)
const changed = folder.write(
  'changed.json',
  JSON.stringify({
    ...Object.fromEntries(Object.entries(anchors).filter(([name]) => name !== first)),
    'a new name': {...anchors[first], any: [...anchors[first].any, 'word1']},
    [second]: {...anchors[second], truePositive: 0.99}
  })
)
const [a, b] = [folder.at('a.json'), folder.at('b.json')]
await adfaDone('fit', small.docs, '--anchors', folder.at('anchors.json'), '-o', a)
await adfaDone('fit', small.docs, '--anchors', changed, '-o', b)
const model = (file: string) => loadModel(readFileSync(file, 'utf8'), file)

test('adfa compare shows a rename, the new member and the rate that changed', async () => {
  const stdout = await adfaDone('compare', a, b, '--renamed', `${first}=a new name`)
  expect(stdout).toContain(`renamed: ${first} is a new name in b`)
  expect(stdout).toContain('a new name: +word1')
  expect(stdout).toMatch(new RegExp(`${second} +anchor fires with it +\\S+% +99% +higher`))
  expect(stdout).not.toMatch(/only in/)
})

test('adfa compare without the rename has a concept less and one more', async () => {
  const stdout = await adfaDone('compare', a, b)
  expect(stdout).toContain("only in b: 'a new name'")
  expect(stdout).toContain(`only in a: '${first}'`)
})

test('adfa compare --json is what compareModels gives', async () => {
  const renamed = new Map([[first, 'a new name']])
  expect(await adfaJson('compare', a, b, '--renamed', `${first}=a new name`)).toEqual(
    JSON.parse(JSON.stringify(compareModels(model(a), model(b), {renamed})))
  )
})

test('adfa compare of a model and itself says that nothing differs', async () => {
  expect(await adfaDone('compare', a, a)).toMatch(/no difference\n$/)
})

test('adfa compare refuses a rename that is none, or of no concept', async () => {
  expect(await adfa('compare', a, b, '--renamed', 'flu')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected old=new')
  })
  expect(await adfa('compare', a, b, '--renamed', 'nothing=a new name')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the first model has no concept "nothing" to rename')
  })
})
