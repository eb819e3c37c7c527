import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from '../test-run.ts'

const folder = testFolder()
const [docs, labels, bare] = ['docs.jsonl', 'labels.jsonl', 'bare.json'].map(name => folder.at(name))

interface Tagged {
  readonly id: string
  readonly tags: readonly string[]
}

let concepts: string[]

/** Lines of a labels file: the tags of some documents, as someone might label them. */
function labelLines(rows: readonly Tagged[]): string {
  return rows
    .map(({id, tags}) => {
      const own = Object.fromEntries(concepts.map(concept => [concept, tags.includes(concept)]))
      return `${JSON.stringify({id, labels: own, drawn: 'random'})}\n`
    })
    .join('')
}

beforeAll(async () => {
  const small = await generateSmall(folder, 1500)
  const anchors = JSON.parse(folder.text('anchors.json'))
  concepts = Object.keys(anchors)
  folder.write('bare.json', JSON.stringify(Object.fromEntries(concepts.map(name => [name, anchors[name].any]))))
  const rows = folder.rows('docs.jsonl') as Tagged[]
  folder.write('labels.jsonl', labelLines(rows.slice(0, 200)))
  folder.write('early.jsonl', labelLines(rows.slice(0, 120)))
  await adfaDone('fit', docs, '--anchors', small.anchors, '--words', 'weights', '-o', folder.at('given.json'))
  await adfaDone('fit', docs, '--anchors', bare, '--labels', folder.at('early.jsonl'), '-o', folder.at('early.json'))
}, 60_000)

describe('adfa evaluate --labels', () => {
  test('gives F1, precision and recall with intervals, overall and per concept', async () => {
    const result = Object(await adfaJson('evaluate', folder.at('given.json'), docs, '--labels', labels))
    expect(result).toMatchObject({documents: 1500, labelled: 200, shortAnswers: 0, level: 0.9, usedForRates: 0})
    expect(result.evaluated).toBe('all')
    expect(Object.keys(result.baselines)).toEqual(['noisy-or', 'anchors-only'])
    for (const figures of [result.micro, result.macro, result.baselines['anchors-only'], ...result.concepts])
      for (const {value, low, high} of [figures.f1, figures.precision, figures.recall])
        expect(low <= value && value <= high && high <= 1).toBe(true)
    // The tags of all 1,500 documents decide whether the interval is right.
    const all = Object(await adfaJson('evaluate', folder.at('given.json'), docs))
    expect(all.tagging.atThreshold.microF1).toBeGreaterThan(result.micro.f1.low)
    expect(all.tagging.atThreshold.microF1).toBeLessThan(result.micro.f1.high)
    const {stdout} = await adfa('evaluate', folder.at('given.json'), docs, '--labels', labels, '--quiet')
    expect(stdout).toMatch(/^200 labelled documents, of 1,500 documents; 5 concepts, reported at a probability of /)
    expect(stdout).toMatch(/^The model was learned without these labels\.$/m)
    expect(stdout).toMatch(
      /^all decisions +0\.\d\d \(0\.\d\d to 0\.\d\d\)( +[01]\.\d\d \([01]\.\d\d to [01]\.\d\d\)){2}$/m
    )
    expect(stdout).toMatch(/^concept-01 .* +\d+ +\d+ +\d+$/m)
  })

  test('leaves out documents that the model learned from, and refuses figures by them alone', async () => {
    const later = Object(await adfaJson('evaluate', folder.at('early.json'), docs, '--labels', labels))
    expect(later).toMatchObject({labelled: 80, usedForRates: 120, evaluated: 'others'})
    const {stdout} = await adfa('evaluate', folder.at('early.json'), docs, '--labels', labels, '--quiet')
    expect(stdout).toMatch(/learned from 120 other documents of the labels file, which are left out/)
    const same = await adfa('evaluate', folder.at('early.json'), docs, '--labels', folder.at('early.jsonl'), '--quiet')
    expect([same.code, same.stdout]).toEqual([1, ''])
    expect(same.stderr).toMatch(/learned its words from 120 labelled documents.*label 30 more/s)
  })

  test('a higher --threshold reports less; options for tagged documents and files that do not match are refused', async () => {
    const at = async (p: string) =>
      Object(await adfaJson('evaluate', folder.at('given.json'), docs, '--labels', labels, '--threshold', p))
    const [low, high] = [await at('0.2'), await at('0.9')]
    expect(high.micro.recall.value).toBeLessThan(low.micro.recall.value)
    expect(high.threshold).toBe(0.9)
    const refused = [
      ['--threshold', '0.5'],
      ['--labels', labels, '--reliability'],
      ['--labels', labels, '--train', docs]
    ]
    for (const options of refused)
      expect((await adfa('evaluate', folder.at('given.json'), docs, ...options)).code).toBe(2)
    folder.write('strange.jsonl', '{"id": "nobody", "labels": {"concept-01": true}, "drawn": "random"}\n')
    const strange = await adfa('evaluate', folder.at('given.json'), docs, '--labels', folder.at('strange.jsonl'))
    expect([strange.code, strange.stderr]).toEqual([1, expect.stringMatching(/its document is not among those/)])
  })
})
