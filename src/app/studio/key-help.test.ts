import {readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {KEYS} from './key-help.ts'
import {TICK_KEYS} from './label-keys.ts'
import type {PageName} from './store.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The page of every file that handles keys; others are those of all pages. */
const PAGE_OF: Readonly<Record<string, PageName>> = {
  'graph-card.tsx': 'graph',
  'graph-order.ts': 'graph',
  'graph-page.tsx': 'graph',
  'graph-picture.tsx': 'graph',
  'link-matrix.tsx': 'graph',
  'documents-page.tsx': 'documents',
  'list-area.tsx': 'documents',
  'label-keys.ts': 'label',
  'mistakes-area.tsx': 'evaluate',
  'probe-box.tsx': 'anchors',
  'snapshots-area.tsx': 'compare'
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  ' ': 'Space',
  '-': '−'
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

const listed = (where: keyof typeof KEYS) => KEYS[where].flatMap(([keys]) => keys.split(' '))

const handlers = readdirSync(folder)
  .filter(name => /\.tsx?$/.test(name) && !/test/.test(name) && name !== 'key-help.ts')
  .map(name => ({name, keys: keysOf(readFileSync(`${folder}/${name}`, 'utf8'))}))
  .filter(({keys}) => keys.length > 0)

test('the sources that handle keys are found', () => {
  const names = handlers.map(({name}) => name)
  expect(names).toEqual(expect.arrayContaining([...Object.keys(PAGE_OF), 'frame.tsx', 'list-keys.ts']))
})

test.each(handlers)('the help has the keys of $name', ({name, keys}) => {
  const page = PAGE_OF[name]
  const known = [...listed('everywhere'), ...(page === undefined ? [] : listed(page))]
  expect(keys.filter(key => !known.includes(key))).toEqual([])
})

test('digits and letters tick concepts', () => {
  expect([TICK_KEYS[0], TICK_KEYS[8], TICK_KEYS[9], TICK_KEYS.at(-1)]).toEqual(['1', '9', 'a', 'z'])
  expect(listed('label')).toEqual(expect.arrayContaining(['1–9', 'a–z']))
})

test('every page has a key of its own', () => {
  for (const [where, keys] of Object.entries(KEYS)) expect([where, keys.length]).not.toEqual([where, 0])
})
