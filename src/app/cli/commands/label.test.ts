import {describe, expect, it} from 'vitest'
import {hashedKey} from '../../../read/data/index.ts'
import {withTable} from '../../../read/files/index.ts'
import {adfa, adfaDone, adfaJson, refused, testFolder} from '../test-run.ts'
import {hasTerminal, startInTerminal} from '../test-terminal.ts'

const folder = testFolder()
/** Fever and cough; the words of one tell nothing of the other. Every fifth document has no id but its content. */
const rows = Array.from({length: 120}, (_, n) => {
  const tags = [...(n % 2 === 0 ? ['fever'] : []), ...(n % 3 === 0 ? ['cough'] : [])]
  const text = [
    `visit ${n}:`,
    ...(n % 4 === 0 ? ['fever'] : []),
    ...(n % 6 === 0 ? ['cough'] : []),
    ...tags.map(t => `${t}y`)
  ]
  return {...(n % 5 === 0 ? {} : {id: n}), text: text.join(' '), tags}
})
const docs = folder.write('docs.jsonl', rows)
const anchors = folder.write('anchors.json', '{"fever": "fever", "cough": ["text:cough"]}')
const input = ['label', docs, '--anchors', anchors]
const contentOf = ({text}: {text: string}) => JSON.stringify([[['text', text]], []])
const keyOf = (row: {id?: number; text: string}) => String(row.id ?? hashedKey(contentOf(row)))
const truths = new Map(rows.map(row => [keyOf(row), row.tags]))

describe('adfa label with a spreadsheet', () => {
  it('adfa label --sheet, filled in, --from-sheet gives labels that are the truth, and the rates of it', async () => {
    const sheet = folder.at('sheet.csv')
    expect(await adfaDone`${input} --sheet ${sheet} --documents 50 --anchored 2`).toMatch(
      /^50 documents and 4 short questions in .*sheet\.csv\n {2}concepts .*--from-sheet .*sheet\.csv\n$/s
    )
    const [header, ...records] = folder.text('sheet.csv').trimEnd().split('\r\n')
    expect(header).toBe('\ufeffid,drawn,done,[text],fever,cough')
    const filled = records.map(record => {
      const [id, drawn, , text, ...marks] = record.split(',')
      const tags = rows.find(row => row.text === text)?.tags ?? []
      const answers = marks.map((mark, i) => mark || (tags.includes(['fever', 'cough'][i]) ? 'x' : ''))
      return [id, drawn, 'x', text, ...answers]
    })
    // As a program of a country with decimal commas saves it.
    const saved = [header.replace('\ufeff', '').split(','), ...filled].map(cells => `${cells.join(';')}\r\n`).join('')
    const from = ['--from-sheet', folder.write('filled.csv', saved), '-o', folder.at('sheet.jsonl')]
    const result = await adfaJson`${input} ${from}`
    const read = folder.rows('sheet.jsonl')
    expect(read).toHaveLength(records.length)
    for (const {id, labels} of read)
      for (const [concept, truth] of Object.entries(labels))
        expect(truth).toBe(truths.get(String(id))?.includes(concept))
    expect(result).toMatchObject({documents: 50, shortAnswers: read.length - 50, skipped: 0})
    await adfaDone`${input} ${from}`
    expect(folder.rows('sheet.jsonl')).toEqual(read)
  })

  it('the labels of documents without ids hold a hash, not the text; the documents are found again by it', async () => {
    const unnamed = folder.rows('sheet.jsonl').filter(({id}) => typeof id === 'string')
    expect(unnamed.length).toBeGreaterThan(5)
    const hashed = {id: expect.stringMatching(/^row:[0-9a-f]{16}$/), idFrom: 'hash of the row'}
    for (const line of unnamed) expect(line).toMatchObject(hashed)
    expect(folder.text('sheet.jsonl')).not.toMatch(/visit/)
    const labels = ['--anchors', anchors, '--labels', folder.at('sheet.jsonl'), '-o', folder.at('t.counts')]
    const labelled = async (path: string) => {
      await adfaDone`count ${path} ${labels}`
      return folder.counts('t.counts').labelled.reduce((sum, cell) => sum + cell, 0)
    }
    // A copy is the same document: both count.
    const copy = rows.find(row => keyOf(row) === unnamed[0].id) ?? {}
    const twice = folder.write('twice.jsonl', [...rows, copy])
    expect(await labelled(twice)).toBe((await labelled(docs)) + Object.keys(unnamed[0].labels).length)
    // Older sheets have the content as id; they are read, and written with the hash.
    const contents = new Map(rows.map(row => [keyOf(row), contentOf(row)]))
    const old = folder
      .rows('sheet.jsonl')
      .map(({idFrom, ...line}) => (idFrom === undefined ? line : {...line, id: contents.get(line.id)}))
    const answers = ['--from-sheet', folder.at('filled.csv'), '-o', folder.write('old.jsonl', old)]
    await adfaDone`${input} ${answers}`
    expect(folder.rows('old.jsonl')).toEqual(folder.rows('sheet.jsonl'))
  })

  it('adfa label --sheet -o leaves out what is answered already', async () => {
    const labels = folder.write('some.jsonl', [
      {id: 1, labels: {fever: false, cough: false}, drawn: 'random'},
      {id: 2, labels: {fever: true, cough: false}, drawn: 'random'}
    ])
    await adfaDone`${input} --documents 120 --anchored 0 --sheet ${folder.at('rest.csv')} -o ${labels}`
    expect(folder.text('rest.csv').trimEnd().split('\r\n')).toHaveLength(1 + 118)
    // Also when the answered documents are not among those drawn now.
    const few = await adfaDone`${input} --documents 1 --anchored 0 --sheet ${folder.at('few.csv')} -o ${labels}`
    expect(few).toContain('1 document and 0 short questions')
  })

  it('adfa label --from-sheet says what it did not read, and how many more documents to label', async () => {
    const records = rows.flatMap(({id}) => (id === undefined ? [] : [`${id},random,x,,,\n`])).slice(0, 5)
    const sheet = folder.write('more.csv', `id,drawn,done,fever,cough,remark\n${records.join('')}11,random,,,,hm\n`)
    const said = (documents: string) =>
      adfa`${input} --documents ${documents} --from-sheet ${sheet} -o ${folder.at(`more-${documents}.jsonl`)}`
    const {code, stdout, stderr} = await said('120')
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('95 more to go to 100, the least for reliable rates; up')
    ])
    expect(stderr).toContain('ignored unknown columns: remark')
    expect(stderr).toContain('1 line of the sheet not answered yet')
    expect(folder.rows('more-120.jsonl')[0]).toEqual({id: 1, labels: {fever: false, cough: false}, drawn: 'random'})
    expect((await said('50')).stdout).toContain('\n45 more to go; run')
  })

  it('adfa label --sheet never writes over answers, nor over another file, unless told to', async () => {
    const write = ['--sheet', folder.at('kept.csv'), '--documents', '3', '--anchored', '1']
    await adfaDone`${input} ${write}`
    // Nobody has answered yet.
    await adfaDone`${input} ${write}`
    const filled = folder.text('kept.csv').replace(/,random,,/, ',random,x,')
    folder.write('kept.csv', filled)
    expect(await adfa`${input} ${write}`).toEqual(
      refused(2, /kept\.csv exists and has 1 finished line; read .* with --from-sheet .*kept\.csv, or .*--force/)
    )
    expect(folder.text('kept.csv')).toBe(filled)
    await adfaDone`${input} ${write} --force`
    expect(folder.text('kept.csv')).not.toBe(filled)
    const mine = folder.write('mine.csv', 'id,text\n1,note\n')
    expect(await adfa`${input} --sheet ${mine}`).toEqual(refused(2, /mine.csv exists and is not a sheet of adfa label/))
    expect(folder.text('mine.csv')).toBe('id,text\n1,note\n')
  })

  it('adfa label --sheet sheet.xlsx is a workbook, which --from-sheet reads', async () => {
    const sheet = folder.at('sheet.xlsx')
    await adfaDone`${input} --sheet ${sheet} --documents 4 --anchored 1`
    const {code, stderr} = await adfa`${input} --from-sheet ${sheet} -o ${folder.at('xlsx.jsonl')}`
    expect([code, stderr]).toEqual([0, expect.stringMatching(/6 lines of the sheet not answered yet/)])
    const columns = ['id', 'drawn', 'done', '[text]', 'fever', 'cough'].map(name => ({name, kind: 'text' as const}))
    await withTable(sheet, 'xlsx', {columns}, table => table.row(['1', 'random', 'x', 'a', 'x', '']))
    await adfaDone`${input} --from-sheet ${sheet} -o ${folder.at('xlsx.jsonl')}`
    expect(folder.rows('xlsx.jsonl')).toMatchObject([{labels: {fever: true, cough: false}}])
  })
})

describe('adfa label', () => {
  it.each([
    ['', /adfa label needs a terminal; .*--sheet sheet\.csv writes the questions/, 2],
    ['--sheet a.csv --from-sheet b.csv', /give one of them/, 2],
    ['--from-sheet nowhere.csv', /nowhere\.csv/, 1],
    ['--enough 1', /It must be a number above 1/, 2],
    ['--documents 0', /whole number above 0/, 2],
    ['--sheet a.ods', /\.ods cannot be written/, 2],
    ['--sheet a.parquet', /a sheet to fill in is \.xlsx, \.csv or \.tsv/, 2],
    ['--force', /add --sheet/, 2]
  ] as const)('adfa label %s is refused', async (args, message, code) => {
    expect(await adfa`${input} -o ${folder.at('none.jsonl')} ${args.split(' ').filter(Boolean)}`).toEqual(
      refused(code, message)
    )
    expect(folder.names()).not.toContain('none.jsonl')
  })

  it('adfa label without -o, to standard output, and of counts is refused', async () => {
    expect(await adfa(...input)).toEqual(refused(2, /name the labels file to write with -o FILE/))
    expect(await adfa`${input} -o -`).toEqual(refused(2, /which needs a file/))
    const counts = folder.at('docs.counts')
    await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
    expect(await adfa`label ${counts} --sheet ${folder.at('x.csv')}`).toEqual(refused(2, /counts hold no documents to/))
  })

  it('adfa label leaves a labels file alone that is damaged, or of other documents and concepts', async () => {
    const sheet = folder.write('ok.csv', 'id,drawn,done,fever,cough\n1,random,x,,\n')
    const good = '{"id":1,"labels":{"fever":true,"cough":false},"drawn":"random"}'
    for (const [text, message] of [
      [`${good}\n{"id":2,"lab`, /broken\.jsonl:2: not valid JSON/],
      ['{"id":2,"labels":{"flu":true},"drawn":"random"}\n', /label for "flu", which is not a concept here/],
      [`${good.replace('1', '999')}\n`, /"999" is not among the documents/]
    ] as const) {
      const labels = folder.write('broken.jsonl', text)
      expect(await adfa`${input} --from-sheet ${sheet} -o ${labels}`).toEqual(refused(1, message))
      expect(folder.text('broken.jsonl')).toBe(text)
    }
  })
})

describe.skipIf(!hasTerminal).concurrent('adfa label in a terminal', () => {
  const [TICK, DOWN, UP, DONE] = [' ', '\x1b[B', '\x1b[A', '\r']
  const [undo, stop] = [UP + UP + TICK + DONE, UP + TICK + DONE]

  it('labels, takes back, is killed in the middle, goes on, and nothing is lost', async ({expect, onTestFinished}) => {
    const labels = folder.at('killed.jsonl')
    const args = [...input, '--documents', '12', '--anchored', '1', '-o', labels]
    /** Types and waits for the next question. */
    const go = async (run: Awaited<ReturnType<typeof startInTerminal>>, keys: string, labelled: number) => {
      run.type(keys)
      await run.shows(new RegExp(` ${labelled} labelled of 12 documents`))
      await run.shows(/Which concepts/)
    }
    const first = startInTerminal(args, onTestFinished)
    await go(first, '', 0)
    await go(first, TICK + DONE, 1)
    await go(first, DOWN + TICK + DONE, 2)
    await go(first, TICK + DONE, 3)
    await go(first, undo, 2)
    const saved = folder.text('killed.jsonl')
    first.kill('SIGKILL')
    await first.ended()
    expect(folder.text('killed.jsonl')).toBe(saved)
    expect(folder.rows('killed.jsonl').map(({labels}) => labels.cough)[1]).toBe(true)

    const second = startInTerminal(args, onTestFinished)
    await second.shows(/continuing after 2 answers/)
    await go(second, '', 2)
    await go(second, undo, 1)
    await go(second, DONE, 2)
    second.type(stop)
    await second.shows(/2 documents labelled in .*killed\.jsonl/)
    expect(await second.ended()).toBe(0)
    expect(folder.text('killed.jsonl')).toBe(saved)
    expect(folder.names().filter(name => name.startsWith('.'))).toEqual([])
  })

  it.for([
    ['Ctrl-C', /adfa: stopped; every answer is saved: run the same command to continue/, 1],
    ['SIGTERM', /adfa: interrupted; no partial files were left/, 143]
  ] as const)(
    'gives the terminal back as it was on %s, with all answers saved',
    async ([end, words, code], {expect, onTestFinished}) => {
      const [before, after, name] = [`before-${end}`, `after-${end}`, `${end}.jsonl`]
      const run = startInTerminal([...input, '-o', folder.at(name)], onTestFinished, {
        before: `stty -a > ${folder.at(before)}`,
        after: `stty -a > ${folder.at(after)}`
      })
      await run.shows(/ 0 labelled of 100-120 documents/)
      await run.shows(/Which concepts/)
      run.type(TICK + DONE)
      await run.shows(/ 1 labelled of 100-120 documents/)
      await run.shows(/Which concepts/)
      if (end === 'SIGTERM') run.kill('SIGTERM')
      else run.type('\x03')
      await run.shows(words)
      expect(await run.ended()).toBe(code)
      expect(folder.text(after)).toBe(folder.text(before))
      expect(folder.rows(name)).toHaveLength(1)
    }
  )
})
