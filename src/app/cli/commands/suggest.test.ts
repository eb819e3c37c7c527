import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const times = <T>(count: number, row: T) => Array.from({length: count}, () => row)

describe('adfa suggest', () => {
  const docs = [folder.at('words.jsonl'), '--anchors', folder.at('words.json')]

  beforeAll(() => {
    folder.write('words.jsonl', [
      ...times(40, {title: 'python', text: 'python snake', tags: ['python']}),
      ...times(20, {title: 'question', text: 'python snake', tags: ['python']}),
      ...times(30, {title: 'java', text: 'thing', tags: ['java, the language']}),
      ...times(10, {title: 'other', text: 'java thing'}),
      ...times(290, {title: 'other', text: 'thing'})
    ])
    const names = {python: 'title:python', 'java, the language': {any: ['title:java'], not: ['text:java']}}
    folder.write('words.json', JSON.stringify(names))
  })

  test('prints the words of each concept with the evidence; of counts the same', async () => {
    const printed = await adfaDone`suggest ${docs}`
    expect(printed).toMatch(/^python +\(anchor: title:python\):\n/)
    expect(printed).toMatch(/^text:python +in 60 documents; .* 67%, 6\.5 times its usual share; the same name$/m)
    expect(printed).toMatch(/^No word is good enough for java, the language; 4 words were considered; .*--vocabulary/m)
    await adfaDone`count ${docs} -o ${folder.at('docs.counts')}`
    expect(await adfaDone`suggest ${folder.at('docs.counts')}`).toBe(printed)
    expect(await adfaDone`suggest ${docs} --no-names`).toMatch(/text:python .* 6\.5 times its usual share\n/)
  })

  test('--for takes concepts by name, commas and all, and refuses others; --json has the numbers', async () => {
    const {concepts} = await adfaJson`suggest ${docs} --for ${'java, the language'} --for python`
    const words = [{word: 'text:python', documents: 60, together: 40, basis: 'documents', similarity: 'same'}, {}]
    expect(concepts).toMatchObject([
      {concept: 'python', anchor: ['title:python'], hasRates: false, forms: [], words},
      {concept: 'java, the language', words: []}
    ])
    expect(await adfa`suggest ${docs} --for pyton,java`).toEqual(
      refused(2, /there is no concept "pyton" .*; did you mean "python"\?/)
    )
  })

  test('with given rates tells how many documents have the concept', async () => {
    const rates = {any: ['title:python'], prevalence: 0.16, precision: 0.95}
    const printed =
      await adfaDone`suggest ${docs[0]} --anchors ${folder.write('r.json', JSON.stringify({python: rates}))}`
    expect(printed).toMatch(/independent about 100% of its documents have the concept/)
  })
})
