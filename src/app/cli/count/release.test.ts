import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {releaseFromBytes} from '../../../read/pooling/index.ts'
import {adfa, adfaDone, adfaJson, type CommandLine, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(400, rng(7))
const [docs, agreed, pooled, model] = ['all.jsonl', 'agreed.counts', 'pooled.tables', 'model.json'].map(folder.at)
const sites = [questions.slice(0, 150), questions.slice(150)].map((site, at) => folder.write(`${at}.jsonl`, site))
const tables = sites.map((_, at) => folder.at(`site-${at}.tables`))
const read = (name: string) => releaseFromBytes(folder.bytes(name), name)

/** Refuses, and writes nothing. */
async function expectRefusal(message: RegExp, ...line: CommandLine): Promise<void> {
  const {code, stdout, stderr} = await adfa(...line)
  expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)])
  expect(folder.names().filter(name => name.startsWith('no.'))).toEqual([])
}

beforeAll(async () => {
  const rates = {truePositive: 0.8, falsePositive: 0.05}
  const anchors = {python: {any: ['title:python'], ...rates}, git: {any: ['git', 'text:branch'], ...rates}}
  folder.write('all.jsonl', questions)
  await adfaDone`count ${docs} --anchors ${folder.write('tools.json', JSON.stringify(anchors))} -o ${agreed}`
  for (const [at, site] of sites.entries())
    await adfaDone`count ${site} --like ${agreed} --min-cell 5 --site ${`Site ${at}`} -o ${tables[at]}`
  await adfaDone`merge ${tables} -o ${pooled}`
})

describe('adfa count --max-order, --min-cell, --site', () => {
  test('writes tables instead of counts as soon as one of the three is given, and says what is in them', async () => {
    expect(read('site-0.tables').sites).toEqual([{name: 'Site 0', documents: 150, minCell: 5}])
    const out = folder.at('other.tables')
    expect(await adfaDone`count ${docs} --like ${agreed} --max-order 3 -o ${out}`).toMatch(
      /400 documents of 1 site \(site-[0-9a-f]{8}\), 2 concepts, .* numbers of at most 3 anchors or words, .* withheld\n/
    )
    expect(await adfaJson`count ${docs} --like ${agreed} --site North -o ${out}`).toMatchObject({
      ...{file: out, documents: 400, maxOrder: 2},
      sites: [{name: 'North', minCell: 10}]
    })
    const like = ['--like', tables[1], '--min-cell', '5', '--site', 'Site 0']
    await adfaDone`count ${sites[0]} ${like} -o ${out}`
    expect(folder.bytes('other.tables')).toEqual(folder.bytes('site-0.tables'))
  })
})

describe('adfa merge of tables', () => {
  test('adds them up, the same bytes in any order, gzipped or not; of counts it makes the same tables', async () => {
    const gzipped = folder.write('site-0.tables.gz', gzipSync(folder.bytes('site-0.tables')))
    const again = folder.at('again.tables')
    expect(await adfaDone`merge ${tables[1]} ${gzipped} -o ${again}`).toMatch(/400 documents of 2 sites \(Site/)
    expect(folder.bytes('again.tables')).toEqual(folder.bytes('pooled.tables'))
    await adfaDone`count ${sites[0]} --like ${agreed} -o ${folder.at('site-0.counts')}`
    await adfaDone`merge ${folder.at('site-0.counts')} --min-cell 5 --site ${'Site 0'} -o ${again}`
    expect(folder.bytes('again.tables')).toEqual(folder.bytes('site-0.tables'))
  })

  test('refuses tables beside counts, a site twice, an audit of counts, and to change what is released', async () => {
    const [one, two] = tables
    const copy = folder.write('copy.tables', folder.bytes('site-0.tables'))
    const cut = folder.write('cut.tables', folder.bytes('site-0.tables').subarray(0, -20))
    for (const [args, message] of [
      [[one, agreed], /site-0.tables holds released tables and .*agreed.counts whole counts, which do not add up/],
      [[one, copy], /site "Site 0" is among them twice/],
      [[cut, two], /cut.tables: the file is cut short/],
      [[agreed, '--audit', folder.at('no.txt')], /--audit shows what tables would disclose; .*--max-order 2/],
      ...['--min-cell 20', '--audit x', '--site x'].map(
        option => [[one, ...option.split(' ')], /--[-a-z]+ cannot change tables that were released already/] as const
      )
    ] as const)
      await expectRefusal(message, ...['merge', ...args, '-o', folder.at('no.tables')])
  })
})

describe('learning from tables', () => {
  test('adfa fit takes tables, and the model and its report say what it was fitted from', async () => {
    const printed = await adfaDone`fit ${pooled} -o ${model}`
    const said = /tables of at most 2 anchors or words from 2 sites; cells below 5 withheld: \d+ of \d+ numbers/
    expect(printed).toMatch(said)
    expect(folder.json('model.json').certificate.tables.sites).toHaveLength(2)
    await adfaDone`report ${model} --counts ${pooled} -o ${folder.at('report.html')}`
    expect(folder.text('report.html')).toMatch(said)
  })

  test('adfa doctor and suggest work as far as tables tell; what needs more is refused', async () => {
    expect(await adfaDone`suggest ${pooled}`).toMatch(/python/)
    const {stdout, stderr} = await adfa`doctor ${pooled}`
    expect(stdout).toMatch(/python/)
    expect(stderr).toMatch(/the members of one anchor are not distinguished, and .*--max-order 3/)
    const fit = ['fit', pooled, '-o', folder.at('no.json')]
    await expectRefusal(/put together from released tables of at most 2 anchors or words/, ...fit, '--intervals')
    expect(await adfa(...fit, '--preset', 'paper')).toEqual(refused(1, /--max-order 3/))
  })
})
