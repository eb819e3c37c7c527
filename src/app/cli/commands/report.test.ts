import {describe, expect, test} from 'vitest'
import {adfa, adfaDone, adfaJson, generateSmall, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const [model, counts, report] = ['model.json', 'docs.counts', 'report.html'].map(folder.at)
const {docs, anchors} = await generateSmall(folder, 600)
await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
await adfaDone`fit ${counts} -o ${model} --intervals 5`

const sectionIds = (page: string) => [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)

describe('adfa report', () => {
  test('writes one page with a card for every concept, and says so; the same bytes to standard output', async () => {
    const stdout = `wrote ${report}, 5 concepts; open it in a browser\n`
    expect(await adfa`report ${model} -o ${report} --quiet`).toEqual({code: 0, stdout, stderr: ''})
    const page = folder.text('report.html')
    expect(page.match(/<details class="card"/g)).toHaveLength(5)
    expect(page).toContain('<h1>Report on model.json</h1>')
    expect(page).toContain('95%, from 5 resamplings')
    expect(sectionIds(page)).toEqual(['summary', 'network', 'concepts', 'rates', 'certificates', 'settings'])
    expect(page).not.toContain('>date<')
    expect(await adfa`report ${model} -o - --quiet`).toEqual({code: 0, stdout: page, stderr: ''})
    const dated = await adfaDone`report ${model} -o - --date ${'3 May 2024'}`
    expect(dated).toContain('<th scope="row">date</th><td data-name="value"><code>3 May 2024</code></td>')
  })

  test('--counts --data --train adds the doctor and the evaluation, as adfa evaluate has it', async () => {
    const args = ['--counts', counts, '--data', docs, '--train', docs, '--title', 'Visits & more', '-o', report]
    const result = await adfaJson`report ${model} ${args}`
    const page = folder.text('report.html')
    const told = {file: report, bytes: folder.bytes('report.html').length, concepts: 5, evaluated: 600}
    expect(result).toEqual({...told, findings: expect.any(Number), learnedShare: null})
    expect(page).toContain('<h1>Visits &amp; more</h1>')
    expect(sectionIds(page)).toEqual(expect.arrayContaining(['evaluation', 'doctor']))
    const {baselines} = await adfaJson`evaluate ${model} ${docs} --train ${docs}`
    const shown = /<tr><th scope="row"><span[^>]*>oracle<.*?<\/tr>/.exec(page)?.[0] ?? ''
    expect(shown).toContain(`>${baselines.oracle.lastTag.accuracy.toFixed(3)}<`)
    for (const name of [model, counts, docs]) expect(page).toContain(`<code>${name}</code>`)
  })

  test('--data says when these are the documents that the model was learned from', async () => {
    const {learnedShare} = await adfaJson`report ${model} --data ${docs} -o ${report}`
    expect([learnedShare, folder.text('report.html').includes('documents that the model was learned from')]).toEqual([
      null,
      false
    ])
    const learned = folder.at('learned.json')
    await adfaDone`fit ${docs} --anchors ${anchors} -o ${learned}`
    expect(await adfaJson`report ${learned} --data ${docs} -o ${report}`).toMatchObject({learnedShare: 1})
    expect(folder.text('report.html')).toContain('are documents that the model was learned from')
  })

  test.each([
    [['--train', 'x.jsonl'], 2, /--train needs documents to evaluate on; name them with --data/],
    [['--data', 'x.jsonl', '--baselines'], 2, /--baselines are trained on documents; name them with --train/],
    [['--counts', 'no.counts'], 1, /no\.counts/],
    [['--data', 'no.jsonl'], 1, /no\.jsonl/],
    [['--json', '-o', '-'], 2, /--json needs standard output for the result/],
    [['-o', 'no/such/folder/report.html'], 1, /no\/such\/folder/]
  ] as const)('adfa report refuses %j', async (args, status, message) => {
    const before = folder.names()
    expect(await adfa`report ${model} -o ${folder.at('bad.html')} ${args}`).toEqual(refused(status, message))
    expect(folder.names()).toEqual(before)
  })

  test('refuses counts of other anchors, and documents without tags, and leaves the old report', async () => {
    const others = folder.write('other.jsonl', [{features: ['other']}, {features: ['word']}])
    const given = '{"other": {"any": ["other"], "truePositive": 0.9, "falsePositive": 0.01}}'
    const [otherCounts, old] = [folder.at('other.counts'), folder.write('old.html', 'old')]
    await adfaDone`count ${others} --anchors ${folder.write('other.json', given)} -o ${otherCounts}`
    expect(await adfa`report ${model} --counts ${otherCounts} -o ${old}`).toEqual(
      refused(1, /other\.counts: its anchors are not those of the model: "concept-01" is not in it/)
    )
    expect(await adfa`report ${model} --data ${others} -o ${old}`).toEqual(refused(1, /no document has tags/))
    expect(folder.text('old.html')).toBe('old')
  })
})
