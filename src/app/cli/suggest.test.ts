import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, testFolder} from './test-run.ts'

const folder = testFolder()

beforeAll(() => {
  const times = (count: number, title: string, text: string, tags: string[]) =>
    Array.from({length: count}, () => ({title, text, tags}))
  folder.write('docs.jsonl', [
    ...times(40, 'python', 'python snake', ['python']),
    ...times(20, 'question', 'python snake', ['python']),
    ...times(30, 'java', 'thing', ['java, the language']),
    ...times(10, 'other', 'java thing', []),
    ...times(290, 'other', 'thing', [])
  ])
  const names = {python: 'title:python', 'java, the language': {any: ['title:java'], not: ['text:java']}}
  folder.write('anchors.json', JSON.stringify(names))
})

const docs = () => [folder.at('docs.jsonl'), '--anchors', folder.at('anchors.json')]

describe('adfa suggest', () => {
  test('adfa suggest prints the words of each concept with the evidence, and how to take one', async () => {
    expect(await adfaDone('suggest', ...docs())).toBe(
      `python  (anchor: title:python)
  text:python  in 60 documents; where it occurs the anchor fires in 67%, 6.5 times its usual share; the same name
  text:snake   in 60 documents; where it occurs the anchor fires in 67%, 6.5 times its usual share

No word is good enough for java, the language; 4 words were considered; a higher --vocabulary gives more.

To use a word, add it to the anchor of its concept in anchors.json, such as
  "python":["title:python","text:python"]
and learn again (adfa run, or adfa fit). To exclude a word, add it to "not": it then vetoes the anchor and is not suggested again.
`
    )
  })

  test('adfa suggest --json prints the numbers behind the words', async () => {
    expect(await adfaJson('suggest', ...docs(), '--top', '1')).toEqual({
      documents: 390,
      words: 4,
      concepts: [
        {
          concept: 'python',
          anchor: ['title:python'],
          hasRates: false,
          forms: [],
          words: [
            expect.objectContaining({
              word: 'text:python',
              documents: 60,
              together: 40,
              basis: 'documents',
              similarity: 'same',
              warnings: []
            })
          ]
        },
        {concept: 'java, the language', anchor: ['title:java'], hasRates: false, forms: [], words: []}
      ]
    })
  })

  test('adfa suggest --for takes concepts by name, commas and all, and refuses others', async () => {
    const concepts = async (...args: string[]) => {
      const {concepts} = (await adfaJson('suggest', ...docs(), ...args)) as {concepts: {concept: string}[]}
      return concepts.map(({concept}) => concept)
    }
    expect(await concepts('--for', 'python')).toEqual(['python'])
    expect(await concepts('--for', 'java, the language', '--for', 'python')).toEqual(['python', 'java, the language'])
    const {code, stderr} = await adfa('suggest', ...docs(), '--for', 'pyton,java')
    expect(code).toBe(2)
    expect(stderr).toMatch('there is no concept "pyton" to suggest anchors for; did you mean "python"?')
  })

  test('adfa suggest of counts says the same as of their documents', async () => {
    await adfaDone('count', ...docs(), '-o', folder.at('docs.counts'))
    expect(await adfaDone('suggest', folder.at('docs.counts'))).toBe(await adfaDone('suggest', ...docs()))
  })

  test('adfa suggest --no-names judges by the documents alone', async () => {
    const printed = await adfaDone('suggest', ...docs(), '--no-names')
    expect(printed).toMatch(
      /text:python +in 60 documents; where it occurs the anchor fires in 67%, 6.5 times its usual share\n/
    )
  })

  test('adfa suggest with given rates tells how many documents have the concept, and that rates will change', async () => {
    const rated = {python: {any: ['title:python'], prevalence: 0.16, precision: 0.95}}
    folder.write('rated.json', JSON.stringify(rated))
    const printed = await adfaDone('suggest', folder.at('docs.jsonl'), '--anchors', folder.at('rated.json'))
    expect(printed).toMatch(/independent about 100% of its documents have the concept/)
    expect(printed).toMatch('"python":{"any":["title:python","text:python"],"prevalence":0.16,"precision":0.95}')
    expect(printed).toMatch('This changes its rates: estimate them again.')
  })
})
