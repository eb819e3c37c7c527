import {gzipSync} from 'node:zlib'
import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {releaseFromBytes} from '../../../read/pooling/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(400, rng(7))
const sites = [questions.slice(0, 150), questions.slice(150, 400)]
const tables = sites.map((_, at) => folder.at(`site-${at}.tables`))
const agreed = ['--like', folder.at('agreed.counts')]

beforeAll(async () => {
  const rates = {truePositive: 0.8, falsePositive: 0.05}
  folder.write(
    'tools.json',
    JSON.stringify({python: {any: ['title:python'], ...rates}, git: {any: ['git', 'text:branch'], ...rates}})
  )
  folder.write('all.jsonl', questions)
  await adfaDone(
    'count',
    folder.at('all.jsonl'),
    '--anchors',
    folder.at('tools.json'),
    '-o',
    folder.at('agreed.counts')
  )
  for (const [at, site] of sites.entries()) {
    const docs = folder.write(`site-${at}.jsonl`, site)
    await adfaDone('count', docs, ...agreed, '--min-cell', '5', '--site', `Site ${at}`, '-o', tables[at])
  }
})

const read = (name: string) => releaseFromBytes(folder.bytes(name), name)

describe('adfa count --max-order, --min-cell, --site', () => {
  test('adfa count writes tables instead of counts as soon as one of the three is given, and says what is in them', async () => {
    expect(read('site-0.tables').sites).toEqual([{name: 'Site 0', documents: 150, minCell: 5}])
    const out = folder.at('other.tables')
    expect(await adfaDone('count', folder.at('all.jsonl'), ...agreed, '--max-order', '3', '-o', out)).toMatch(
      /400 documents of 1 site \(site-[0-9a-f]{8}\), 2 concepts, .* numbers of at most 3 anchors or words, .* withheld\n/
    )
    expect(read('other.tables').sites[0].minCell).toBe(10)
    const found = await adfaJson('count', folder.at('all.jsonl'), ...agreed, '--site', 'North', '-o', out)
    expect(found).toMatchObject({file: out, documents: 400, maxOrder: 2, sites: [{name: 'North', minCell: 10}]})
  })

  test('adfa count refuses wrong values, and writes nothing for a site that is too small', async () => {
    const count = (...args: string[]) =>
      adfa('count', folder.at('all.jsonl'), ...agreed, ...args, '-o', folder.at('no.tables'))
    expect((await count('--max-order', '4')).stderr).toMatch(/max-?order.* must be a whole number from 1 to 3/i)
    expect((await count('--min-cell', 'few')).stderr).toMatch(/--min-cell.*whole number/)
    expect((await count('--site', '')).stderr).toMatch(/site.* must be a name/)
    expect((await count('--min-cell', '401')).stderr).toMatch(/released from 401 documents on; there are fewer/)
    expect(folder.names().filter(name => name.startsWith('no.'))).toEqual([])
  })

  test('adfa count --like takes how documents are read from tables, too', async () => {
    await adfaDone(
      'count',
      folder.at('site-0.jsonl'),
      '--like',
      tables[1],
      '--min-cell',
      '5',
      '--site',
      'Site 0',
      '-o',
      folder.at('like.tables')
    )
    expect(folder.bytes('like.tables')).toEqual(folder.bytes('site-0.tables'))
  })
})

describe('adfa merge of tables', () => {
  test('adfa merge adds the tables of sites up, the same bytes in any order, gzipped or not', async () => {
    const printed = await adfaDone('merge', ...tables, '-o', folder.at('pooled.tables'))
    expect(printed).toMatch(/400 documents of 2 sites \(Site 0, Site 1\)/)
    const gzipped = folder.write('site-0.tables.gz', gzipSync(folder.bytes('site-0.tables')))
    await adfaDone('merge', tables[1], gzipped, '-o', folder.at('again.tables'))
    expect(folder.bytes('again.tables')).toEqual(folder.bytes('pooled.tables'))
    expect(read('pooled.tables').low[0]).toBe(400)
  })

  test('adfa merge refuses tables beside counts, a site twice, and rules for what is released already', async () => {
    const merge = (...args: string[]) => adfa('merge', ...args, '-o', folder.at('no.tables'))
    expect((await merge(tables[0], folder.at('agreed.counts'))).stderr).toMatch(
      /site-0.tables holds released tables and .*agreed.counts whole counts, which do not add up/
    )
    folder.write('copy.tables', folder.bytes('site-0.tables'))
    expect((await merge(tables[0], folder.at('copy.tables'))).stderr).toMatch(/site "Site 0" is among them twice/)
    expect((await merge(...tables, '--min-cell', '20')).stderr).toMatch(
      /cannot change tables that were released already/
    )
    const cut = folder.write('cut.tables', folder.bytes('site-0.tables').subarray(0, -20))
    expect((await merge(cut, tables[1])).stderr).toMatch(/cut.tables: the file is cut short/)
    expect(folder.names().filter(name => name.startsWith('no.'))).toEqual([])
  })

  test('adfa merge --max-order makes tables of counts, the same as counting into tables', async () => {
    await adfaDone('count', folder.at('site-0.jsonl'), ...agreed, '-o', folder.at('site-0.counts'))
    await adfaDone(
      'merge',
      folder.at('site-0.counts'),
      '--min-cell',
      '5',
      '--site',
      'Site 0',
      '-o',
      folder.at('made.tables')
    )
    expect(folder.bytes('made.tables')).toEqual(folder.bytes('site-0.tables'))
  })
})

describe('adfa merge --earlier', () => {
  /** Of 200 notes 3 are of ward c and 20 of both concepts; later notes bring 2 and 3 more. */
  const note = (at: number) => ({
    title: at % 4 === 0 ? 'python' : at % 10 === 1 && at < 230 ? 'python git' : 'git',
    ward: at % 67 === 5 ? 'c' : at % 2 === 0 ? 'a' : 'b'
  })
  const notes = Array.from({length: 300}, (_, at) => note(at))
  const reading = ['--anchors', folder.at('tools.json'), '--text', 'title', '--category', 'ward']
  const [all, first, later] = ['all', 'first', 'later'].map(name => folder.at(`notes-${name}.counts`))
  const north = (name: string) => folder.at(`north-${name}`)

  beforeAll(async () => {
    folder.write('notes.jsonl', notes)
    folder.write('notes-1.jsonl', notes.slice(0, 200))
    folder.write('notes-2.jsonl', notes.slice(200))
    await adfaDone('count', folder.at('notes.jsonl'), ...reading, '-o', all)
    await adfaDone('count', folder.at('notes-1.jsonl'), '--like', all, '-o', first)
    await adfaDone('count', folder.at('notes-2.jsonl'), '--like', all, '-o', later)
    await adfaDone('merge', first, '--site', 'North', '-o', north('1.tables'))
  })

  test('adfa merge withholds a second ward, so that the number of documents does not tell the third', () => {
    const {words}: {words: [string, unknown][]} = JSON.parse(folder.text('north-1.tables').split('\n')[1])
    const told = words.filter(([word, number]) => word.startsWith('ward:') && !Array.isArray(number))
    expect(told.length).toBeLessThan(2)
  })

  test('adfa merge --earlier and adfa count --earlier continue tables sent before', async () => {
    await adfaDone('merge', later, '--earlier', north('1.tables'), '-o', north('2.tables'))
    expect(read('north-2.tables').sites).toEqual([{name: 'North', documents: 300, minCell: 10}])
    const counted = await adfaDone(
      ...['count', folder.at('notes-2.jsonl'), '--like', all, '--earlier', north('1.tables'), '-o', north('3.tables')]
    )
    expect(counted).toMatch(/300 documents of 1 site \(North\)/)
    expect(folder.bytes('north-3.tables')).toEqual(folder.bytes('north-2.tables'))
  })

  test('adfa merge refuses an audit of counts, and to change tables', async () => {
    const merge = (...args: string[]) => adfa('merge', ...args, '-o', folder.at('no.tables'))
    expect((await merge(all, '--audit', north('no.txt'))).stderr).toMatch(/--audit is for tables; add --max-order 2/)
    for (const option of ['--earlier', '--audit', '--site'])
      expect((await merge(north('1.tables'), option, tables[0])).stderr).toMatch(
        new RegExp(`${option} cannot change tables that were released already`)
      )
    expect(folder.names().filter(name => /^no\.|no\.txt/.test(name))).toEqual([])
  })
})

describe('learning from tables', () => {
  test('adfa fit takes tables, and the model and its report say what it was fitted from', async () => {
    await adfaDone('merge', ...tables, '-o', folder.at('pooled.tables'))
    const printed = await adfaDone('fit', folder.at('pooled.tables'), '-o', folder.at('model.json'))
    const said = /tables of at most 2 anchors or words from 2 sites; cells below 5 withheld: \d+ of \d+ numbers/
    expect(printed).toMatch(said)
    expect(printed).toMatch(/; these do not distinguish the members of an anchor, which count as one\n/)
    expect(JSON.parse(folder.text('model.json')).certificate.tables.sites).toHaveLength(2)
    await adfaDone(
      'report',
      folder.at('model.json'),
      '--counts',
      folder.at('pooled.tables'),
      '-o',
      folder.at('report.html')
    )
    expect(folder.text('report.html')).toMatch(said)
  })

  test('adfa fit of tables without suppression is the model of all documents, but for what it says of the tables', async () => {
    for (const [at] of sites.entries())
      await adfaDone(
        'count',
        folder.at(`site-${at}.jsonl`),
        ...agreed,
        '--min-cell',
        '0',
        '--site',
        `${at}`,
        '-o',
        folder.at(`exact-${at}.tables`)
      )
    await adfaDone('merge', folder.at('exact-0.tables'), folder.at('exact-1.tables'), '-o', folder.at('exact.tables'))
    const model = async (input: string) => {
      await adfaDone('fit', folder.at(input), '--words', 'noisy-or', '-o', folder.at('model.json'))
      const {certificate, checksum: _sum, ...rest} = JSON.parse(folder.text('model.json'))
      const {tables: _, ...others} = certificate
      return {...rest, certificate: others}
    }
    expect(await model('exact.tables')).toEqual(await model('agreed.counts'))
  })

  test('adfa noise, doctor and suggest work as far as tables tell, and bootstrap intervals are refused', async () => {
    const pooled = folder.at('pooled.tables')
    await adfaDone('merge', ...tables, '-o', pooled)
    expect(await adfaDone('noise', pooled)).toMatch(/python/)
    const doctor = await adfa('doctor', pooled)
    expect(doctor.stdout).toMatch(/python/)
    expect(doctor.stderr).toMatch(/the members of one anchor are not distinguished, and .*--max-order 3/)
    expect(await adfaDone('suggest', pooled)).toMatch(/python/)
    const refused = await adfa('fit', pooled, '--intervals', '-o', folder.at('none.json'))
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/put together from released tables of at most 2 anchors or words/)
    expect((await adfa('fit', pooled, '--preset', 'paper', '-o', folder.at('none.json'))).stderr).toMatch(
      /--max-order 3/
    )
    expect(folder.names().includes('none.json')).toBe(false)
  })
})
