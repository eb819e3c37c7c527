import {describe, expect, it} from 'vitest'
import {checkModules} from './check-modules.ts'
import {parseModuleTable} from './module-table.ts'
import {readModuleTable, readSources} from './read-sources.ts'

const table = parseModuleTable(`
| module | imports beside it | paper |
|---|---|---|
| base/numeric | nothing | - |
| base/linear | numeric (types) | - |
| read/data | nothing | - |
| read/files | Node, data | - |
| learn/fit.ts | nothing | - |
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
  return checkModules(new Map(Object.entries({...sound, ...planted})), table)
}

describe('checkModules(files, table)', () => {
  it('checkModules(...) finds no fault in a sound tree', () => {
    expect(faultsWith({})).toEqual([])
  })

  it('checkModules(...) finds no fault in this very tree, and reads all of it', () => {
    const sources = readSources()
    expect(sources.has('src/base/numeric/index.ts')).toBe(true)
    expect(checkModules(sources, readModuleTable())).toEqual([])
  })

  const row = 'src/read/data/row.ts'
  const imports = {
    'a module of its layer that its row does not name': `import {text} from '../files/index.ts'`,
    'such a module by its type only': `import type {text} from '../files/index.ts'`,
    'such a module by a re-export': `export {text} from '../files/index.ts'`,
    'such a module by import()': `export const later = () => import('../files/index.ts')`,
    'such a module by a type of import()': `export type Text = import('../files/index.ts').Text`,
    'a layer to its right': `import '../../use/report/index.ts'`,
    'an entry file': `import {half} from '../../index.ts'`,
    'a file inside another module': `import {half} from '../../base/numeric/half.ts'`,
    'a folder without naming its index.ts': `import {half} from '../../base/numeric'`,
    'a module that is not in the table': `import {odd} from '../odd/index.ts'`,
    'a Node module': `import {readFileSync} from 'node:fs'`,
    'a package that it may not use': `import {decompress} from 'fzstd'`,
    'a package that nobody may use': `import _ from '@scope/lodash/fp'`,
    'a file outside src': `import '../../../research/speed.ts'`,
    'an absolute path': `import '/tmp/x.ts'`,
    'a test': `import {rows} from './test-rows.ts'`
  }
  for (const [what, code] of Object.entries(imports))
    it(`checkModules(...) refuses to let a module import ${what}`, () => {
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
    it(`checkModules(...) refuses ${what} where Node is not allowed, and nowhere else`, () => {
      const text = `export const row = 1\n${code}\n`
      expect(faultsWith({[row]: text})).toEqual([expect.stringMatching(/^src\/read\/data\/row\.ts:2: ambient: /)])
      expect(faultsWith({'src/read/files/text.ts': text, 'src/read/data/row.test.ts': text})).toEqual([])
    })

  const page = 'src/app/studio/page.tsx'
  const ofPages = ['document.title', 'window.name', 'self.name', "fetch('a')"]
  for (const code of ofPages)
    it(`checkModules(...) refuses ${code} where Browser is not allowed, unless the file declares the name`, () => {
      const text = `export const row = 1\nexport const found = ${code}\n`
      expect(faultsWith({[row]: text})).toEqual([expect.stringMatching(/^src\/read\/data\/row\.ts:2: ambient: /)])
      expect(faultsWith({[page]: text})).toEqual([])
      const [name] = code.split(/\W/)
      expect(faultsWith({[row]: `export const row = (${name}: never) => ${name}\n`})).toEqual([])
    })

  it('checkModules(...) refuses Node, the console and chance in a module of the browser, and such a module elsewhere', () => {
    for (const code of ['process.exit()', 'console.log(1)', 'export const luck = Math.random()', 'Buffer.alloc(1)'])
      expect(faultsWith({[page]: `export const Page = 1\n${code}\n`})).toEqual([
        expect.stringMatching(/^src\/app\/studio\/page\.tsx:2: ambient: /)
      ])
    expect(faultsWith({[page]: `export const Page = 1\nimport 'node:fs'\n`})).toHaveLength(1)
    expect(faultsWith({'src/app/cli/fit/fit.ts': `import '../../studio/index.ts'\n`})).toHaveLength(1)
    expect(faultsWith({[row]: `export const row = 1\nimport 'preact'\n`})).toHaveLength(1)
    expect(faultsWith({'src/app/studio/test-page.tsx': `import 'node:fs'\n`})).toEqual([])
  })

  it('checkModules(...) does not take properties, types and Math.sqrt for ambient things', () => {
    const code = 'export const row = (a: {process: number; Date: Date}) => a.process + Math.sqrt(1)\n'
    expect(faultsWith({[row]: code})).toEqual([])
  })

  it('checkModules(...) refuses files that import each other in a circle', () => {
    const faults = faultsWith({
      'src/read/data/a.ts': `import './b.ts'\n`,
      'src/read/data/b.ts': `\nimport type {C} from './c.ts'\n`,
      'src/read/data/c.ts': `import './a.ts'\n`
    })
    expect(faults).toEqual(['src/read/data/c.ts:1: circle: files import each other: a.ts -> b.ts -> c.ts -> a.ts'])
  })

  it('checkModules(...) refuses a module and a file of src that are not in the table, but not a test of src, nor one beside the file that it names', () => {
    const faults = faultsWith({
      'src/read/odd/index.ts': '',
      'src/odd.ts': '',
      'src/odd.test.ts': '',
      'src/read/all.test.ts': '',
      'src/learn/fit-tables.test.ts': ''
    })
    expect(faults).toEqual([
      'src/odd.ts:1: place: "odd.ts" is not in the table of modules of docs/ARCHITECTURE.md',
      'src/read/all.test.ts:1: place: "read/all.test.ts" is not in the table of modules of docs/ARCHITECTURE.md',
      'src/read/odd/index.ts:1: place: "read/odd" is not in the table of modules of docs/ARCHITECTURE.md'
    ])
  })

  it('checkModules(...) refuses a module without index.ts', () => {
    expect(faultsWith({'src/use/report/score.ts': ''})).toEqual([
      expect.stringMatching(/^src\/use\/report\/index\.ts:1: index: /)
    ])
  })

  it('checkModules(...) refuses export * and export * as', () => {
    for (const code of [`export * from './half.ts'`, `export * as all from './half.ts'`])
      expect(faultsWith({'src/base/numeric/index.ts': `\n${code}\n`})).toEqual([
        expect.stringMatching(/^src\/base\/numeric\/index\.ts:2: export: /)
      ])
  })

  it('checkModules(...) refuses more than 500 lines, except in tests', () => {
    const lines = (count: number) => 'export {}\n'.repeat(count)
    expect(faultsWith({[row]: lines(500), 'src/read/data/row.test.ts': lines(501)})).toEqual([])
    expect(faultsWith({[row]: lines(501)})).toEqual([
      expect.stringMatching(/^src\/read\/data\/row\.ts:501: length: 501 lines/)
    ])
  })

  it('checkModules(...) lets tests import any index, their own module, test helpers and Node, but no inner file elsewhere', () => {
    const allowed = `import 'node:fs'\nimport 'vitest'\nimport '../files/index.ts'\nimport '../../index.ts'\nimport './row.ts'\n`
    const helpers = {'src/read/files/test-text.ts': '', 'src/read/files/text.contract.ts': ''}
    const tests = {
      'src/read/data/row.test.ts': `${allowed}import '../files/test-text.ts'\nimport '../files/text.contract.ts'\n`,
      'src/read/data/row.contract.ts': allowed,
      'src/read/data/test-rows.ts': allowed
    }
    expect(faultsWith({...helpers, ...tests})).toEqual([])
    expect(faultsWith({'src/read/data/row.test.ts': `import '../files/text.ts'\n`})).toEqual([
      'src/read/data/row.test.ts:1: import: src/read/files/text.ts belongs to another module; import src/read/files/index.ts'
    ])
  })
})

describe('budgets', () => {
  const budgeted = (lines: string, tests: string) =>
    parseModuleTable(
      `| module | imports beside it | lines | tests |\n|---|---|--:|--:|\n| base/a | nothing | ${lines} | ${tests} |\n| base/b.ts | a | 1 | 2 |\n`
    )
  const files = new Map([
    ['src/base/a/index.ts', 'export {}\n'],
    ['src/base/a/folder/page.css', 'p {\n}\n'],
    ['src/base/a/a.test.ts', '//\n//\n'],
    ['src/base/b.ts', '//\n'],
    ['src/base/b-more.test.ts', '//\n//\n']
  ])

  it('checkModules(...) refuses more lines, or more lines of tests, than the row of a module allows', () => {
    expect(checkModules(files, budgeted('3', '2'))).toEqual([])
    expect(checkModules(files, budgeted('2', '2'))).toEqual([
      expect.stringMatching(/^src\/base\/a:1: budget: 3 lines;/)
    ])
    expect(checkModules(files, budgeted('3', '1'))).toEqual([
      expect.stringMatching(/^src\/base\/a:1: budget: 2 lines of/)
    ])
    const grown = new Map([...files, ['src/base/b-more.test.ts', '//\n//\n//\n']])
    expect(checkModules(grown, budgeted('3', '2'))).toEqual([expect.stringMatching(/^src\/base\/b\.ts:1: budget: 3/)])
  })

  it('parseModuleTable(...) refuses a row without its numbers', () => {
    expect(() => budgeted('many', '1')).toThrow('numbers of lines and tests for "base/a"')
    expect(() => budgeted('1', '')).toThrow('numbers of lines and tests for "base/a"')
  })
})

describe('parseModuleTable(markdown)', () => {
  it('parseModuleTable(...) reads layers, names, "all above", "nothing", Node and text in parentheses', () => {
    const more = parseModuleTable(
      '| module | imports beside it |\n|---|---|\n| a/b | nothing |\n| a/c.ts | all above |\n'
    )
    expect([...(more.modules.get('a/c.ts')?.beside ?? [])]).toEqual(['a/b'])
    expect(table.layers).toEqual(['base', 'read', 'learn', 'use', 'app', ''])
    const shown = [...table.modules.values()].map(({name, beside, node, browser}) => [
      name,
      [...beside].join(' '),
      node ? 'Node' : browser ? 'Browser' : ''
    ])
    expect(shown).toEqual([
      ['base/numeric', '', ''],
      ['base/linear', 'base/numeric', ''],
      ['read/data', '', ''],
      ['read/files', 'read/data', 'Node'],
      ['learn/fit.ts', '', ''],
      ['use/report', '', ''],
      ['app/studio', '', 'Browser'],
      ['app/cli', '', 'Node'],
      ['index.ts', '', '']
    ])
  })

  it('parseModuleTable(...) refuses names not in a row above, second rows, torn layers and pages without the table', () => {
    const page = (rows: string) => `| module | imports beside it |\n|---|---|\n${rows}`
    expect(() => parseModuleTable(page('| w/a | b |\n| w/b | nothing |'))).toThrow('lets "w/a" import "w/b"')
    expect(() => parseModuleTable(page('| w/a | nothing |\n| w/a | nothing |'))).toThrow('two rows for "w/a"')
    expect(() => parseModuleTable(page('| w/a | nothing |\n| v/a | nothing |\n| w/b | nothing |'))).toThrow(
      '"w/b" apart'
    )
    expect(() => parseModuleTable('# Nothing')).toThrow('no table of modules')
  })
})
