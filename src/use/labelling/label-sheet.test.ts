import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {csvRecords} from '../../read/reading/index.ts'
import {labelRowsToText, parseLabelRows} from './label-rows.ts'
import {LabelSession} from './label-session.ts'
import {
  conceptColumn,
  escapeCell,
  labelSheet,
  mergeAnswers,
  parseMark,
  rowsFromSheet,
  unescapeCell
} from './label-sheet.ts'
import {smallDocuments, smallTask, toRow} from './test-task.ts'

const task = smallTask({documents: 6, anchored: 1})
const session = new LabelSession(task)
const sheet = labelSheet(session.remaining(), task.concepts, ['title', 'text'])

async function records(text: string, separator = ',') {
  const all = []
  async function* chunks() {
    yield new TextEncoder().encode(text)
  }
  for await (const batch of csvRecords(chunks(), separator.charCodeAt(0), 'sheet.csv')) all.push(...batch)
  return all
}

/** The sheet with some cells of each line changed by the column's name. */
async function filled(change: (line: Record<string, string>, at: number) => Record<string, string>) {
  const [header, ...lines] = await records(sheet)
  return [
    header,
    ...lines.map(({line, cells}, at) => {
      const named = Object.fromEntries(header.cells.map((name, column) => [name, cells[column]]))
      const changed = {...named, ...change(named, at)}
      return {line, cells: header.cells.map(name => changed[name])}
    })
  ]
}

describe('labelSheet', () => {
  it('labelSheet(...) has a byte order mark, CRLF, a column for each concept and one line for each question', async () => {
    expect(sheet.startsWith('\ufeffid,drawn,done,[text],fever,cough,rash\r\n')).toBe(true)
    expect(sheet.split('\r\n')).toHaveLength(session.remaining().length + 2)
    const lines = (await records(sheet)).slice(1)
    const random = lines.filter(({cells}) => cells[1] === 'random')
    expect(random).toHaveLength(6)
    for (const {cells} of random) expect(cells.slice(4)).toEqual(['', '', ''])
    const anchored = lines.filter(({cells}) => cells[1] === 'anchored')
    expect(anchored.map(({cells}) => cells.slice(4))).toEqual([
      ['', '-', '-'],
      ['-', '', '-'],
      ['-', '-', '']
    ])
  })

  it('labelSheet(...) shows long texts in part, on one line, and harmless', async () => {
    const evidence = {words: [], anchors: [], members: []}
    const row = toRow({title: '=cmd|x', text: `a\r\nb${' word'.repeat(2000)}`, features: ['f1', 'f2']})
    const text = labelSheet(
      [{drawn: 'random', document: {key: 'row:0123456789abcdef', row, evidence}}],
      ['x'],
      ['title', 'text']
    )
    const [header, line] = await records(text)
    expect(header.cells).toEqual(['id', 'drawn', 'done', '[title]', '[text]', '[features]', 'x'])
    expect(line.cells[0]).toMatch(/^row:[0-9a-f]{16}$/)
    expect(line.cells[3]).toBe("'=cmd|x")
    expect(line.cells[4]).toMatch(/^a b word.* \.\.\.$/)
    expect(line.cells[4].length).toBeLessThan(3010)
    expect(line.cells[5]).toBe('f1 | f2')
  })
})

describe('rowsFromSheet', () => {
  it('rowsFromSheet(...) gives what the terminal would have written for the same answers', async () => {
    const truths = new Map(smallDocuments().map(({id, tags}) => [String(id), tags]))
    const marked = await filled(({id, ...cells}) => ({
      done: 'x',
      ...Object.fromEntries(
        task.concepts.map(c => [c, cells[c] === '-' ? '-' : truths.get(id)?.includes(c) ? 'X' : ''])
      )
    }))
    const {rows, unanswered, ignored} = rowsFromSheet(marked, task.concepts, 'sheet.csv')
    const merged = mergeAnswers([], rows, documentIndex(), 'sheet.csv')
    const asked = new LabelSession(task)
    while (asked.question !== undefined)
      asked.answer(new Set(truths.get(asked.question.document.key)?.map(tag => task.concepts.indexOf(tag))))
    expect(labelRowsToText(merged.rows)).toBe(labelRowsToText(asked.rows))
    expect([merged.rows.length, merged.changed, unanswered, ignored]).toEqual([asked.rows.length, 0, 0, []])
  })

  it('rowsFromSheet(...) tells a line without concepts from one that nobody has answered', async () => {
    const marked = await filled((cells, at) => {
      if (cells.drawn !== 'random') return {}
      return [{}, {done: 'x'}, {rash: 'x'}, {rash: 'no'}, {done: 'no', rash: 'x'}, {}][at]
    })
    const {rows, unanswered} = rowsFromSheet(marked, task.concepts, 's')
    expect(rows.map(({labels}) => [...labels.values()])).toEqual([
      [false, false, false],
      [false, false, true],
      [false, false, false]
    ])
    expect(unanswered).toBe(3 + 3)
  })

  it('rowsFromSheet(...) reads short answers: yes, no, and no by an empty cell that is done', async () => {
    const marked = await filled(({drawn, fever, cough, rash}) => {
      if (drawn !== 'anchored') return {}
      if (fever === '') return {fever: 'yes', cough: '\u2013'}
      return cough === '' ? {cough: '0'} : {done: '1', rash}
    })
    const {rows} = rowsFromSheet(marked, task.concepts, 's')
    expect(rows.map(({labels, drawn}) => [drawn, Object.fromEntries(labels)])).toEqual([
      ['anchored', {fever: true}],
      ['anchored', {cough: false}],
      ['anchored', {rash: false}]
    ])
  })

  it('rowsFromSheet(...) takes semicolons, other orders of columns, columns of notes, empty lines and short ones', async () => {
    const text = 'notes;cough;fever;rash;done;drawn;id\r\nhm;x;;;;random;5\r\n;;;;;;\r\n;;;;x;random;6\r\n'
    const read = rowsFromSheet(await records(text, ';'), task.concepts, 's')
    expect(read.rows.map(({id, labels}) => [id, [...labels.values()]])).toEqual([
      ['5', [false, true, false]],
      ['6', [false, false, false]]
    ])
    expect(read.ignored).toEqual(['notes'])
    const short = rowsFromSheet(await records('id,drawn,done,fever,cough,rash\n7,random,x\n'), task.concepts, 's')
    expect(short.rows.map(({labels}) => [...labels.values()])).toEqual([[false, false, false]])
  })

  it.each([
    ['id,drawn,done,fever,cough\n', /^s:1: no column "rash"; a sheet has id, drawn, done and/],
    ['', /^s:1: no column "id"/],
    ['id,drawn,done,fever,cough,rash,rash\n', /^s:1: two columns named "rash"/],
    [
      'id,drawn,done,fever,cough,rash\n1,random,,x,-,\n',
      /^s:2: "-" for a concept of a document that was drawn at random/
    ],
    [
      'id,drawn,done,fever,cough,rash\n1,anchored,,x,x,-\n',
      /^s:2: 2 concepts asked about in a document that was drawn/
    ],
    ['id,drawn,done,fever,cough,rash\n1,chosen,,x,,\n', /^s:2: "chosen" in the column "drawn"/],
    ['id,drawn,done,fever,cough,rash\n1,random,,?,,\n', /^s:2, column "fever": "\?" is not a mark/],
    ['id,drawn,done,fever,cough,rash\n1,random,,x,,,9\n', /^s:2: 7 cells, and the first line names 6/],
    [
      'id,drawn,done,fever,cough,rash\n1,random,,x,,\n1,random,,,x,\n',
      /^s:3: the question of line 2 again, on document "1"; remove one/
    ]
  ])('rowsFromSheet(...) refuses %j', async (text, message) => {
    const read = await records(text)
    expect(() => rowsFromSheet(read, task.concepts, 's')).toThrow(message)
  })
})

describe('mergeAnswers', () => {
  const [key, other] = task.draw.random.map(document => document.key)
  const row = (line: string) => parseLabelRows(line, 'x')
  const whole = (id: string, fever: boolean) =>
    `{"id":${id},"labels":{"fever":${fever},"cough":false,"rash":false},"drawn":"random"}\n`

  it('mergeAnswers(...) adds new answers, changes those that differ in their place, and leaves the others', () => {
    const before = row(whole(key, false).replace('}\n', ',"reader":"ann"}\n') + whole(other, true))
    const merged = mergeAnswers(before, row(whole(key, true) + whole(other, true)), documentIndex(), 's')
    expect(labelRowsToText(merged.rows)).toBe(
      whole(key, true).replace('}\n', ',"reader":"ann"}\n') + whole(other, true)
    )
    expect(merged.changed).toBe(1)
  })

  it('mergeAnswers(...) lets a whole answer stand for short ones, and a short one change a whole one', () => {
    const short = `{"id":${key},"labels":{"fever":true},"drawn":"anchored"}\n`
    const replaced = mergeAnswers(row(short), row(whole(key, true)), documentIndex(), 's')
    expect(labelRowsToText(replaced.rows)).toBe(whole(key, true))
    const changed = mergeAnswers(row(whole(key, false)), row(short), documentIndex(), 's')
    expect(labelRowsToText(changed.rows)).toBe(whole(key, true))
  })

  it('mergeAnswers(...) takes the answer to a question that was skipped', () => {
    const skipped = `{"id":${key},"labels":{},"drawn":"anchored","skipped":true,"concept":"rash"}\n`
    const short = `{"id":${key},"labels":{"rash":true},"drawn":"anchored"}\n`
    expect(labelRowsToText(mergeAnswers(row(skipped), row(short), documentIndex(), 's').rows)).toBe(short)
  })

  it('mergeAnswers(...) takes a whole answer for a document that was skipped, and a short one beside it', () => {
    const skipped = `{"id":${key},"labels":{},"drawn":"random","skipped":true}\n`
    const short = `{"id":${key},"labels":{"rash":true},"drawn":"anchored"}\n`
    const both = mergeAnswers(row(skipped), row(short), documentIndex(), 's')
    expect(labelRowsToText(both.rows)).toBe(skipped + short)
    const answered = mergeAnswers(both.rows, row(whole(key, true)), documentIndex(), 's')
    expect(labelRowsToText(answered.rows)).toBe(whole(key, true))
  })

  it('mergeAnswers(...) refuses a document that is not there', () => {
    expect(() => mergeAnswers([], row(whole('12345', true)), documentIndex(), 's')).toThrow(
      /^s: document "12345" is not among the documents; .*check that no program has changed the column "id"$/
    )
  })
})

function documentIndex() {
  const all = smallTask({documents: 300}).draw.random
  const byName = new Map(all.map(document => [document.key, document]))
  return (name: string) => byName.get(name)
}

describe('escapeCell', () => {
  it.each(['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', ' =HYPERLINK("http://x")', "'a", '\r=1'])(
    'escapeCell(%j) puts an apostrophe before what could run as a formula',
    text => expect(escapeCell(text)).toBe(`'${text}`)
  )

  it.each(['007', '12345678901234567', '1e5', '1-2', '3/4', '12:30', '1.10', '1,000', 'MAR1', 'Sep 5', 'TRUE', 'no'])(
    'escapeCell(%j) protects what a program would read as a number, a date or a truth value',
    text => expect(escapeCell(text)).toBe(`'${text}`)
  )

  it.each(['', '17', '123456789012345', 'cooking-17', 'fever', '.net', 'c#', '10 ways to cook', 'a=1'])(
    'escapeCell(%j) leaves what nobody would change',
    text => expect(escapeCell(text)).toBe(text)
  )

  it('unescapeCell(escapeCell(text)) is the text again', () => {
    fc.assert(
      fc.property(fc.string({unit: fc.constantFrom("'", '=', '-', '1', 'a', ' ', '.')}), text => {
        expect(unescapeCell(escapeCell(text))).toBe(text)
      })
    )
  })

  it('escapeCell(text) never begins with a sign that starts a formula', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(escapeCell(text)).not.toMatch(/^\s*[=+\-@\t\r]/)
      })
    )
  })
})

describe('conceptColumn', () => {
  it('conceptColumn(...) gives every concept a column that is nothing else', () => {
    const names = ['fever', 'id', 'Done', 'drawn', '[text]', 'concept:id', 'concept:concept:id']
    const columns = names.map(conceptColumn)
    expect(new Set([...columns, 'id', 'drawn', 'done']).size).toBe(names.length + 3)
    expect(columns[0]).toBe('fever')
    expect(columns[1]).toBe('concept:id')
  })
})

describe('parseMark', () => {
  it('parseMark(...) reads yes, no and nothing', () => {
    for (const mark of ['x', 'X', ' 1 ', 'yes', 'Y', 'TRUE', "'yes", '✓']) expect(parseMark(mark, 'w')).toBe(true)
    for (const mark of ['0', 'No', 'n', 'false', "'no"]) expect(parseMark(mark, 'w')).toBe(false)
    for (const mark of ['', '  ']) expect(parseMark(mark, 'w')).toBeUndefined()
  })
})
