import {describe, expect, test} from 'vitest'
import {rng} from '../../../base/numeric/index.ts'
import {csvText} from '../../../base/text/index.ts'
import {withTable} from '../../../read/files/index.ts'
import {conceptNames} from '../init/concepts.ts'
import {adfaIn, type CommandLine, refused, testFolder} from '../test-run.ts'
import {hasTerminal, startInTerminal} from '../test-terminal.ts'

const folder = testFolder()
const random = rng(3)
const pick = (items: readonly string[]) => items[Math.floor(items.length * random.next())]
const said =
  'smells of alcohol,alcohol on board,denies alcohol,no alcohol today,chest pain since noon,headache,sore throat,rash'
const rows = Array.from({length: 300}, (_, at) => [
  `v${at}`,
  `${pick(said.split(','))}, seen by nurse ${pick(['early', 'late', 'soon'])}, ${pick(['stable', 'alert', 'awake'])}`,
  pick(['f', 'm']),
  Math.floor(20 + 60 * random.next()),
  pick(['pain; rash', 'pain', 'rash; other'])
])
folder.write('notes.csv', csvText([['visit', 'note', 'sex', 'age', 'codes'], ...rows]))

const inFolder = (...line: CommandLine) => adfaIn(folder.path, ...line)
const init = (...args: readonly string[]) => inFolder`init notes.csv --yes ${args}`

/** Writes a table of the notes with further columns. */
function table(name: string, columns: readonly string[], cells: (at: number) => readonly string[]): void {
  const lines = rows.map(([visit, note], at) => [visit, note, ...cells(at)])
  folder.write(name, csvText([['visit', 'note', ...columns], ...lines]))
}

describe('adfa init', () => {
  test('writes a project and anchors for the concepts, and says what it guessed', async () => {
    const {code, stdout, stderr} = await init('--concepts', 'alcohol, chest pain, syncope')
    expect([code, stderr]).toEqual([0, ''])
    const guessed = {id: 'visit', text: ['note'], category: ['sex'], number: ['age:10'], tags: 'codes'}
    expect(folder.json('adfa.json')).toMatchObject({
      ...{format: 'adfa-project', documents: ['notes.csv'], anchors: 'anchors.json'},
      read: {...guessed, tagSeparator: ';', negation: true}
    })
    expect(folder.json('anchors.json')).toEqual({alcohol: 'alcohol', 'chest pain': 'chest pain'})
    expect(stdout).toMatch(/^ {2}note +text +/m)
    expect(stdout).toMatch(/^ {2}alcohol: alcohol \d+\n {4}".*alcohol.*"/m)
    expect(stdout).toMatch(/\d+ of \d+ hits of "alcohol" are negated, such as ".*(denies|no) alcohol/)
    expect(stdout).toMatch(/left out: "syncope" \('syncope' never occurs.*\n\nwrote .*\nnext: adfa run\n$/)
  })

  test('replaces nothing unless it is told to', async () => {
    const before = folder.text('anchors.json')
    expect(await init('--concepts', 'rash')).toEqual(refused(2, /^adfa: adfa\.json exists already; .* --force/))
    const other = ['-o', 'other.json']
    expect(await init('--concepts', 'rash', ...other)).toEqual(refused(2, /^adfa: anchors\.json exists already/))
    expect(await init(...other)).toMatchObject({code: 0, stderr: 'anchors.json exists and is used as it is\n'})
    expect(folder.text('anchors.json')).toBe(before)
    expect((await init('--concepts', 'rash', '--force')).code).toBe(0)
    expect(folder.json('anchors.json')).toEqual({rash: 'rash'})
  })

  test.each(['alcohol; chest pain;', 'alcohol，chest pain', 'alcohol\nchest pain\r\n'])(
    'takes the concepts in %j',
    names => {
      expect(conceptNames(names)).toEqual(['alcohol', 'chest pain'])
    }
  )

  test('takes the most frequent tags as concepts, and otherwise writes a template that adfa run explains', async () => {
    await init('--force')
    expect(folder.json('anchors.json')).toEqual({pain: 'pain', rash: 'rash'})
    await init('--force', '--column', 'codes=skip')
    const template = {$comment: expect.any(String), 'name of a concept': ['word', 'another word']}
    expect(folder.json('anchors.json')).toMatchObject(template)
    expect(await inFolder`run --quiet`).toEqual(
      refused(1, /concept "name of a concept": anchor 'word', 'another word' does not occur/)
    )
    expect(folder.names()).not.toContain('model.json')
  })

  test('reads a list that names concepts as tags, not as evidence, and says how to change it', async () => {
    const cells = ['Chest pain|Rash', 'rash', 'Alcohol|other', 'alcohol|rash']
    table('findings.csv', ['findings'], at => [cells[at % cells.length]])
    const start = '--yes --force --json -o named.json --anchors named-a.json'.split(' ')
    const role = async (...args: readonly string[]) => {
      const {stdout, stderr} = await inFolder`init findings.csv ${start} --concepts ${args}`
      return [JSON.parse(stdout).columns.find(({name}: {name: string}) => name === 'findings').role, stderr]
    }
    const named = await role('alcohol, chest pain')
    expect(named).toEqual(['tags', expect.stringContaining('--column "findings=list"')])
    expect((await role('alcohol, fall'))[0]).toBe('list')
    expect((await role('alcohol, chest pain', '--column', 'findings=list'))[0]).toBe('list')
  })

  test('spells concepts as the tags that are equal but for letter case, and adfa run stops where no tag is a concept', async () => {
    table('visits.csv', ['tags'], at => [at % 2 === 0 ? 'Alcohol|Rash' : 'RASH|other'])
    const files = '--yes --force -o cased.json --anchors cased-a.json'.split(' ')
    const made = async (names: string) => {
      const {stdout} = await inFolder`init visits.csv --concepts ${names} ${files}`
      return [Object.keys(folder.json('cased-a.json')), stdout.includes('spelled as the tags')]
    }
    expect(await made('alcohol,chest pain')).toEqual([['Alcohol', 'chest pain'], true])
    expect(await made('chest pain')).toEqual([['chest pain'], false])
    expect(await inFolder`run --project cased.json`).toEqual(refused(1, /'RASH'.*'chest pain'.*--label-share 0/))
  })

  test.each([
    [['--column', 'ages=skip'], /there is no column "ages"; .*did you mean "age"\?/],
    [['--column', 'age=nubmer'], /a column is read as id, .*, not "nubmer"; did you mean "number"\?/],
    [['--column', 'age'], /"age" is no change of a column; write COLUMN=ROLE/],
    [['--column', 'note=number'], /the column "note" has values that are not numbers/],
    [['--concepts', 'zebra, yeti'], /no concept has words for an anchor: "zebra" \('zebra' never occurs\) and "yeti"/],
    [['--concepts', 'rash, rash'], /the concept "rash" is named twice/]
  ])('refuses %j, and writes nothing', async (args, message) => {
    const {code, stdout, stderr} = await init('-o', 'none.json', '--anchors', 'none-anchors.json', ...args)
    expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)])
    expect(folder.names().filter(name => name.startsWith('none'))).toEqual([])
  })

  test('reads a sheet of a workbook in an encoding, keeps both in the project, and gives JSON', async () => {
    const layout = {columns: ['visit', 'note'].map(name => ({name, kind: 'text' as const})), dialect: undefined}
    await withTable(folder.at('book.xlsx'), 'xlsx', layout, async ({row}) => {
      for (const [id, note] of rows) await row([String(id), String(note)])
    })
    const book = 'init book.xlsx --yes -o book.json --anchors book-anchors.json --concepts rash --json'.split(' ')
    const wrong = await inFolder`${book} --worksheet Reports`
    expect(wrong).toEqual(refused(1, /there is no sheet "Reports"; it has (\S+)/))
    const [, sheet] = /it has (\S+)/.exec(wrong.stderr) ?? []
    const {stdout} = await inFolder`${book} --worksheet ${sheet} --encoding utf-8`
    expect(JSON.parse(stdout)).toMatchObject({columns: expect.any(Array), concepts: [{concept: 'rash'}]})
    expect(folder.json('book.json')).toMatchObject({read: {worksheet: sheet, encoding: 'utf-8'}})
  })

  test('takes no numbers for words, tells of tags that adfa wrote and of numbers that may mean two things, and needs files', async () => {
    folder.write('notes.svm', rows.map((_, at) => `${at % 2 ? 'fall' : 'rash'} ${10 + (at % 5)}:1\n`).join(''))
    const start = '--yes --force -o new.json --anchors new-anchors.json'.split(' ')
    await inFolder`init notes.svm ${start}`
    expect(folder.json('new-anchors.json')).toHaveProperty('name of a concept')
    expect(await inFolder`init - ${start}`).toEqual(refused(2, /so init needs some: save standard input/))
    table('done.csv', ['weight', 'tags', 'rash', 'fall'], at => [`1${at % 90}.000`, 'rash', '0.25', '0.75'])
    const {stdout, stderr} = await inFolder`init done.csv ${start} --concepts rash`
    expect(stdout.match(/left out: predicted by adfa/g)).toHaveLength(2)
    expect(stderr).toMatch(/adfa has tagged these documents.*"weight": 10\.000 is read as 10, though/s)
  })

  test.skipIf(!hasTerminal)('asks in a terminal: Enter accepts, and answers change it', async ({onTestFinished}) => {
    const files = ['-o', folder.at('asked.json'), '--anchors', folder.at('asked-anchors.json')]
    const terminal = startInTerminal(['init', folder.at('notes.csv'), ...files], onTestFinished)
    await terminal.shows(/Enter accepts\. To change a column/)
    terminal.type('age=skip\r')
    await terminal.shows(/age +left out[\s\S]*To change a column/)
    terminal.type('\r')
    await terminal.shows(/Concepts to look for/)
    terminal.type('alcohol\r')
    await terminal.shows(/Words that mark alcohol/)
    terminal.type(', smells, Alcohol on Board, NOTE:stable, /rash|thro/, zebra\r')
    await terminal.shows(/"zebra" never occurs/)
    terminal.type('\x7f'.repeat(', zebra'.length))
    terminal.type('\r')
    await terminal.shows(/next: adfa run/)
    expect(await terminal.ended()).toBe(0)
    const alcohol = ['alcohol', 'smells', 'alcohol on board', 'note:stable', '/rash|thro/']
    expect(folder.json('asked-anchors.json')).toEqual({alcohol})
    expect(folder.json('asked.json')).toMatchObject({documents: ['notes.csv'], anchors: 'asked-anchors.json'})
    expect(folder.json('asked.json')).not.toHaveProperty('read.number')
  })

  test.skipIf(!hasTerminal)('writes nothing when a person leaves', async ({onTestFinished}) => {
    const terminal = startInTerminal(['init', folder.at('notes.csv'), '-o', folder.at('left.json')], onTestFinished)
    await terminal.shows(/Enter accepts/)
    terminal.type('\x03')
    expect(await terminal.ended()).toBe(1)
    expect(folder.names()).not.toContain('left.json')
  })
})

test('adfa init --votes makes the classes of columns the concepts, one per document unless tags show several', async () => {
  const votes = (at: number) => [['spam', '', 'ham'][at % 3], at % 5 ? '' : 'spam']
  table('votes.csv', ['a', 'link'], votes)
  const start = 'init votes.csv --yes --force --votes a,link'.split(' ')
  const {stdout} = await inFolder(...start)
  expect(stdout).toMatch(/exactly one of 'ham', 'spam' .*wrote .* and anchors\.json/s)
  expect(folder.json('adfa.json')).toMatchObject({read: {votes: ['a', 'link']}, anchors: 'anchors.json'})
  expect(folder.json('anchors.json')).toEqual({$exclusive: [['ham', 'spam']]})
  const run = await inFolder`run`
  const counts = [...run.stdout.matchAll(/^ {2}(?:ham|spam) +\d+ +unknown +(\d+) /gm)].map(([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length)
  table('votes.csv', ['a', 'link', 'tags'], at => [...votes(at), 'ham|spam'])
  expect((await inFolder(...start)).stdout).toMatch(/wrote adfa\.json\n/)
  expect(folder.json('adfa.json')).not.toHaveProperty('anchors')
})
