import {beforeAll, describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {drawQuestions} from '../../../read/engines/test-source.ts'
import {parseProtocol, protocolMark, releaseFromBytes} from '../../../read/pooling/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from '../test-run.ts'

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
  await adfaDone('protocol', north, '--anchors', anchors, '--label-share', '0.5', '--seed', '3', '-o', whole)
  await adfaDone(
    'protocol',
    north,
    '--anchors',
    anchors,
    '--max-order',
    '2',
    '--min-cell',
    '4',
    '--name',
    'study',
    '-o',
    tables
  )
})

const count = (docs: string, protocol: string, to: string, ...more: string[]) =>
  adfa('count', docs, '--protocol', protocol, ...more, '-o', folder.at(to))

/** Count what must succeed. */
async function counted(docs: string, protocol: string, to: string, ...more: string[]): Promise<string> {
  const {code, stderr} = await count(docs, protocol, to, ...more)
  expect({code, stderr: code === 0 ? '' : stderr}).toEqual({code: 0, stderr: ''})
  return folder.at(to)
}

describe('adfa protocol', () => {
  test('adfa count --protocol of two sites merges to the counts of all documents, byte for byte', async () => {
    const parts = [await counted(north, whole, 'n.counts'), await counted(south, whole, 's.counts')]
    await counted(all, whole, 'all.counts')
    await adfaDone('merge', ...parts, '-o', folder.at('merged.counts'))
    expect(folder.bytes('merged.counts')).toEqual(folder.bytes('all.counts'))
  })

  test('adfa protocol learns words on any number of threads, and says when their choice is approximate', async () => {
    const make = (to: string, ...more: string[]) =>
      adfa('protocol', all, '--anchors', anchors, '--vocabulary', '3', '--name', 'p', ...more, '-o', folder.at(to))
    for (const words of [[], ['--distinct-words', '5']]) {
      const alone = await make('alone.json', '--workers', '0', ...words)
      expect(alone.code).toBe(0)
      expect(/the vocabulary is approximate/.test(alone.stderr)).toBe(words.length > 0)
      expect((await make('two.json', '--workers', '2', ...words)).code).toBe(0)
      expect(folder.text('two.json')).toBe(folder.text('alone.json'))
    }
  })

  test('adfa protocol names itself after its file, tells its fingerprint, and forgets what was learned of the documents', async () => {
    const protocol = parseProtocol(folder.text('whole.json'), 'whole.json')
    expect(protocol).toMatchObject({name: 'whole', labelShare: 0.5, seed: 3, release: undefined})
    expect(protocol.lexicon.skipped).toEqual([])
    const out = await adfaDone(
      'protocol',
      '--like',
      folder.at('all.counts'),
      '--name',
      'again',
      '-o',
      folder.at('p.json')
    )
    const again = parseProtocol(folder.text('p.json'), 'p.json')
    expect(out).toContain(`protocol "again", fingerprint ${protocolMark(again).fingerprint}`)
    expect(again.lexicon).toEqual(protocol.lexicon)
    expect(await adfaJson('protocol', '--like', folder.at('all.counts'), '-o', folder.at('p.json'))).toMatchObject({
      name: 'p',
      concepts: 3,
      words: protocol.lexicon.words.length
    })
  })

  test('adfa protocol --words takes the words of a list, without documents, and without the anchors among them', async () => {
    const list =
      '\uFEFFtext:shell\r\n\n  text:pandas \ntext:shell\n__proto__\ntitle:python\ntext:python\ngit\ntitle:git\n'
    const words = folder.write('words.txt', list)
    const {stderr} = await adfa('protocol', '--anchors', anchors, '--words', words, '-o', folder.at('w.json'))
    expect(stderr).toContain('left out because they are anchors: title:python, git, title:git')
    expect(stderr).not.toContain('no word names a field')
    const {lexicon} = parseProtocol(folder.text('w.json'), 'w.json')
    expect(lexicon.words).toEqual(['__proto__', 'text:pandas', 'text:python', 'text:shell'])
    const bare = folder.write('bare.txt', 'shell\n')
    const noted = await adfa('protocol', north, '--anchors', anchors, '--words', bare, '-o', folder.at('w.json'))
    expect(noted.stderr).toMatch(/no word names a field.*is written title:fever/)
  })

  test.each([
    [['--anchors', anchors], /nothing to learn words from; give documents, --words FILE or --like FILE/],
    [[north, '--like', 'LIKE'], /--like has anchors and words already/],
    [['--like', 'LIKE', '--text', 'title'], /--text cannot change anything here/],
    [[north], /no anchors given, and no document has votes; give --anchors/],
    [[north, '--anchors', anchors, '--labels', 'x'], /--labels is for counting/],
    [[north, '--anchors', anchors, '--max-order', '4'], /max-?order.* must be a whole number from 1 to 3/i],
    [[north, '--anchors', anchors, '--privacy', 'laplace'], /unknown option '--privacy'/]
  ])('adfa protocol %j is refused', async (args, message) => {
    const given = args.map(arg => (arg === 'LIKE' ? folder.at('all.counts') : arg))
    const {code, stderr} = await adfa('protocol', ...given, '-o', folder.at('bad.json'))
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
    expect(folder.names()).not.toContain('bad.json')
  })
})

describe('adfa count --protocol', () => {
  test('adfa count --protocol writes the tables agreed on, with the fingerprint in them; a site may withhold more', async () => {
    const {fingerprint} = protocolMark(parseProtocol(folder.text('tables.json'), 'tables.json'))
    await counted(north, tables, 'n.tables', '--site', 'North')
    const release = releaseFromBytes(folder.bytes('n.tables'), 'n.tables')
    expect(release).toMatchObject({
      maxOrder: 2,
      protocol: {name: 'study', fingerprint},
      sites: [{name: 'North', minCell: 4}]
    })
    await counted(south, tables, 's.tables', '--site', 'South', '--min-cell', '9', '--max-order', '2')
    await adfaDone('merge', folder.at('n.tables'), folder.at('s.tables'), '-o', folder.at('both.tables'))
    const both = releaseFromBytes(folder.bytes('both.tables'), 'both.tables')
    expect(both.protocol).toEqual(release.protocol)
    expect(both.sites.map(({minCell}) => minCell)).toEqual([4, 9])
  })

  test.each([
    [
      'tables',
      ['--min-cell', '3'],
      /--min-cell contradicts the protocol "study", which withholds cells below 4; a site may withhold more/
    ],
    ['tables', ['--max-order', '3'], /--max-order contradicts the protocol "study", which says 2/],
    ['tables', ['--seed', '1'], /--seed contradicts .*which says 0/],
    ['tables', ['--label-share', '1'], /--label-share contradicts .*which says 0/],
    ['tables', ['--labels', 'x.jsonl'], /--labels contradicts .*labels of no document/],
    ['tables', ['--anchors', anchors], /--anchors contradicts .*settles how documents are read/],
    ['tables', ['--like', 'x'], /--like contradicts/],
    ['tables', ['--text', 'title'], /--text contradicts/],
    ['tables', ['--vocabulary', '5'], /--vocabulary contradicts/],
    ['whole', ['--min-cell', '10'], /--min-cell contradicts .*asks for whole counts/],
    ['whole', ['--site', 'North'], /--site contradicts .*asks for whole counts/],
    ['whole', ['--max-order', '2'], /--max-order contradicts .*nothing of the kind/],
    ['whole', ['--dry-run'], /--dry-run shows what tables would disclose/]
  ])('adfa count --protocol %s %j is refused by name', async (name, args, message) => {
    const {code, stderr} = await count(north, folder.at(`${name}.json`), 'bad.tables', ...args)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
    expect(folder.names()).not.toContain('bad.tables')
  })

  test('adfa merge refuses counts and tables of another protocol, and says which', async () => {
    await adfaDone(
      'protocol',
      north,
      '--anchors',
      anchors,
      '--max-order',
      '2',
      '--name',
      'other',
      '-o',
      folder.at('o.json')
    )
    await counted(south, folder.at('o.json'), 'o.tables', '--site', 'South')
    const mixed = await adfa('merge', folder.at('n.tables'), folder.at('o.tables'), '-o', folder.at('bad.tables'))
    expect(mixed.stderr).toMatch(/differ in their protocol \("study" [-0-9a-f]{19}, "other" [-0-9a-f]{19}\)/)
    await adfaDone('count', north, '--like', folder.at('n.counts'), '-o', folder.at('like.counts'))
    const free = await adfa('merge', folder.at('n.counts'), folder.at('like.counts'), '-o', folder.at('bad.counts'))
    expect(free.stderr).toMatch(/differ in their protocol \("whole" [-0-9a-f]{19}, none\)/)
    expect(folder.names().filter(name => name.startsWith('bad'))).toEqual([])
  })

  test('adfa count --protocol refuses a protocol that was edited, and notes a field that the site does not have', async () => {
    folder.write('edited.json', folder.text('tables.json').replace('"minCell": 4', '"minCell": 1'))
    expect((await count(north, folder.at('edited.json'), 'bad.tables')).stderr).toMatch(
      /edited.json: it was changed after/
    )
    const bodiless = folder.write(
      'bodiless.jsonl',
      questions.map(({id, title}) => ({id, title}))
    )
    expect((await count(bodiless, tables, 'b.tables', '--site', 'B')).stderr).toMatch(
      /no document has the field "text"/
    )
  })
})

describe('the audit', () => {
  test('adfa count tells the site which anchors were left out, on the screen and not in the file', async () => {
    const more = folder.write(
      'more.json',
      JSON.stringify({python: 'title:python', 'c#': 'title:c#', none: 'title:nowhere'})
    )
    const args = ['--anchors', more, '--skip-bad-anchors', '--max-order', '2', '-o', folder.at('left.tables')]
    const {stderr} = await adfa('count', north, ...args)
    expect(stderr).toContain('left out: concept "none"')
    expect(folder.text('left.tables')).not.toContain('none')
    expect(folder.text('left.tables.audit.txt')).not.toContain('"none"')
  })

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

test('adfa protocol and adfa noise refuse to write a concept whose name an anchors file would refuse', async () => {
  const priced = questions.map((row, at) =>
    at % 3 > 0 ? row : {...row, title: `$cost ${row.title}`, tags: [...row.tags, '$cost']}
  )
  const docs = folder.write('priced.jsonl', priced)
  const tags = ['--anchors-from-tags', 'title', '--skip-bad-anchors']
  for (const command of ['protocol', 'noise']) {
    const to = `priced-${command}.json`
    const {code, stderr} = await adfa(command, docs, ...tags, '-o', folder.at(to))
    expect({command, code, stderr}).toEqual({command, code: 1, stderr: expect.stringContaining('concept "$cost"')})
    expect(stderr).toMatch(/names that begin with "\$" are reserved; rename the concept or tag/)
    expect(folder.names()).not.toContain(to)
  }
})
