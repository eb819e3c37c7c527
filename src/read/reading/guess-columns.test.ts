import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {columnFacts, guessColumns, readingFor, roleWords} from './guess-columns.ts'

/** What a table of these columns is read as. */
function guessed(columns: Readonly<Record<string, readonly unknown[]>>) {
  const facts = Object.entries(columns).map(([name, values]) => columnFacts(name, values))
  const rows = Math.max(...Object.values(columns).map(values => values.length))
  return guessColumns(facts, rows)
}

const random = rng(5)
const many = <T>(make: (at: number) => T) => Array.from({length: 200}, (_, at) => make(at))
const pick = (items: readonly string[]) => items[Math.floor(items.length * random.next())]
const words = 'pain fever cough fall head chest left right since today with after arm leg'.split(' ')
const prose = () => Array.from({length: 8}, () => pick(words)).join(' ')
const drugs = 'aspirin metformin insulin warfarin lisinopril'.split(' ')
const list = (separator: string) => () => [pick(drugs), pick(drugs)].join(separator)

describe('guessColumns', () => {
  test('a triage table: id, text, category, number, list, tags, and what is left out', () => {
    const guesses = guessed({
      Visit: many(at => `V${1000 + at}`),
      Note: many(prose),
      Sex: many(() => pick(['F', 'M'])),
      Age: many(() => String(Math.floor(95 * random.next()))),
      'Home meds': many(list('; ')),
      Codes: many(list(',')),
      Level: many(at => String(1 + (at % 5))),
      Arrived: many(at => `2024-03-${10 + (at % 20)} 12:30`),
      'Last name': many(at => `Smith${at}`),
      Phone: many(at => String(5_550_000 + 7 * at)),
      Empty: many(() => '')
    })
    expect(guesses.map(guess => `${guess.name}: ${roleWords(guess)}`)).toEqual([
      'Visit: id',
      'Note: text',
      'Sex: category',
      'Age: number, bins of 10',
      'Home meds: list, separated by ;',
      'Codes: tags, separated by ,',
      'Level: category',
      'Arrived: left out: dates or times',
      'Last name: left out: a name or an address',
      'Phone: left out: a name or an address',
      'Empty: left out: empty'
    ])
    expect(readingFor(guesses)).toEqual({
      id: 'Visit',
      text: ['Note'],
      category: ['Sex', 'Level'],
      number: ['Age:10'],
      list: ['Home meds'],
      separator: ';',
      tags: 'Codes',
      tagSeparator: ','
    })
  })

  test('rows of JSON: lists are lists, nested values are left out', () => {
    const roles = guessed({
      id: many(at => at),
      text: many(prose),
      meds: many(() => [pick(drugs)]),
      tags: many(() => [pick(words)]),
      address: many(() => ({city: 'x'})),
      smoker: many(at => at % 2 === 0)
    }).map(({role}) => role)
    expect(roles).toEqual(['id', 'text', 'list', 'tags', 'skip', 'category'])
  })

  test('short notes that share their words are text; codes that nobody shares are left out', () => {
    const complaints = words.flatMap(a => words.flatMap(b => words.slice(0, 5).map(c => `${a} ${b} ${c}`)))
    expect(guessed({complaint: complaints})[0].role).toBe('text')
    expect(guessed({ward: many(() => pick(words)), code: many(at => `X${at % 150}`)}).map(({role}) => role)).toEqual([
      'category',
      'skip'
    ])
  })

  test.each([
    ['temperature', ['36,3', '37,1', '38,9', 'n. b.', '<0,6'], 'category'],
    ['temperature', ['36,3', '37,1', '38,9', '36,3', '37,1', '38,9', 'n. b.; 36,6'], 'category'],
    ['lactate', ['n. b.', ...Array.from({length: 12}, (_, at) => `${at},5`)], 'number'],
    ['meds', ['36,3', 'aspirin, insulin', 'insulin, aspirin', 'aspirin'], 'list']
  ])('%s of %j is a %s, and a list only where most cells are not numbers', (name, cells, role) => {
    expect(guessed({[name]: many(at => cells[at % cells.length])})[0].role).toBe(role)
  })

  test('the example of a column is its most frequent value, of numbers with codes a number', () => {
    const cells = ['n. b.', '36,3', 'n. b.', '37,1', 'n. b.', '37,1', '38,9']
    expect(columnFacts('temperature', cells).example).toBe('37,1')
    expect(columnFacts('ward', [...cells, 'icu', 'icu', 'icu']).example).toBe('n. b.')
  })

  test('many codes among numbers are not a list', () => {
    const codes = many(at => (at % 5 < 3 ? `3${6 + (at % 5)},3` : `ward ${at}, open`))
    expect(guessed({temperature: codes})[0].role).not.toBe('list')
  })

  test.each([
    ['numbers with another value in between', (at: number) => (at === 150 ? 'unknown' : String(50 + at * 0.5)), '20'],
    ['a few huge values', (at: number) => String(at % 40 === 0 ? 100_000 + at : 10 + (at % 97)), '20'],
    ['mostly one value', (at: number) => (at % 19 === 0 ? String(at / 2) : '0'), '20']
  ])('%s are a number in bins for most of them', (_, cell, width) => {
    expect(guessed({weight: many(cell)})).toEqual([{name: 'weight', role: 'number', detail: width}])
  })

  test.each<[string, (at: number) => string, string, string?]>([
    ['German thousands', at => `${1 + (at % 9)}.414,${10 + at}`, ';'],
    ['English thousands', at => `${1 + (at % 9)},4${10 + (at % 90)}.5`, ','],
    ['prices', at => `${at},50 €`, ';'],
    ['shares', at => `${at % 90},4 %`, ','],
    ['points, where one cell has a decimal comma', at => (at === 150 ? '1.200,5' : `${1 + (at % 90)}.000`), ';'],
    ['points alone', at => `${1 + (at % 90)}.000`, ';', '1.000 is 1'],
    ['commas alone in a table of semicolons', at => `${1 + (at % 90)},000`, ';', '1,000 is 1'],
    ['commas alone in a table of commas', at => `${1 + (at % 90)},000`, ',', '1,000 is 1000']
  ])('%s are numbers; what may mean something else is told', (_, cell, delimiter, said) => {
    const facts = columnFacts('amount', many(cell), delimiter)
    expect(guessColumns([facts], 200)[0].role).toBe('number')
    expect(facts.ambiguous && `${facts.ambiguous.text} is ${facts.ambiguous.value}`).toBe(said)
  })

  test('the columns that adfa adds to documents are left out, and others of the same kind are not', () => {
    const tagged = {note: many(prose), tags: many(() => pick(['alcohol', 'fall', 'alcohol|fall', '']))}
    const scores = {'alcohol (score)': many(() => '0.123'), fall: many(() => String(random.next()))}
    const roles = (columns: Parameters<typeof guessed>[0]) => guessed(columns).map(({role}) => role)
    expect(roles({...tagged, likely: many(() => 'fall'), ...scores})).toEqual('text tags skip skip skip'.split(' '))
    expect(roles({...tagged, 'tags (adfa)': tagged.tags, ...scores})).toEqual('text tags skip skip skip'.split(' '))
    const lines = {tags: many(() => ['fall']), likely: many(() => ['alcohol']), posterior: many(() => ({fall: 0.5}))}
    expect(roles({note: tagged.note, ...lines})).toEqual('text tags skip skip'.split(' '))
    expect(roles({...tagged, fall: scores.fall, other: many(() => String(random.next()))})[2]).toBe('number')
  })

  test('every list has its own separator', () => {
    const guesses = guessed({a: many(list('; ')), b: many(list('|'))})
    expect(guesses.map(roleWords)).toEqual(['list, separated by ;', 'list, separated by |'])
    expect(readingFor(guesses)).toMatchObject({list: ['a', 'b:|'], separator: ';'})
  })

  test('tags are found by name, also single ones and those separated by blanks', () => {
    expect(guessed({note: many(prose), Topics: many(list(' '))})[1]).toMatchObject({role: 'tags', detail: ' '})
    expect(guessed({note: many(prose), label: many(() => pick(words))})[1]).toMatchObject({role: 'tags', detail: ''})
    expect(guessed({note: many(prose), Tags: many(prose)})[1].role).not.toBe('tags')
  })

  test('never names two ids or two columns of tags, whatever the values', () => {
    const value = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.array(fc.string()))
    const names = fc.uniqueArray(fc.oneof(fc.constantFrom('id', 'tags', 'label', 'codes', 'visit'), fc.string()))
    fc.assert(
      fc.property(names, fc.array(fc.array(value, {maxLength: 8})), (columns, rows) => {
        const guesses = guessed(Object.fromEntries(columns.map((name, at) => [name, rows.map(row => row[at])])))
        for (const role of ['id', 'tags'])
          expect(guesses.filter(guess => guess.role === role).length).toBeLessThanOrEqual(1)
        for (const {role, detail} of guesses) if (role === 'number') expect(detail).not.toBe('')
      })
    )
  })
})
