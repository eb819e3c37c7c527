import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(150, rng(1))
const small = await generateSmall(folder)
const docs = folder.write('questions.jsonl', questions)
const tools = JSON.stringify({python: 'title:python', git: ['git', 'text:branch']})
const anchors = ['--anchors', folder.write('tools.json', tools)]
const out = folder.at('x.counts')

/** Count with the given arguments and read the file back. */
async function countsOf(...args: readonly string[]) {
  await adfaDone`count ${args} -o ${folder.at('read.counts')} --quiet`
  return folder.counts('read.counts')
}

describe('adfa count', () => {
  test('writes the counts and says what they hold, as text or as JSON', async () => {
    const args = ['count', small.docs, '--anchors', small.anchors, '-o', out]
    const printed = await adfa`${args} --quiet`
    const {documentCount, patternCount: patterns} = folder.counts('x.counts')
    expect(documentCount).toBe(600)
    const stdout = `600 documents, 5 concepts, 40 words, ${patterns} anchor patterns\nwrote ${out}\n`
    expect(printed).toEqual({code: 0, stdout, stderr: ''})
    const told = {file: out, documents: 600, concepts: 5, words: 40, patterns, skippedAnchors: []}
    expect(await adfaJson(...args)).toEqual(told)
  })

  test('reads tags for labels only when --label-share asks for them', async () => {
    const labelled = async (...more: string[]) => [...(await countsOf(docs, ...anchors, ...more)).labelled.slice(0, 4)]
    expect(await labelled()).toEqual([0, 0, 0, 0])
    const python = questions.map(({tags, title}) => 2 * Number(tags.includes('python')) + Number(/python/.test(title)))
    const cells = [0, 1, 2, 3].map(cell => python.filter(found => found === cell).length)
    expect(await labelled('--label-share', '1')).toEqual(cells)
    const some = (await labelled('--label-share', '0.4')).reduce((sum, cell) => sum + cell, 0)
    // 5 standard deviations of a binomial count.
    expect(Math.abs(some - 0.4 * 150)).toBeLessThan(5 * Math.sqrt(150 * 0.4 * 0.6))
  })
})

describe('adfa count --like', () => {
  test('takes words and anchors of a model, and refuses to be told how to read', async () => {
    const like = await countsOf(small.docs, '--like', small.truth)
    const {wordCounts, patternDocuments} = await countsOf(small.docs, '--anchors', small.anchors)
    expect(like).toMatchObject({wordCounts, patternDocuments})
    for (const option of ['--category sex', '--number age:5', '--list drugs', '--negation', '--separator ;'])
      expect(await adfa`count ${small.docs} --like ${small.truth} ${option.split(' ')} -o ${out}`).toEqual(
        refused(2, new RegExp(`${option.split(' ')[0]} cannot change anything here`))
      )
  })
})
