import {describe, expect, it} from 'vitest'
import {countsFromBytes} from '../../../read/counts/index.ts'
import {hashedKey} from '../../../read/data/index.ts'
import {withTable} from '../../../read/files/index.ts'
import {adfa, adfaDone, adfaJson, testFolder} from '../test-run.ts'
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

interface Line {
  readonly id: string | number
  readonly idFrom?: string
  readonly labels: Record<string, boolean>
  readonly drawn: string
}

function lines(name: string): Line[] {
  return folder.rows(name) as Line[]
}

describe('adfa label with a spreadsheet', () => {
  it('adfa label --sheet, filled in, --from-sheet gives labels that are the truth, and the rates of it', async () => {
    const sheet = folder.at('sheet.csv')
    const printed = await adfaDone(...input, '--sheet', sheet, '--documents', '50', '--anchored', '2')
    expect(printed).toMatch(
      /^50 documents and 4 short questions in .*sheet\.csv\n {2}concepts .*--from-sheet .*sheet\.csv\n$/s
    )
    const [header, ...records] = folder.text('sheet.csv').trimEnd().split('\r\n')
    expect(header).toBe('\ufeffid,drawn,done,[text],fever,cough')
    const filled = records.map(record => {
      const [id, drawn, , text, ...marks] = record.split(',')
      const tags = rows.find(row => row.text === text)?.tags ?? []
      return [
        id,
        drawn,
        'x',
        text,
        ...marks.map((mark, i) => mark || (tags.includes(['fever', 'cough'][i]) ? 'x' : ''))
      ]
    })
    // As a program of a country with decimal commas saves it.
    const saved = [header.replace('\ufeff', '').split(','), ...filled].map(cells => `${cells.join(';')}\r\n`).join('')
    folder.write('filled.csv', saved)
    const from = ['--from-sheet', folder.at('filled.csv'), '-o', folder.at('sheet.jsonl')]
    const result = await adfaJson(...input, ...from)
    const read = lines('sheet.jsonl')
    expect(read).toHaveLength(records.length)
    for (const {id, labels} of read)
      for (const [concept, truth] of Object.entries(labels))
        expect(truth).toBe(truths.get(String(id))?.includes(concept))
    expect(read.some(({id}) => typeof id === 'number') && read.some(({id}) => typeof id === 'string')).toBe(true)
    expect(result).toMatchObject({documents: 50, shortAnswers: read.length - 50, skipped: 0})
    const again = await adfa(...input, ...from)
    expect(again.code).toBe(0)
    expect(lines('sheet.jsonl')).toEqual(read)
  })

  it('the labels of documents without ids hold a hash, not the text; the documents are found again by it', async () => {
    const unnamed = lines('sheet.jsonl').filter(({id}) => typeof id === 'string')
    expect(unnamed.length).toBeGreaterThan(5)
    for (const {id, idFrom} of unnamed) {
      expect(id).toMatch(/^row:[0-9a-f]{16}$/)
      expect(idFrom).toBe('hash of the row')
    }
    expect(folder.text('sheet.jsonl')).not.toMatch(/visit/)
    const counted = async (labels: string) => {
      const args = ['--anchors', anchors, '--labels', labels, '-o', folder.at('labelled.counts')]
      await adfaDone('count', docs, ...args, '--quiet')
      return folder.bytes('labelled.counts')
    }
    const expected = await counted(folder.at('sheet.jsonl'))
    // A copy is the same document: both count.
    const copy = rows.find(row => keyOf(row) === unnamed[0].id)
    folder.write('twice.jsonl', [...rows, copy ?? {}])
    const labelled = async (path: string) => {
      await adfaDone(
        'count',
        path,
        '--anchors',
        anchors,
        '--labels',
        folder.at('sheet.jsonl'),
        '-o',
        folder.at('t.counts')
      )
      return countsFromBytes(folder.bytes('t.counts'), 't').labelled.reduce((sum, cell) => sum + cell, 0)
    }
    const concepts = Object.keys(unnamed[0].labels).length
    expect(await labelled(folder.at('twice.jsonl'))).toBe((await labelled(docs)) + concepts)
    // Older files have the content as id; they are read, and written with the hash.
    const contents = new Map(rows.map(row => [keyOf(row), contentOf(row)]))
    const old = lines('sheet.jsonl').map(({idFrom, ...line}) =>
      idFrom === undefined ? line : {...line, id: contents.get(String(line.id))}
    )
    expect(await counted(folder.write('old.jsonl', old))).toEqual(expected)
    await adfaDone(...input, '--from-sheet', folder.at('filled.csv'), '-o', folder.at('old.jsonl'), '--quiet')
    expect(folder.rows('old.jsonl')).toEqual(folder.rows('sheet.jsonl'))
    const sheet = folder.text('filled.csv').replaceAll('row:', 'content ')
    const from = ['--from-sheet', folder.write('old.csv', sheet), '-o', folder.at('from-old.jsonl')]
    await adfaDone(...input, ...from, '--quiet')
    expect(folder.text('from-old.jsonl')).toBe(folder.text('sheet.jsonl'))
  })

  it('adfa label --sheet -o leaves out what is answered already', async () => {
    const labels = folder.write('some.jsonl', [
      {id: 1, labels: {fever: false, cough: false}, drawn: 'random'},
      {id: 2, labels: {fever: true, cough: false}, drawn: 'random'}
    ])
    await adfaDone(...input, '--documents', '120', '--anchored', '0', '--sheet', folder.at('rest.csv'), '-o', labels)
    const records = folder.text('rest.csv').trimEnd().split('\r\n')
    expect(records).toHaveLength(1 + 118)
    expect(lines('some.jsonl')).toHaveLength(2)
    // Also when the answered documents are not among those drawn now.
    const few = await adfaDone(
      ...input,
      '--documents',
      '1',
      '--anchored',
      '0',
      '--sheet',
      folder.at('few.csv'),
      '-o',
      labels
    )
    expect(few).toContain('1 document and 0 short questions')
  })

  it('adfa label says how many more documents to label: first up to 100, then at most up to --documents', async () => {
    const some = (count: number) =>
      folder.write(
        'more.csv',
        `id,drawn,done,fever,cough\n${rows
          .flatMap(({id}) => (id === undefined ? [] : [`${id},random,x,,\n`]))
          .slice(0, count)
          .join('')}`
      )
    const said = async (count: number, documents: number) =>
      adfaDone(
        ...input,
        '--documents',
        `${documents}`,
        '--from-sheet',
        some(count),
        '-o',
        folder.at(`more-${count}.jsonl`)
      )
    expect(await said(4, 120)).toContain('96 more to go to 100, the least for reliable rates; up to 120 where')
    expect(await said(5, 50)).toContain('\n45 more to go; run')
  })

  it('adfa label --sheet never writes over answers, nor over another file, unless told to', async () => {
    const sheet = folder.at('kept.csv')
    const write = () => adfa(...input, '--sheet', sheet, '--documents', '3', '--anchored', '1')
    expect((await write()).code).toBe(0)
    // Nobody has answered yet.
    expect((await write()).code).toBe(0)
    const [header, first, second, ...rest] = folder.text('kept.csv').split('\r\n')
    const filled = [header, first.replace(/,random,,/, ',random,x,'), second.replace(/,$/, ',x'), ...rest].join('\r\n')
    folder.write('kept.csv', filled)
    const refused = await write()
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /kept\.csv exists and has 2 finished lines; read them with --from-sheet .*kept\.csv, or .*--force/
      )
    ])
    expect(folder.text('kept.csv')).toBe(filled)
    await adfaDone(...input, '--sheet', sheet, '--documents', '3', '--anchored', '1', '--force')
    expect(folder.text('kept.csv')).not.toBe(filled)
    folder.write('mine.csv', 'id,text\n1,note\n')
    const other = await adfa(...input, '--sheet', folder.at('mine.csv'))
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('mine.csv exists and is no sheet of adfa label')
    ])
    expect(folder.text('mine.csv')).toBe('id,text\n1,note\n')
  })

  it('adfa label --sheet sheet.xlsx is a workbook, which --from-sheet reads', async () => {
    const sheet = folder.at('sheet.xlsx')
    await adfaDone(...input, '--sheet', sheet, '--documents', '4', '--anchored', '1')
    expect(Buffer.from(folder.bytes('sheet.xlsx')).toString('latin1', 0, 2)).toBe('PK')
    const before = await adfa(...input, '--from-sheet', sheet, '-o', folder.at('xlsx.jsonl'))
    expect([before.code, before.stderr]).toEqual([0, expect.stringMatching(/6 lines of the sheet not answered yet/)])
    const columns = ['id', 'drawn', 'done', '[text]', 'fever', 'cough'].map(name => ({name, kind: 'text' as const}))
    await withTable(sheet, 'xlsx', {columns}, async table => {
      await table.row(['1', 'random', 'x', 'a', 'x', ''])
      await table.row(['2', 'random', true, 'b', '', 1])
    })
    expect((await adfa(...input, '--sheet', sheet)).stderr).toContain('sheet.xlsx exists and has 2 finished lines')
    await adfaDone(...input, '--from-sheet', sheet, '-o', folder.at('xlsx.jsonl'))
    expect(lines('xlsx.jsonl').map(({labels}) => labels)).toEqual([
      {fever: true, cough: false},
      {fever: false, cough: true}
    ])
  })

  it('adfa label --sheet separates cells as the documents do', async () => {
    const table = rows.map((row, n) => `${n};"${row.text}; seen"\r\n`).join('')
    const semicolons = folder.write('docs.csv', `id;text\r\n${table}`)
    const sheet = ['--documents', '3', '--anchored', '0', '--anchors', anchors]
    await adfaDone('label', semicolons, ...sheet, '--sheet', folder.at('semicolons.csv'))
    expect(folder.text('semicolons.csv')).toMatch(/^\ufeffid;drawn;done;\[text\];fever;cough\r\n/)
    expect((await adfa(...input, '--sheet', folder.at('semicolons.csv'))).code).toBe(0)
    await adfaDone('label', semicolons, ...sheet, '--sheet', folder.at('tabs.tsv'))
    expect(folder.text('tabs.tsv')).toMatch(/^\ufeffid\tdrawn\tdone/)
  })

  it('adfa label --from-sheet says which lines and columns it did not read', async () => {
    const sheet = folder.write('notes.csv', 'id,drawn,done,fever,cough,remark\n1,random,x,,,hm\n2,random,,,,\n')
    const {stderr, code} = await adfa(...input, '--from-sheet', sheet, '-o', folder.at('notes.jsonl'))
    expect(code).toBe(0)
    expect(stderr).toContain('ignored unknown columns: remark')
    expect(stderr).toContain('1 line of the sheet not answered yet')
    expect(lines('notes.jsonl')).toEqual([{id: 1, labels: {fever: false, cough: false}, drawn: 'random'}])
  })
})

describe('adfa label', () => {
  it.each([
    [[], /adfa label needs a terminal; .*--sheet sheet\.csv writes the questions/, 2],
    [['--sheet', 'a.csv', '--from-sheet', 'b.csv'], /give one of them/, 2],
    [['--from-sheet', 'nowhere.csv'], /nowhere\.csv/, 1],
    [['--enough', '1'], /It must be a number above 1/, 2],
    [['--documents', '0'], /whole number above 0/, 2],
    [['--sheet', 'a.ods'], /\.ods cannot be written/, 2],
    [['--sheet', 'a.parquet'], /a sheet to fill in is \.xlsx, \.csv or \.tsv/, 2],
    [['--force'], /add --sheet/, 2]
  ])('adfa label %j is refused', async (more, message, code) => {
    const ended = await adfa(...input, '-o', folder.at('none.jsonl'), ...more)
    expect(ended.stderr).toMatch(message)
    expect(ended.code).toBe(code)
    expect(folder.names()).not.toContain('none.jsonl')
  })

  it('adfa label without -o is refused, and standard output too unless the answers are in a sheet', async () => {
    expect((await adfa(...input)).stderr).toContain('name the labels file to write with -o FILE')
    const sheet = folder.write('one.csv', 'id,drawn,done,fever,cough\n1,random,,,\n')
    expect((await adfa(...input, '-o', '-')).stderr).toContain('which needs a file')
    expect((await adfa(...input, '--from-sheet', sheet, '-o', '-')).code).toBe(0)
  })

  it('adfa label of counts is refused, for they hold no documents', async () => {
    await adfaDone('count', docs, '--anchors', anchors, '-o', folder.at('docs.counts'))
    const {stderr, code} = await adfa('label', folder.at('docs.counts'), '--sheet', folder.at('x.csv'))
    expect(stderr).toContain('counts hold no documents to read; give the documents themselves')
    expect(code).toBe(2)
  })

  it('adfa label leaves a labels file alone that is damaged, or of other documents and concepts', async () => {
    const sheet = folder.write('ok.csv', 'id,drawn,done,fever,cough\n1,random,x,,\n')
    for (const [text, message] of [
      [
        '{"id":1,"labels":{"fever":true,"cough":false},"drawn":"random"}\n{"id":2,"lab',
        /broken\.jsonl:2: not valid JSON/
      ],
      ['{"id":2,"labels":{"flu":true},"drawn":"random"}\n', /label for "flu", which is not a concept here/],
      ['{"id":999,"labels":{"fever":true,"cough":false},"drawn":"random"}\n', /"999" is not among the documents/]
    ] as const) {
      const labels = folder.write('broken.jsonl', text)
      const {stderr, code} = await adfa(...input, '--from-sheet', sheet, '-o', labels)
      expect(stderr).toMatch(message)
      expect(code).toBe(1)
      expect(folder.text('broken.jsonl')).toBe(text)
    }
  })
})

describe.skipIf(!hasTerminal).concurrent('adfa label in a terminal', () => {
  it('labels, takes back, is killed in the middle, goes on, and nothing is lost', async ({expect, onTestFinished}) => {
    const labels = folder.at('killed.jsonl')
    const args = [...input, '--documents', '12', '--anchored', '1', '-o', labels]
    const first = startInTerminal(args, onTestFinished)
    await first.shows(/ 0 of 12 documents labelled/)
    first.type('1\r')
    await first.shows(/ 1 of 12 documents labelled/)
    first.type('/cough\r\r')
    await first.shows(/ 2 of 12 documents labelled/)
    first.type('12\r')
    await first.shows(/ 3 of 12 documents labelled/)
    first.type('u')
    await first.shows(/ 2 of 12 documents labelled/)
    first.type('1')
    await first.shows(/\[x\]/)
    const saved = folder.text('killed.jsonl')
    first.kill('SIGKILL')
    await first.ended()
    expect(folder.text('killed.jsonl')).toBe(saved)
    expect(lines('killed.jsonl').map(({labels}) => labels.cough)[1]).toBe(true)

    const second = startInTerminal(args, onTestFinished)
    await second.shows(/ 2 of 12 documents labelled/)
    await second.shows(/continuing after 2 answers/)
    second.type('u')
    await second.shows(/ 1 of 12 documents labelled/)
    second.type('\rs\r')
    await second.shows(/ 3 of 11 documents labelled/)
    second.type('q')
    await second.shows(/3 documents labelled in .*killed\.jsonl, 1 skipped/)
    expect(await second.ended()).toBe(0)
    const rows = lines('killed.jsonl')
    expect(rows).toHaveLength(4)
    expect(`${JSON.stringify(rows[0])}\n${JSON.stringify(rows[1])}\n`).toBe(saved)
    expect(new Set(rows.map(({id}) => String(id))).size).toBe(4)
    expect(folder.names().filter(name => name.startsWith('.'))).toEqual([])
  })

  it.for([
    ['Ctrl-C', /adfa: stopped; 1 answer saved in .*; run the same command to continue/, 1],
    ['SIGTERM', /adfa: interrupted; every answer is saved/, 143]
  ] as const)(
    'gives the terminal back as it was on %s, with all answers saved',
    async ([end, words, code], {expect, onTestFinished}) => {
      const [before, after, name] = [`before-${end}`, `after-${end}`, `${end}.jsonl`]
      const run = startInTerminal([...input, '-o', folder.at(name)], onTestFinished, {
        before: `stty -a > ${folder.at(before)}`,
        after: `stty -a > ${folder.at(after)}`
      })
      await run.shows(/ 0 of 100-120 documents labelled/)
      run.type('2\r')
      await run.shows(/ 1 of 100-120 documents labelled/)
      if (end === 'SIGTERM') run.kill('SIGTERM')
      else run.type('\x03')
      await run.shows(words)
      expect(await run.ended()).toBe(code)
      expect(folder.text(after)).toBe(folder.text(before))
      expect(lines(name)).toHaveLength(1)
    }
  )

  it('stops for Ctrl-Z with the terminal as it was, and goes on when it is taken up again', async ({
    expect,
    onTestFinished
  }) => {
    const run = startInTerminal([...input, '-o', folder.at('stopped.jsonl')], onTestFinished, {
      before: `stty -a > ${folder.at('before-stop')}; set -m`,
      after: `stty -a > ${folder.at('while-stopped')}; fg; code=$?`
    })
    await run.shows(/ 0 of 100-120 documents labelled/)
    run.type('2\r')
    await run.shows(/ 1 of 100-120 documents labelled/)
    run.type('\x1a')
    await run.shows(/ 1 of 100-120 documents labelled/)
    expect(folder.text('while-stopped')).toBe(folder.text('before-stop'))
    run.type('2\rq')
    await run.shows(/2 documents labelled in/)
    expect(await run.ended()).toBe(0)
  })
})
