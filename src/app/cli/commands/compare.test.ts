import {expect, test} from 'vitest'
import {compareModels} from '../../../use/comparison/index.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const small = await generateSmall(folder, 2000)
const {'concept-01': first, 'concept-02': second, ...others} = folder.json('anchors.json')
const anchors = {'a new name': {...first, any: [...first.any, 'word1']}, 'concept-02': {...second, truePositive: 0.99}}
const changed = folder.write('changed.json', JSON.stringify({...anchors, ...others}))
const [a, b] = [folder.at('a.json'), folder.at('b.json')]
await adfaDone`fit ${small.docs} --anchors ${small.anchors} -o ${a}`
await adfaDone`fit ${small.docs} --anchors ${changed} -o ${b}`
const rename = ['--renamed', 'concept-01=a new name']

test('adfa compare shows a rename, the new member and the rate that changed, or a concept less and one more', async () => {
  const renamed = await adfaDone`compare ${a} ${b} ${rename}`
  expect(renamed).toContain('concept-01 is called a new name in B.')
  expect(renamed).toContain('The anchor of a new name has word1 in B only.')
  expect(renamed).toMatch(/concept-02 +anchor fires with it +\S+% +99% +higher/)
  expect(renamed).not.toMatch(/^Only/m)
  expect(await adfaDone`compare ${a} ${b}`).toMatch(/^Only B has a new name\.\nOnly A has concept-01\.$/m)
  expect(await adfaDone`compare ${a} ${a}`).toMatch(/The two models do not differ\.\n$/)
})

test('adfa compare --json is what compareModels gives', async () => {
  const result = compareModels(folder.model('a.json'), folder.model('b.json'), {
    renamed: new Map([['concept-01', 'a new name']])
  })
  expect(await adfaJson`compare ${a} ${b} ${rename}`).toEqual(JSON.parse(JSON.stringify(result)))
})

test('adfa compare refuses a rename that is none, or of no concept', async () => {
  expect(await adfa`compare ${a} ${b} --renamed flu`).toEqual(refused(2, /expected old=new/))
  expect(await adfa`compare ${a} ${b} --renamed ${'nothing=a new name'}`).toEqual(
    refused(2, /the first model has no concept "nothing" to rename/)
  )
})
