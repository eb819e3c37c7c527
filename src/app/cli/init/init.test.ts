import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {csvText} from '../../../base/text/index.ts'
import {withTable} from '../../../read/files/index.ts'
import {adfa, adfaIn, testFolder} from '../test-run.ts'
import {hasTerminal, startInTerminal} from '../test-terminal.ts'

const folder = testFolder()
const random = rng(3)
const pick = (items: readonly string[]) => items[Math.floor(items.length * random.next())]
const said = [
  'smells of alcohol',
  'alcohol on board',
  'denies alcohol',
  'no alcohol today',
  'chest pain since noon',
  'headache',
  'sore throat',
  'back pain',
  'rash'
]
const rows = Array.from({length: 300}, (_, at) => [
  `v${at}`,
  `${pick(said)}, seen by nurse ${pick(['early', 'late', 'soon'])}, ${pick(['stable', 'alert', 'awake'])}`,
  pick(['f', 'm']),
  Math.floor(20 + 60 * random.next()),
  pick(['pain; rash', 'pain', 'rash; other'])
])
folder.write('notes.csv', csvText([['visit', 'note', 'sex', 'age', 'codes'], ...rows]))

/** Run in a new folder with a copy of the notes. */
const inFolder = (...args: readonly string[]) => adfaIn(folder.path, ...args)

const init = (...args: readonly string[]) => inFolder('init', 'notes.csv', '--yes', ...args)
const json = (name: string): unknown => JSON.parse(folder.text(name))

describe('adfa init', () => {
  test('reads a list that names concepts as tags, not as evidence, and says how to change it', async () => {
    const cells = ['Chest pain|Rash', 'rash', 'Alcohol|other', 'alcohol|rash']
    const table = rows.map(([visit, note], at) => [visit, note, cells[at % cells.length]])
    folder.write('findings.csv', csvText([['visit', 'note', 'findings'], ...table]))
    const start = [
      'init',
      'findings.csv',
      '--yes',
      '--force',
      '--json',
      '-o',
      'named.json',
      '--anchors',
      'named-a.json'
    ]
    const role = async (...args: readonly string[]) => {
      const {code, stdout, stderr} = await inFolder(...start, ...args)
      expect(code).toBe(0)
      const {columns} = JSON.parse(stdout) as {columns: readonly {name: string; role: string}[]}
      return [columns.find(({name}) => name === 'findings')?.role, stderr]
    }
    const [named, note] = await role('--concepts', 'alcohol, chest pain')
    expect([named, note]).toEqual(['tags', expect.stringContaining('--column "findings=list"')])
    expect((await role('--concepts', 'alcohol, fall'))[0]).toBe('list')
    expect((await role('--concepts', 'alcohol, chest pain', '--column', 'findings=list'))[0]).toBe('list')
  })

  test('spells concepts as the tags that are equal but for letter case, and adfa run stops where no tag is a concept', async () => {
    const table = rows.map(([visit, note], at) => [visit, note, at % 2 === 0 ? 'Alcohol|Rash' : 'RASH|other'])
    folder.write('visits.csv', csvText([['visit', 'note', 'tags'], ...table]))
    const files = ['--yes', '--force', '-o', 'cased.json', '--anchors', 'cased-a.json']
    const made = async (...names: readonly string[]) => {
      const {stdout} = await inFolder('init', 'visits.csv', '--concepts', names.join(), ...files)
      return [Object.keys(JSON.parse(folder.text('cased-a.json'))), stdout.includes('spelled as the tags')]
    }
    expect(await made('alcohol', 'chest pain')).toEqual([['Alcohol', 'chest pain'], true])
    expect(await made('Alcohol', 'chest pain')).toEqual([['Alcohol', 'chest pain'], false])
    expect(await made('chest pain')).toEqual([['chest pain'], false])
    const {code, stderr} = await inFolder('run', '--project', 'cased.json')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/'RASH'.*'chest pain'.*--label-share 0/)])
  })

  test('writes a project and anchors for the concepts, and says what it guessed', async () => {
    const {code, stdout, stderr} = await init('--concepts', 'alcohol, chest pain, syncope')
    expect([code, stderr]).toEqual([0, ''])
    expect(json('adfa.json')).toMatchObject({
      format: 'adfa-project',
      documents: ['notes.csv'],
      read: {
        id: 'visit',
        text: ['note'],
        category: ['sex'],
        number: ['age:10'],
        tags: 'codes',
        tagSeparator: ';',
        negation: true
      },
      anchors: 'anchors.json'
    })
    expect(json('anchors.json')).toEqual({alcohol: 'alcohol', 'chest pain': 'chest pain'})
    expect(stdout).toMatch(/^ {2}note +text +/m)
    expect(stdout).toMatch(/^alcohol\n {2}alcohol +\d+ documents\n {4}".*alcohol.*"/m)
    expect(stdout).toMatch(/\d+ of \d+ hits of "alcohol" are negated, such as ".*(denies|no) alcohol/)
    expect(stdout).toMatch(
      /left out, since no word of their name occurs: "syncope".*\n\nwrote adfa\.json and anchors\.json \(2 of 3 concepts\)\nnext: adfa run\n$/
    )
  })

  test('replaces nothing unless it is told to', async () => {
    const before = [folder.text('adfa.json'), folder.text('anchors.json')]
    const {code, stderr} = await init('--concepts', 'rash')
    expect([code, stderr]).toEqual([
      2,
      'adfa: adfa.json exists already; replace it with --force, or name another file\n'
    ])
    const other = await init('--concepts', 'rash', '-o', 'other.json')
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/^adfa: anchors\.json exists already/)])
    expect([folder.text('adfa.json'), folder.text('anchors.json')]).toEqual(before)
    const kept = await init('-o', 'other.json')
    expect([kept.code, kept.stderr]).toEqual([0, 'anchors.json exists and is used as it is\n'])
    expect(folder.text('anchors.json')).toBe(before[1])
    expect(json('other.json')).toMatchObject({read: {negation: true}})
    expect((await init('--concepts', 'rash', '--force')).code).toBe(0)
    expect(json('anchors.json')).toEqual({rash: 'rash'})
  })

  test.each(['alcohol; chest pain;', 'alcohol，chest pain', 'alcohol\nchest pain\r\n'])(
    'takes the concepts in %j',
    async names => {
      await init('--concepts', names, '--force')
      expect(json('anchors.json')).toEqual({alcohol: 'alcohol', 'chest pain': 'chest pain'})
    }
  )

  test('takes the most frequent tags as concepts, and otherwise writes a template that adfa run explains', async () => {
    await init('--force')
    expect(json('anchors.json')).toEqual({pain: 'pain', rash: 'rash'})
    await init('--force', '--column', 'codes=skip')
    expect(json('anchors.json')).toMatchObject({
      $comment: expect.stringContaining('alcohol'),
      'name of a concept': ['word', 'another word']
    })
    const {code, stderr} = await inFolder('run', '--quiet')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/concept "name of a concept": anchor 'word', 'another word' does not occur/)
    ])
    expect(folder.names()).not.toContain('model.json')
  })

  test.each([
    [['--column', 'ages=skip'], /there is no column "ages"; .*did you mean "age"\?/],
    [['--column', 'age=nubmer'], /a column is read as id, .*, not "nubmer"; did you mean "number"\?/],
    [['--column', 'age'], /"age" is no change of a column; write COLUMN=ROLE/],
    [['--column', 'note=number'], /the column "note" has values that are not numbers/],
    [['--concepts', 'zebra, yeti'], /none of the concepts is named in the documents: "zebra" and "yeti"/],
    [['--concepts', 'rash, rash'], /the concept "rash" is named twice/]
  ])('refuses %j, and writes nothing', async (args, message) => {
    const {code, stdout, stderr} = await init('-o', 'none.json', '--anchors', 'none-anchors.json', ...args)
    expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)])
    expect(folder.names().filter(name => name.startsWith('none'))).toEqual([])
  })

  test('proposes a word that most documents have only negated', async () => {
    const mostly = rows.map(([id, note], at) => [id, `${at % 5 === 0 ? 'large' : 'no'} effusion today, ${note}`])
    folder.write('reports.csv', csvText([['visit', 'note'], ...mostly]))
    const files = ['-o', 'reports.json', '--anchors', 'reports-anchors.json']
    const {stdout} = await inFolder('init', 'reports.csv', '--concepts', 'effusion', '--yes', ...files)
    expect(stdout).toMatch(/^effusion\n {2}effusion +60 documents$/m)
    expect(stdout).toMatch(/^240 of 300 hits of "effusion" are negated/m)
    expect(json('reports-anchors.json')).toEqual({effusion: 'effusion'})
  })

  test('reads a sheet of a workbook in an encoding, and keeps both in the project', async () => {
    const layout = {columns: ['visit', 'note'].map(name => ({name, kind: 'text' as const})), dialect: undefined}
    await withTable(folder.at('book.xlsx'), 'xlsx', layout, async ({row}) => {
      for (const [id, note] of rows) await row([String(id), String(note)])
    })
    const book = (...args: readonly string[]) =>
      inFolder('init', 'book.xlsx', '--yes', '-o', 'book.json', '--anchors', 'book-anchors.json', ...args)
    const wrong = await book('--worksheet', 'Reports', '--concepts', 'rash')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/there is no sheet "Reports"; it has (\S+)/)])
    const [, sheet] = /it has (\S+)/.exec(wrong.stderr) ?? []
    expect((await book('--worksheet', sheet, '--encoding', 'utf-8', '--concepts', 'rash')).code).toBe(0)
    expect(json('book.json')).toMatchObject({read: {worksheet: sheet, encoding: 'utf-8'}})
  })

  test('names the files beside the project file, and gives JSON', async () => {
    const {stdout} = await adfa(
      ...['init', folder.at('notes.csv'), '--yes', '--json', '--concepts', 'alcohol'],
      ...['-o', folder.at('sub.json'), '--anchors', folder.at('sub-anchors.json')]
    )
    expect(JSON.parse(stdout)).toMatchObject({
      columns: expect.any(Array),
      concepts: [{concept: 'alcohol'}],
      negation: true
    })
    expect(json('sub.json')).toMatchObject({documents: ['notes.csv'], anchors: 'sub-anchors.json'})
  })

  test.skipIf(!hasTerminal)(
    'asks in a terminal: Enter accepts, and a column and an anchor can be changed',
    async ({onTestFinished}) => {
      const terminal = startInTerminal(
        ['init', folder.at('notes.csv'), '-o', folder.at('asked.json'), '--anchors', folder.at('asked-anchors.json')],
        onTestFinished
      )
      await terminal.shows(/Enter accepts\. To change a column/)
      terminal.type('age=skip\r')
      await terminal.shows(/age +left out[\s\S]*To change a column/)
      terminal.type('\r')
      await terminal.shows(/Concepts to look for/)
      terminal.type('alcohol\r')
      await terminal.shows(/words to strike/)
      terminal.type('+smells, +Alcohol on Board, +NOTE:stable, +/rash|thro/, +zebra\r')
      await terminal.shows(
        /"zebra" never occurs[\s\S]*smells \(\d+ documents\), alcohol on board \(\d+ documents\), note:stable \(\d+/
      )
      terminal.type('note:stable\r')
      await terminal.shows(/board \(\d+ documents\), \/rash\|thro\/ \(\d+ documents\)/)
      terminal.type('\r')
      await terminal.shows(/next: adfa run/)
      expect(await terminal.ended()).toBe(0)
      expect(json('asked-anchors.json')).toEqual({alcohol: ['alcohol', 'smells', 'alcohol on board', '/rash|thro/']})
      expect(json('asked.json')).not.toHaveProperty('read.number')
    }
  )

  test.skipIf(!hasTerminal)('writes nothing when a person leaves', async ({onTestFinished}) => {
    const terminal = startInTerminal(['init', folder.at('notes.csv'), '-o', folder.at('left.json')], onTestFinished)
    await terminal.shows(/Enter accepts/)
    terminal.type('\x04')
    expect(await terminal.ended()).toBe(1)
    expect(folder.names()).not.toContain('left.json')
  })
})

describe('adfa init of votes', () => {
  test('--votes makes the classes of columns the concepts, one per document unless tags show several; adfa run follows', async () => {
    const read = {id: 'id', text: ['note'], votes: ['a', 'link']}
    const commented = rows.map(([, note], at) => [at, note, ['spam', '', 'ham'][at % 3], at % 5 ? '' : 'spam'])
    const header = ['id', 'note', 'a', 'link']
    folder.write('votes.csv', csvText([header, ...commented]))
    const start = ['init', 'votes.csv', '--yes', '--force', '--votes', 'a,link']
    const {code, stdout} = await inFolder(...start)
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/exactly one of 'ham', 'spam' .*wrote .* and anchors\.json/s)
    ])
    expect(json('adfa.json')).toMatchObject({read, anchors: 'anchors.json'})
    expect(json('anchors.json')).toEqual({$exclusive: [['ham', 'spam']]})
    const run = await inFolder('run')
    expect(run.stdout).toContain('their tags (by the most probable class)')
    const counts = [...run.stdout.matchAll(/^ {2}(?:ham|spam) +\d+ +unknown +(\d+) /gm)].map(([, count]) =>
      Number(count)
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
    folder.write('votes.csv', csvText([[...header, 'tags'], ...commented.map(row => [...row, 'ham|spam'])]))
    expect((await inFolder(...start)).stdout).toMatch(/wrote adfa\.json\n/)
    expect(json('adfa.json')).not.toHaveProperty('anchors')
  })
})
