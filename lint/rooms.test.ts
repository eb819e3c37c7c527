import {describe, expect, it} from 'vitest'
import {checkRooms} from './check-rooms.ts'
import {readRoomTable, readSources} from './read-sources.ts'
import {parseRoomTable} from './room-table.ts'

const table = parseRoomTable(`
| room | imports beside it | paper |
|---|---|---|
| base/numeric | nothing | - |
| base/linear | numeric (types) | - |
| read/data | nothing | - |
| read/files | Node, data | - |
| use/report | nothing | - |
| app/studio | Browser | - |
| app/cli | Node | - |
| \`index.ts\` | nothing | - |
`)

/** A small tree without faults, in which each test plants one. */
const sound = {
  'src/index.ts': `export {half} from './base/numeric/index.ts'\n`,
  'src/base/numeric/index.ts': `export {half} from './half.ts'\n`,
  'src/base/numeric/half.ts': `/** console.log and Math.random in a comment are no faults. */\nexport const half = (x: number) => x / 2\n`,
  'src/base/linear/index.ts': `import {half} from '../numeric/index.ts'\nexport const third = half(1)\n`,
  'src/read/data/index.ts': `export {row} from './row.ts'\n`,
  'src/read/data/row.ts': `import {half} from '../../base/numeric/index.ts'\nexport const row = half(3)\n`,
  'src/read/files/index.ts': `export {text} from './text.ts'\n`,
  'src/read/files/text.ts': `import {readFileSync} from 'node:fs'\nexport const text = () => readFileSync('a') + String(Date.now())\n`,
  'src/app/studio/index.ts': `export {Page} from './page.tsx'\n`,
  'src/app/studio/page.tsx': `import {render} from 'preact'\nexport const Page = () => <p>{render}{document.title}{Date.now()}</p>\n`,
  'src/app/cli/index.ts': `import '../../read/files/index.ts'\nimport './fit/fit.ts'\n`,
  'src/app/cli/fit/fit.ts': ''
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
    expect(sources.has('src/base/numeric/index.ts')).toBe(true)
    expect(checkRooms(sources, readRoomTable())).toEqual([])
  })

  const row = 'src/read/data/row.ts'
  const imports = {
    'a room of its wing that its row does not name': `import {text} from '../files/index.ts'`,
    'such a room by its type only': `import type {text} from '../files/index.ts'`,
    'such a room by a re-export': `export {text} from '../files/index.ts'`,
    'such a room by import()': `export const later = () => import('../files/index.ts')`,
    'such a room by a type of import()': `export type Text = import('../files/index.ts').Text`,
    'a wing to its right': `import '../../use/report/index.ts'`,
    'an entry file': `import {half} from '../../index.ts'`,
    'a file inside another room': `import {half} from '../../base/numeric/half.ts'`,
    'a folder without naming its index.ts': `import {half} from '../../base/numeric'`,
    'a room that is not in the table': `import {odd} from '../odd/index.ts'`,
    'a Node module': `import {readFileSync} from 'node:fs'`,
    'a package that it may not use': `import {decompress} from 'fzstd'`,
    'a package that nobody may use': `import _ from '@scope/lodash/fp'`,
    'a file outside src': `import '../../../research/speed.ts'`,
    'an absolute path': `import '/tmp/x.ts'`,
    'a test': `import {rows} from './test-rows.ts'`
  }
  for (const [what, code] of Object.entries(imports))
    it(`checkRooms(...) refuses to let a room import ${what}`, () => {
      const others = {
        'src/read/data/test-rows.ts': '',
        'src/read/odd/index.ts': '',
        'src/read/odd/odd.ts': '',
        'src/use/report/index.ts': ''
      }
      const faults = faultsWith({...others, [row]: `export const row = 1\n${code}\n`}).filter(
        x => !x.startsWith('src/read/odd')
      )
      expect(faults).toEqual([expect.stringMatching(/^src\/read\/data\/row\.ts:2: import: /)])
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
      expect(faultsWith({[row]: text})).toEqual([expect.stringMatching(/^src\/read\/data\/row\.ts:2: ambient: /)])
      expect(faultsWith({'src/read/files/text.ts': text, 'src/read/data/row.test.ts': text})).toEqual([])
    })

  const page = 'src/app/studio/page.tsx'
  const ofPages = ['document.title', 'window.name', 'self.name', "fetch('a')"]
  for (const code of ofPages)
    it(`checkRooms(...) refuses ${code} where Browser is not allowed, unless the file declares the name`, () => {
      const text = `export const row = 1\nexport const found = ${code}\n`
      expect(faultsWith({[row]: text})).toEqual([expect.stringMatching(/^src\/read\/data\/row\.ts:2: ambient: /)])
      expect(faultsWith({[page]: text})).toEqual([])
      const [name] = code.split(/\W/)
      expect(faultsWith({[row]: `export const row = (${name}: never) => ${name}\n`})).toEqual([])
    })

  it('checkRooms(...) refuses Node, the console and chance in a room of the browser, and such a room elsewhere', () => {
    for (const code of ['process.exit()', 'console.log(1)', 'export const luck = Math.random()', 'Buffer.alloc(1)'])
      expect(faultsWith({[page]: `export const Page = 1\n${code}\n`})).toEqual([
        expect.stringMatching(/^src\/app\/studio\/page\.tsx:2: ambient: /)
      ])
    expect(faultsWith({[page]: `export const Page = 1\nimport 'node:fs'\n`})).toHaveLength(1)
    expect(faultsWith({'src/app/cli/fit/fit.ts': `import '../../studio/index.ts'\n`})).toHaveLength(1)
    expect(faultsWith({[row]: `export const row = 1\nimport 'preact'\n`})).toHaveLength(1)
    expect(faultsWith({'src/app/studio/test-page.tsx': `import 'node:fs'\n`})).toEqual([])
  })

  it('checkRooms(...) does not take properties, types and Math.sqrt for ambient things', () => {
    const code = 'export const row = (a: {process: number; Date: Date}) => a.process + Math.sqrt(1)\n'
    expect(faultsWith({[row]: code})).toEqual([])
  })

  it('checkRooms(...) refuses files that import each other in a circle', () => {
    const faults = faultsWith({
      'src/read/data/a.ts': `import './b.ts'\n`,
      'src/read/data/b.ts': `\nimport type {C} from './c.ts'\n`,
      'src/read/data/c.ts': `import './a.ts'\n`
    })
    expect(faults).toEqual(['src/read/data/c.ts:1: circle: files import each other: a.ts -> b.ts -> c.ts -> a.ts'])
  })

  it('checkRooms(...) refuses a folder inside a room, but for one per command', () => {
    expect(faultsWith({'src/read/data/deep/row.ts': '', 'src/app/cli/fit/deep/row.ts': ''})).toEqual([
      expect.stringMatching(/^src\/app\/cli\/fit\/deep\/row\.ts:1: place: /),
      expect.stringMatching(/^src\/read\/data\/deep\/row\.ts:1: place: /)
    ])
  })

  it('checkRooms(...) refuses a room and a file of src that are not in the table, but not a test', () => {
    const faults = faultsWith({
      'src/read/odd/index.ts': '',
      'src/odd.ts': '',
      'src/odd.test.ts': '',
      'src/read/all.test.ts': ''
    })
    expect(faults).toEqual([
      'src/odd.ts:1: place: "odd.ts" is not in the table of rooms of docs/ARCHITECTURE.md',
      'src/read/odd/index.ts:1: place: "read/odd" is not in the table of rooms of docs/ARCHITECTURE.md'
    ])
  })

  it('checkRooms(...) refuses a room without index.ts', () => {
    expect(faultsWith({'src/use/report/score.ts': ''})).toEqual([
      expect.stringMatching(/^src\/use\/report\/index\.ts:1: index: /)
    ])
  })

  it('checkRooms(...) refuses export * and export * as', () => {
    for (const code of [`export * from './half.ts'`, `export * as all from './half.ts'`])
      expect(faultsWith({'src/base/numeric/index.ts': `\n${code}\n`})).toEqual([
        expect.stringMatching(/^src\/base\/numeric\/index\.ts:2: export: /)
      ])
  })

  it('checkRooms(...) refuses more than 300 lines, except in tests', () => {
    const lines = (count: number) => 'export {}\n'.repeat(count)
    expect(faultsWith({[row]: lines(300), 'src/read/data/row.test.ts': lines(301)})).toEqual([])
    expect(faultsWith({[row]: lines(301)})).toEqual([
      expect.stringMatching(/^src\/read\/data\/row\.ts:301: length: 301 lines/)
    ])
  })

  it('checkRooms(...) lets tests import any index, their own room, test helpers and Node, but no inner file elsewhere', () => {
    const allowed = `import 'node:fs'\nimport 'vitest'\nimport '../files/index.ts'\nimport '../../index.ts'\nimport './row.ts'\n`
    const helpers = {'src/read/files/test-text.ts': '', 'src/read/files/text.contract.ts': ''}
    const tests = {
      'src/read/data/row.test.ts': `${allowed}import '../files/test-text.ts'\nimport '../files/text.contract.ts'\n`,
      'src/read/data/row.contract.ts': allowed,
      'src/read/data/test-rows.ts': allowed
    }
    expect(faultsWith({...helpers, ...tests})).toEqual([])
    expect(faultsWith({'src/read/data/row.test.ts': `import '../files/text.ts'\n`})).toEqual([
      'src/read/data/row.test.ts:1: import: src/read/files/text.ts belongs to another room; import src/read/files/index.ts'
    ])
  })
})

describe('parseRoomTable(markdown)', () => {
  it('parseRoomTable(...) reads wings, names, "all above", "nothing", Node and text in parentheses', () => {
    const more = parseRoomTable('| room | imports beside it |\n|---|---|\n| a/b | nothing |\n| a/c.ts | all above |\n')
    expect([...(more.rooms.get('a/c.ts')?.beside ?? [])]).toEqual(['a/b'])
    expect(table.wings).toEqual(['base', 'read', 'use', 'app', ''])
    const shown = [...table.rooms.values()].map(({name, beside, node, browser}) => [
      name,
      [...beside].join(' '),
      node ? 'Node' : browser ? 'Browser' : ''
    ])
    expect(shown).toEqual([
      ['base/numeric', '', ''],
      ['base/linear', 'base/numeric', ''],
      ['read/data', '', ''],
      ['read/files', 'read/data', 'Node'],
      ['use/report', '', ''],
      ['app/studio', '', 'Browser'],
      ['app/cli', '', 'Node'],
      ['index.ts', '', '']
    ])
  })

  it('parseRoomTable(...) refuses names not in a row above, second rows, torn wings and pages without the table', () => {
    const page = (rows: string) => `| room | imports beside it |\n|---|---|\n${rows}`
    expect(() => parseRoomTable(page('| w/a | b |\n| w/b | nothing |'))).toThrow('lets "w/a" import "w/b"')
    expect(() => parseRoomTable(page('| w/a | nothing |\n| w/a | nothing |'))).toThrow('two rows for "w/a"')
    expect(() => parseRoomTable(page('| w/a | nothing |\n| v/a | nothing |\n| w/b | nothing |'))).toThrow('"w/b" apart')
    expect(() => parseRoomTable('# Nothing')).toThrow('no table of rooms')
  })
})
