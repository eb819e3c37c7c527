import {describe, expect, it} from 'vitest'
import {checkRooms} from './check-rooms.ts'
import {readRoomTable, readSources} from './read-sources.ts'
import {parseRoomTable} from './room-table.ts'

const table = parseRoomTable(`
| room | may import | paper |
|---|---|---|
| numeric | nothing | - |
| data | numeric (types) | - |
| evaluation | all above | - |
| \`index.ts\` | all above | - |
| files | Node, data | - |
`)

/** A small tree without faults, in which each test plants one. */
const sound = {
  'src/index.ts': `export {half} from './numeric/index.ts'\n`,
  'src/numeric/index.ts': `export {half} from './half.ts'\n`,
  'src/numeric/half.ts': `/** console.log and Math.random in a comment are no faults. */\nexport const half = (x: number) => x / 2\n`,
  'src/data/index.ts': `export {row} from './row.ts'\n`,
  'src/data/row.ts': `import {half} from '../numeric/index.ts'\nexport const row = half(3)\n`,
  'src/files/index.ts': `export {text} from './text.ts'\n`,
  'src/files/text.ts': `import {readFileSync} from 'node:fs'\nexport const text = () => readFileSync('a') + String(Date.now())\n`
}

function faultsWith(planted: Record<string, string>): string[] {
  return checkRooms(new Map(Object.entries({...sound, ...planted})), table)
}

describe('checkRooms(files, table)', () => {
  it('checkRooms(...) finds no fault in a sound tree', () => {
    expect(faultsWith({})).toEqual([])
  })

  it('checkRooms(...) finds no fault in this very tree, and reads all of it', () => {
    const sources = readSources()
    expect(sources.has('src/numeric/index.ts')).toBe(true)
    expect(checkRooms(sources, readRoomTable())).toEqual([])
  })

  const row = 'src/data/row.ts'
  const imports = {
    'a room that its row does not name': `import {text} from '../files/index.ts'`,
    'such a room by its type only': `import type {text} from '../files/index.ts'`,
    'such a room by a re-export': `export {text} from '../files/index.ts'`,
    'such a room by import()': `export const later = () => import('../files/index.ts')`,
    'such a room by a type of import()': `export type Text = import('../files/index.ts').Text`,
    'an entry file that its row does not name': `import {half} from '../index.ts'`,
    'a file inside another room': `import {half} from '../numeric/half.ts'`,
    'a folder without naming its index.ts': `import {half} from '../numeric'`,
    'a room that is not in the table': `import {odd} from '../odd/index.ts'`,
    'a Node module': `import {readFileSync} from 'node:fs'`,
    'a package that it may not use': `import {decompress} from 'fzstd'`,
    'a package that nobody may use': `import _ from '@scope/lodash/fp'`,
    'a file outside src': `import '../../bench/speed.ts'`,
    'an absolute path': `import '/tmp/x.ts'`,
    'a test': `import {rows} from './test-rows.ts'`
  }
  for (const [what, code] of Object.entries(imports))
    it(`checkRooms(...) refuses to let a room import ${what}`, () => {
      const others = {
        'src/data/test-rows.ts': '',
        'src/odd/index.ts': '',
        'src/odd/odd.ts': ''
      }
      const faults = faultsWith({...others, [row]: `export const row = 1\n${code}\n`}).filter(
        x => !x.startsWith('src/odd')
      )
      expect(faults).toEqual([expect.stringMatching(/^src\/data\/row\.ts:2: import: /)])
    })

  const uses = {
    console: 'console.log(1)',
    process: 'export const home = process.env.HOME',
    'Math.random': 'export const luck = Math.random()',
    'Math.exp': 'export const e = Math.exp(1)',
    Math: 'export const {random} = Math',
    'Date.now': 'export const now = Date.now()',
    'new Date': 'export const now = new Date()',
    performance: 'export const now = performance.now()',
    globalThis: 'export const p = globalThis.process',
    'import()': 'export const load = (name: string) => import(name)'
  }
  for (const [what, code] of Object.entries(uses))
    it(`checkRooms(...) refuses ${what} where Node is not allowed, and nowhere else`, () => {
      const text = `export const row = 1\n${code}\n`
      expect(faultsWith({[row]: text})).toEqual([expect.stringMatching(/^src\/data\/row\.ts:2: ambient: /)])
      expect(faultsWith({'src/files/text.ts': text, 'src/data/row.test.ts': text})).toEqual([])
    })

  it('checkRooms(...) does not take properties, types and Math.sqrt for ambient things', () => {
    const code = 'export const row = (a: {process: number; Date: Date}) => a.process + Math.sqrt(1)\n'
    expect(faultsWith({[row]: code})).toEqual([])
  })

  it('checkRooms(...) refuses files that import each other in a circle', () => {
    const faults = faultsWith({
      'src/data/a.ts': `import './b.ts'\n`,
      'src/data/b.ts': `\nimport type {C} from './c.ts'\n`,
      'src/data/c.ts': `import './a.ts'\n`
    })
    expect(faults).toEqual(['src/data/c.ts:1: circle: files import each other: a.ts -> b.ts -> c.ts -> a.ts'])
  })

  it('checkRooms(...) refuses a folder inside a room', () => {
    expect(faultsWith({'src/data/deep/row.ts': ''})).toEqual([
      expect.stringMatching(/^src\/data\/deep\/row\.ts:1: place: /)
    ])
  })

  it('checkRooms(...) refuses a room and a file of src that are not in the table, but not a test', () => {
    const faults = faultsWith({'src/odd/index.ts': '', 'src/odd.ts': '', 'src/odd.test.ts': ''})
    expect(faults).toEqual([
      'src/odd.ts:1: place: "odd.ts" is not in the table of rooms of docs/ARCHITECTURE.md',
      'src/odd/index.ts:1: place: "odd" is not in the table of rooms of docs/ARCHITECTURE.md'
    ])
  })

  it('checkRooms(...) refuses a room without index.ts', () => {
    expect(faultsWith({'src/evaluation/score.ts': ''})).toEqual([
      expect.stringMatching(/^src\/evaluation\/index\.ts:1: index: /)
    ])
  })

  it('checkRooms(...) refuses export * and export * as', () => {
    for (const code of [`export * from './half.ts'`, `export * as all from './half.ts'`])
      expect(faultsWith({'src/numeric/index.ts': `\n${code}\n`})).toEqual([
        expect.stringMatching(/^src\/numeric\/index\.ts:2: export: /)
      ])
  })

  it('checkRooms(...) refuses more than 300 lines, except in tests and in the list of all exports', () => {
    const lines = (count: number) => 'export {}\n'.repeat(count)
    expect(faultsWith({[row]: lines(300), 'src/data/row.test.ts': lines(301)})).toEqual([])
    expect(faultsWith({'src/index.ts': lines(301)})).toEqual([])
    expect(faultsWith({[row]: lines(301)})).toEqual([
      expect.stringMatching(/^src\/data\/row\.ts:301: length: 301 lines/)
    ])
  })

  it('checkRooms(...) lets tests import any index, their own room, test helpers and Node, but no inner file elsewhere', () => {
    const allowed = `import 'node:fs'\nimport 'vitest'\nimport '../files/index.ts'\nimport '../index.ts'\nimport './row.ts'\n`
    const helpers = {'src/files/test-text.ts': '', 'src/files/text.contract.ts': ''}
    const tests = {
      'src/data/row.test.ts': `${allowed}import '../files/test-text.ts'\nimport '../files/text.contract.ts'\n`,
      'src/data/row.contract.ts': allowed,
      'src/data/test-rows.ts': allowed
    }
    expect(faultsWith({...helpers, ...tests})).toEqual([])
    expect(faultsWith({'src/data/row.test.ts': `import '../files/text.ts'\n`})).toEqual([
      'src/data/row.test.ts:1: import: src/files/text.ts belongs to another room; import src/files/index.ts'
    ])
  })
})

describe('parseRoomTable(markdown)', () => {
  it('parseRoomTable(...) reads names, "all above", "nothing", Node and words in parentheses', () => {
    const shown = [...table.values()].map(({name, imports, node}) => [name, [...imports].join(' '), node])
    expect(shown).toEqual([
      ['numeric', '', false],
      ['data', 'numeric', false],
      ['evaluation', 'numeric data', false],
      ['index.ts', 'numeric data evaluation', false],
      ['files', 'data', true]
    ])
  })

  it('parseRoomTable(...) refuses a name that is not in a row above, a second row and a page without the table', () => {
    const page = (rows: string) => `| room | may import |\n|---|---|\n${rows}`
    expect(() => parseRoomTable(page('| a | b |\n| b | nothing |'))).toThrow('lets "a" import "b"')
    expect(() => parseRoomTable(page('| a | nothing |\n| a | nothing |'))).toThrow('two rows for "a"')
    expect(() => parseRoomTable('# Nothing')).toThrow('no table of rooms')
  })
})
