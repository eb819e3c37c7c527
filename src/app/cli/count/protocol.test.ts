import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {parseProtocol, protocolMark, releaseFromBytes} from '../../../read/pooling/index.ts'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'

const folder = testFolder()
const questions = drawQuestions(200, rng(7))
const anchors = folder.at('anchors.json')
const [all, north, south] = ['all', 'north', 'south'].map(name => folder.at(`${name}.jsonl`))
const [whole, tables] = ['whole.json', 'tables.json'].map(name => folder.at(name))

beforeAll(async () => {
  folder.write('anchors.json', JSON.stringify({python: 'title:python', git: ['git', 'text:branch'], 'c#': 'title:c#'}))
  folder.write('all.jsonl', questions)
  folder.write('north.jsonl', questions.slice(0, 120))
  folder.write('south.jsonl', questions.slice(120))
  await adfaDone`count ${north} --anchors ${anchors} --label-share 0.5 --seed 3 --protocol ${whole}`
  await adfaDone`count ${north} --anchors ${anchors} --max-order 2 --min-cell 4 --protocol ${tables}`
})

const count = (docs: string, protocol: string, to: string, ...more: string[]) =>
  adfa`count ${docs} --protocol ${protocol} ${more} -o ${folder.at(to)}`

/** Count what must succeed. */
async function counted(docs: string, protocol: string, to: string, ...more: string[]): Promise<string> {
  expect(await count(docs, protocol, to, ...more)).toMatchObject({code: 0})
  return folder.at(to)
}

describe('adfa count --protocol without -o', () => {
  test('writes a protocol named after its file', async () => {
    const protocol = parseProtocol(folder.text('whole.json'), 'whole.json')
    expect(protocol).toMatchObject({name: 'whole', labelShare: 0.5, seed: 3, release: undefined})
    await counted(all, whole, 'all.counts')
    const like = ['--like', folder.at('all.counts'), '--protocol', folder.at('p.json')]
    const out = await adfaDone`count ${all} ${like}`
    const again = parseProtocol(folder.text('p.json'), 'p.json')
    expect(out).toContain(`protocol "p", fingerprint ${protocolMark(again).fingerprint}`)
    expect(again.lexicon).toEqual(protocol.lexicon)
    const words = protocol.lexicon.words.length
    expect(await adfaJson`count ${all} ${like}`).toMatchObject({name: 'p', concepts: 3, words})
  })

  test.each(['--labels x', '--shard 1/2', '--site North', '--dry-run'])(
    '%s, which is for counting, is refused',
    async option => {
      const line = ['count', north, '--anchors', anchors, ...option.split(' '), '--protocol', folder.at('bad.json')]
      expect(await adfa(...line)).toEqual(refused(2, /is for counting.*name a file with -o/))
      expect(folder.names()).not.toContain('bad.json')
    }
  )
})

describe('adfa count --protocol with -o', () => {
  test('of two sites merges to the counts of all documents, byte for byte', async () => {
    const parts = [await counted(north, whole, 'n.counts'), await counted(south, whole, 's.counts')]
    await counted(all, whole, 'all.counts')
    await adfaDone('merge', ...parts, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('writes the tables agreed on, with the fingerprint in them; a site may withhold more', async () => {
    const {fingerprint} = protocolMark(parseProtocol(folder.text('tables.json'), 'tables.json'))
    await counted(north, tables, 'n.tables', '--site', 'North')
    const release = releaseFromBytes(folder.bytes('n.tables'), 'n.tables')
    expect(release).toMatchObject({
      maxOrder: 2,
      protocol: {name: 'tables', fingerprint},
      sites: [{name: 'North', minCell: 4}]
    })
    await counted(south, tables, 's.tables', '--site', 'South', '--min-cell', '9')
    await adfaDone('merge', folder.at('n.tables'), folder.at('s.tables'), '-o', folder.at('both.tables'))
    const both = releaseFromBytes(folder.bytes('both.tables'), 'both.tables')
    expect(both.protocol).toEqual(release.protocol)
    expect(both.sites.map(({minCell}) => minCell)).toEqual([4, 9])
  })

  test.each([
    ['tables', ['--min-cell', '3'], /--min-cell: the protocol "tables" withholds cells below 4; .* more, not less/],
    ['tables', ['--max-order', '3', '--seed', '1'], /--seed, --max-order cannot change anything here: the protocol/],
    ['tables', ['--labels', 'x.jsonl'], /--labels cannot change/],
    ['tables', ['--anchors', anchors, '--text', 'title'], /--text, --anchors cannot change/],
    ['whole', ['--min-cell', '10'], /--min-cell cannot change/],
    ['whole', ['--dry-run'], /--dry-run shows what tables would disclose/]
  ])('%s with %j is refused by name', async (name, args, message) => {
    expect(await count(north, folder.at(`${name}.json`), 'bad.tables', ...args)).toEqual(refused(2, message))
    expect(folder.names()).not.toContain('bad.tables')
  })

  test('adfa merge refuses counts and tables of another protocol, and says which', async () => {
    await adfaDone`count ${north} --anchors ${anchors} --max-order 2 --protocol ${folder.at('o.json')}`
    const mine = await counted(north, tables, 'n.tables', '--site', 'North')
    const other = await counted(south, folder.at('o.json'), 'o.tables', '--site', 'South')
    expect(await adfa`merge ${mine} ${other} -o ${folder.at('bad.tables')}`).toEqual(
      refused(1, /differ in their protocol \("tables" [-0-9a-f]{19}, "o" [-0-9a-f]{19}\)/)
    )
    expect(folder.names()).not.toContain('bad.tables')
  })

  test('refuses a protocol that was edited, and notes a field that the site does not have', async () => {
    folder.write('edited.json', folder.text('tables.json').replace('"minCell": 4', '"minCell": 1'))
    const edited = await count(north, folder.at('edited.json'), 'bad.tables')
    expect(edited).toEqual(refused(1, /edited.json: it was changed after/))
    const titles = questions.map(({id, title}) => ({id, title}))
    const noted = await count(folder.write('bodiless.jsonl', titles), tables, 'b.tables', '--site', 'B')
    expect(noted).toMatchObject({code: 0, stderr: expect.stringMatching(/no document has the field "text"/)})
  })
})

describe('the audit', () => {
  test('adfa count writes the audit beside the tables, prints its summary, and --audit puts it elsewhere', async () => {
    const {stdout} = await count(north, tables, 'a.tables', '--site', 'North')
    const audit = folder.text('a.tables.audit.txt')
    const [summary, listing] = audit.split('\nEvery number in the file:\n\n')
    expect(stdout.startsWith(summary)).toBe(true)
    expect(listing).toMatch(/^documents: 120\n"python": /)
    const {low} = releaseFromBytes(folder.bytes('a.tables'), 'a.tables')
    expect(listing.trimEnd().split('\n')).toHaveLength(low.length)
    await counted(north, tables, 'c.tables', '--audit', folder.at('elsewhere.txt'), '--site', 'North')
    const elsewhere = folder.text('elsewhere.txt')
    expect(elsewhere.startsWith(summary) && elsewhere.endsWith(listing)).toBe(true)
    expect(folder.names()).not.toContain('c.tables.audit.txt')
  })

  test('adfa count --dry-run shows the audit and writes nothing', async () => {
    const before = folder.names()
    const {stdout} = await count(north, tables, 'dry.tables', '--site', 'North', '--dry-run')
    expect(stdout).toMatch(/^What this release discloses: the tables of site "North"/)
    expect(stdout).toContain('dry run: no tables were written')
    expect(folder.names()).toEqual(before)
  })
})
