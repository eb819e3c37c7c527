import {beforeAll, describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, testFolder} from './test-run.ts'

const folder = testFolder()
const model = folder.at('model.json')
const counts = folder.at('docs.counts')
const report = folder.at('report.html')
let docs: string

beforeAll(async () => {
  const small = await generateSmall(folder, 600)
  docs = small.docs
  await adfaDone('count', docs, '--anchors', small.anchors, '-o', counts, '--quiet')
  await adfaDone('fit', counts, '-o', model, '--intervals', '5', '--quiet')
}, 60_000)

const sectionIds = (page: string) => [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)

describe('adfa report', () => {
  test('adfa report writes one page with a card for every concept, and says so', async () => {
    const {code, stdout, stderr} = await adfa('report', model, '-o', report)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`wrote ${report}, 5 concepts; open it in a browser\n`)
    const page = folder.text('report.html')
    expect(page.match(/<details class="card"/g)).toHaveLength(5)
    expect(page).toContain('<h1>Report on model.json</h1>')
    expect(page).toContain('95%, from 5 resamplings')
    expect(sectionIds(page)).toEqual(['summary', 'network', 'concepts', 'rates', 'certificates', 'settings'])
  })

  test('adfa report gives the same bytes again; only a date that is given stands in it', async () => {
    const again = folder.at('again.html')
    await adfaDone('report', model, '-o', again)
    expect(folder.text('again.html')).toBe(folder.text('report.html'))
    await adfaDone('report', model, '-o', again, '--date', '3 May 2024')
    expect(folder.text('again.html')).toContain('<th scope="row">date</th><td><code>3 May 2024</code></td>')
    expect(folder.text('report.html')).not.toContain('>date<')
  })

  test('adfa report --counts --data --train adds the doctor and the evaluation, as adfa evaluate has it', async () => {
    const file = folder.at('full.html')
    const args = ['--counts', counts, '--data', docs, '--train', docs, '--title', 'Visits & more']
    expect(await adfaJson('report', model, ...args, '-o', file)).toEqual({
      file,
      bytes: folder.bytes('full.html').length,
      concepts: 5,
      findings: expect.any(Number),
      evaluated: 600,
      learnedShare: null
    })
    const page = folder.text('full.html')
    expect(page).toContain('<h1>Visits &amp; more</h1>')
    expect(sectionIds(page)).toEqual([
      'summary',
      'network',
      'concepts',
      'rates',
      'evaluation',
      'doctor',
      'certificates',
      'settings'
    ])
    const figures = Object(await adfaJson('evaluate', model, docs, '--train', docs))
    const shown = /<tr><th scope="row">oracle .*?<\/tr>/.exec(page)?.[0] ?? ''
    expect(shown).toContain(`>${figures.baselines.oracle.lastTag.accuracy.toFixed(3)}<`)
    for (const name of [model, counts, docs]) expect(page).toContain(`<code>${name}</code>`)
  })

  test('adfa report --data says when these are the documents that the model was learned from', async () => {
    const [learned, page] = [folder.at('learned.json'), folder.at('learned.html')]
    const lines = folder.text('docs.jsonl').trimEnd().split('\n')
    const training = folder.write('training.jsonl', lines.slice(0, 400).join('\n'))
    const others = folder.write('others.jsonl', lines.slice(400).join('\n'))
    await adfaDone('fit', training, '--anchors', folder.at('anchors.json'), '-o', learned)
    const told = 'The evaluated documents are documents that the model was learned from'
    const shares = [1, 0, 2 / 3]
    for (const [at, data] of [training, others, docs].entries()) {
      const {learnedShare} = Object(await adfaJson('report', learned, '--data', data, '-o', page))
      // 256 of the documents are marked: three standard errors.
      expect(Math.abs(learnedShare - shares[at])).toBeLessThan(0.09)
      expect(folder.text('learned.html').includes(told)).toBe(at === 0)
      expect(/About \d+% of the evaluated documents/.test(folder.text('learned.html'))).toBe(at === 2)
    }
  })

  test('adfa report -o - writes the page to standard output and nothing else there', async () => {
    const {code, stdout, stderr} = await adfa('report', model, '-o', '-')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(folder.text('report.html'))
  })

  test.each([
    [['--train', 'x.jsonl'], 2, /--train needs documents to evaluate on; name them with --data/],
    [['--data', 'x.jsonl', '--baselines'], 2, /--baselines are trained on documents; name them with --train/],
    [['--counts', 'no.counts'], 1, /no\.counts/],
    [['--data', 'no.jsonl'], 1, /no\.jsonl/],
    [['--json', '-o', '-'], 2, /--json needs standard output for the result/],
    [['-o', 'no/such/folder/report.html'], 1, /no\/such\/folder/]
  ])('adfa report refuses %j', async (args, status, message) => {
    const before = folder.names()
    const {code, stderr} = await adfa('report', model, '-o', folder.at('bad.html'), ...args)
    expect([code, stderr]).toEqual([status, expect.stringMatching(message)])
    expect(folder.names()).toEqual(before)
  })

  test('adfa report refuses counts of other anchors, and documents without tags, and leaves the old report', async () => {
    const rows = [1, 2, 3].map(n => ({id: `${n}`, features: n === 1 ? ['other'] : ['word']}))
    const others = folder.write('other.jsonl', rows)
    const anchors = folder.write(
      'other-anchors.json',
      '{"other": {"any": ["other"], "truePositive": 0.9, "falsePositive": 0.01}}'
    )
    const otherCounts = folder.at('other.counts')
    await adfaDone('count', others, '--anchors', anchors, '-o', otherCounts, '--quiet')
    folder.write('old.html', 'old')
    const bad = await adfa('report', model, '--counts', otherCounts, '-o', folder.at('old.html'))
    expect([bad.code, bad.stderr]).toEqual([
      1,
      expect.stringMatching(/other\.counts: its anchors are not those of the model: "concept-01" is not in it/)
    ])
    const untagged = await adfa('report', model, '--data', others, '-o', folder.at('old.html'))
    expect([untagged.code, untagged.stderr]).toEqual([1, expect.stringMatching(/other\.jsonl: no document has tags/)])
    expect(folder.text('old.html')).toBe('old')
  })

  test('adfa report refuses what is not a model, by its name', async () => {
    const {code, stderr} = await adfa('report', folder.write('other.json', '{"format": "other"}'), '-o', report)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/other\.json/)])
  })
})
