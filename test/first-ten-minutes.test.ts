// Two people who have read nothing but the first lines of the README, with the built command line: from a file to a tagged table.
import {spawnSync} from 'node:child_process'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {csvText} from '../src/base/text/index.ts'
import {type TriageVisit, triageConcepts, triageVisits} from './triage-notes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(root, 'dist/adfa.js')
const folder = mkdtempSync(join(tmpdir(), 'adfa-first-'))
const MINUTES = 5 * 60_000

beforeAll(() => {
  expect(existsSync(program), 'the built command line; run `npm run build` first').toBe(true)
})
afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** A person's folder and shell. */
function person(name: string) {
  const place = mkdtempSync(join(folder, `${name}-`))
  const at = (file: string) => join(place, file)
  return {
    write: (file: string, content: string) => writeFileSync(at(file), content),
    text: (file: string) => readFileSync(at(file), 'utf8'),
    adfa(...args: readonly string[]): string {
      const {status, stdout, stderr} = spawnSync(process.execPath, [program, ...args], {cwd: place, encoding: 'utf8'})
      expect({args, status, stderr: status === 0 ? '' : stderr}).toEqual({args, status: 0, stderr: ''})
      return stdout
    }
  }
}

/** The records of a table as people see them in a spreadsheet, by column. */
function records(text: string, delimiter: string): Record<string, string>[] {
  const [header, ...rows] = cellsOf(text.replace(/^\ufeff/, ''), delimiter)
  return rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at]])))
}

function cellsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]]
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}\r\n]*))(${delimiter}|\r?\n|$)`, 'gy')
  for (const [whole, quoted, plain, end] of text.matchAll(cell)) {
    if (whole === '') break
    rows[rows.length - 1].push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== delimiter && end !== '') rows.push([])
  }
  return rows.filter(row => row.length > 1)
}

/** F1 of the tags of a concept. */
function f1(concept: string, found: readonly (readonly string[])[], truth: readonly (readonly string[])[]): number {
  const count = (isCounted: (at: number) => boolean) => truth.filter((_, at) => isCounted(at)).length
  const both = count(at => found[at].includes(concept) && truth[at].includes(concept))
  return (2 * both) / (count(at => found[at].includes(concept)) + count(at => truth[at].includes(concept)))
}

const items = (cell: string, separator: string) =>
  cell
    .split(separator)
    .map(item => item.trim())
    .filter(item => item !== '')

/** A table as a spreadsheet program in much of Europe writes it: a mark, semicolons, CRLF. */
function triageTable(visits: readonly TriageVisit[]): string {
  const header = ['Visit', 'Triage note', 'Sex', 'Age', 'Home meds', 'Arrived', 'Level']
  const quoted = (cell: string) => (/[";\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const rows = visits.map(({id, note, sex, age, meds, arrived, level}) =>
    [id, note, sex, age, meds.join(', '), arrived, String(level)].map(quoted).join(';')
  )
  return `\ufeff${[header.join(';'), ...rows].join('\r\n')}\r\n`
}

describe('the first ten minutes', () => {
  test(
    'a clinical analyst with a spreadsheet of triage notes: two commands to tagged notes, a third for new ones',
    () => {
      const {write, text, adfa} = person('analyst')
      const visits = triageVisits(3000, 19)
      write('notes.csv', triageTable(visits))
      const looked = adfa('init', 'notes.csv', '--concepts', triageConcepts.join(', '), '--yes')
      expect(looked).toMatch(/^ +Visit +id /m)
      expect(looked).toMatch(/^ +Triage note +text /m)
      expect(looked).toMatch(/^ +Home meds +list, separated by , /m)
      expect(looked).toMatch(/hits of ".*" are negated/)
      const screen = adfa('run')
      for (const concept of triageConcepts) expect(screen).toContain(`  ${concept}  `)
      expect(screen).toMatch(/^wrote\n +tagged\.csv/m)
      expect(screen).toMatch(/^next\n +adfa label +label 30 to 100 documents/m)
      expect(text('report.html')).toContain('<html')

      const tagged = records(text('tagged.csv'), ';')
      expect(Object.keys(tagged[0])).toEqual([
        ...['Visit', 'Triage note', 'Sex', 'Age', 'Home meds', 'Arrived', 'Level', 'tags', 'likely'],
        ...triageConcepts.map(concept => `${concept} (score)`)
      ])
      expect(tagged.map(row => row['Triage note'])).toEqual(visits.map(({note}) => note))
      const found = tagged.map(({tags}) => items(tags, ','))
      const truth = visits.map(visit => visit.truth)
      // Two of the seven ways to mention alcohol have its name: if these alone are found, the F1 is 2 * (2/7) / (1 + 2/7) = 0.44.
      for (const concept of triageConcepts) expect([concept, f1(concept, found, truth) > 0.4]).toEqual([concept, true])

      write('new.csv', triageTable(triageVisits(50, 20)))
      adfa('predict', 'new.csv', '-o', 'new-tagged.csv')
      expect(records(text('new-tagged.csv'), ';')).toHaveLength(50)
    },
    MINUTES
  )

  test(
    'a data scientist with tagged packages: two commands, concepts from the tags',
    () => {
      const {write, text, adfa} = person('scientist')
      const lines = gunzipSync(readFileSync(join(root, 'corpora/npm-packages.jsonl.gz')))
        .toString()
        .trim()
        .split('\n')
      const rows = lines.slice(0, 4000).map(line => JSON.parse(line) as {id: string; text: string; tags: string[]})
      const cells = rows.map(({id, text: summary, tags}) => [id, summary, tags.join(' | ')])
      write('packages.csv', csvText([['Package id', 'Summary', 'Keywords'], ...cells]))
      const looked = adfa('init', 'packages.csv', '--yes')
      expect(looked).toMatch(/^ +Keywords +tags, separated by \|/m)
      expect(adfa('run', '--quiet')).toMatch(
        /^next\n +adfa run --label-share 1 .*\n +adfa evaluate +compare with the tags/m
      )
      const tagged = records(text('tagged.csv'), ',')
      // Names that a spreadsheet would run as a formula, such as @types/node, begin with an apostrophe.
      expect(tagged.map(row => row['Package id'].replace(/^'/, ''))).toEqual(rows.map(({id}) => id))
      const concepts = Object.keys(tagged[0]).flatMap(name => /^(.*) \(score\)$/.exec(name)?.[1] ?? [])
      expect(concepts.length).toBeGreaterThan(10)
      const found = tagged.map(({tags}) => items(tags, '|'))
      const truth = rows.map(({tags}) => tags)
      const mean = concepts.reduce((sum, concept) => sum + f1(concept, found, truth), 0) / concepts.length
      // Keywords are noisy: half of the packages about a subject lack its keyword. Tags at random have an F1 of a few percent.
      expect(mean).toBeGreaterThan(0.3)
    },
    MINUTES
  )
})
