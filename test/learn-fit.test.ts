import {expect, test} from 'vitest'
import {adfaDone, testFolder} from '../src/app/cli/test-run.ts'
import {learnCase, learnCases, textRows} from './browser-fit.ts'

const folder = testFolder()

test.each([...learnCases.entries()])(
  'learn(...) gives the bytes of adfa fit, case %i',
  async (at, {flags, options}) => {
    const {rows, anchors} = textRows(at)
    const docs = folder.write(`${at}.jsonl`, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    const given = 'anchorsFromTags' in options ? [] : ['--anchors', folder.write(`${at}.json`, JSON.stringify(anchors))]
    const model = folder.at(`${at}.model.json`)
    await adfaDone('fit', docs, ...given, ...flags.split(' ').filter(flag => flag !== ''), '-o', model)
    expect(await learnCase(at)).toBe(folder.text(`${at}.model.json`))
  },
  60_000
)
