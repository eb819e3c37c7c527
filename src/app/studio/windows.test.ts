import {readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import type {PageName} from './store.ts'
import {KEYS} from './windows.tsx'

const folder = fileURLToPath(new URL('.', import.meta.url))

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  ' ': 'Space',
  '-': '−',
  // The same key without Shift.
  '=': '+'
}

/** Keys that a source compares with, lists, or walks by. */
function keysOf(text: string): string[] {
  const found = [
    /\bkey [=!]== '(\S|Enter|Escape)'/g,
    /\bevent\.key === '( )'/g,
    /\b(?:case '|^\s*)?(Arrow(?:Up|Down|Left|Right)|Page(?:Up|Down)|Home|End)\b(?=[':])/gm,
    /\b(\w): 'Arrow/g
  ].flatMap(pattern => [...text.matchAll(pattern)].map(([, key]) => key))
  return [...new Set(found)].map(key => NAMES[key] ?? key)
}

/** Returns the page in whose folder a file is; undefined for files that all pages share. */
function pageOf(name: string): PageName | undefined {
  if (name === 'ui/network-view.ts') return 'graph'
  return /^pages\/(\w+)\//.exec(name)?.[1] as PageName | undefined
}

const listed = (where: keyof typeof KEYS) => KEYS[where].flatMap(([keys]) => keys.split(' '))

const handlers = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter(name => /\.tsx?$/.test(name) && !/test/.test(name) && name !== 'windows.tsx')
  .map(name => ({name, keys: keysOf(readFileSync(`${folder}/${name}`, 'utf8'))}))
  .filter(({keys}) => keys.length > 0)

test('the sources that handle keys are found', () => {
  const found = handlers.map(({name}) => pageOf(name))
  expect(new Set(found)).toEqual(new Set([undefined, 'graph', 'documents', 'label', 'anchors']))
})

test.each(handlers)('the help has the keys of $name', ({name, keys}) => {
  const page = pageOf(name)
  const known = [...listed('everywhere'), ...(page === undefined ? [] : listed(page))]
  expect(keys.filter(key => !known.includes(key))).toEqual([])
})
