import {pathToFileURL} from 'node:url'
import {expect, test} from 'vitest'
import {isColoured, linkFiles, takesLinks} from './terminal.ts'
import {testFolder} from './test-run.ts'

const [terminal, pipe] = [{isTTY: true}, {}]

test('isColoured(...) follows NO_COLOR before FORCE_COLOR before the terminal', () => {
  expect(isColoured(terminal, {})).toBe(true)
  expect(isColoured(pipe, {})).toBe(false)
  expect(isColoured(pipe, {CI: '1'})).toBe(false)
  expect(isColoured(terminal, {TERM: 'dumb'})).toBe(false)
  expect(isColoured(terminal, {NO_COLOR: '1'})).toBe(false)
  expect(isColoured(terminal, {NO_COLOR: ''})).toBe(true)
  expect(isColoured(pipe, {FORCE_COLOR: '1'})).toBe(true)
  expect(isColoured(terminal, {FORCE_COLOR: '0'})).toBe(false)
  expect(isColoured(terminal, {FORCE_COLOR: 'false'})).toBe(false)
  expect(isColoured(terminal, {NO_COLOR: '1', FORCE_COLOR: '1'})).toBe(false)
})

test('takesLinks(...) knows some terminals, and never links in pipes, CI, tmux or against NO_HYPERLINKS', () => {
  const takers = [
    {TERM_PROGRAM: 'iTerm.app'},
    {TERM_PROGRAM: 'vscode'},
    {TERM: 'xterm-kitty'},
    {VTE_VERSION: '7006'},
    {KONSOLE_VERSION: '230800'},
    {WT_SESSION: 'x'}
  ]
  for (const env of takers) {
    expect(takesLinks(terminal, env)).toBe(true)
    expect(takesLinks(pipe, env)).toBe(false)
    for (const more of [{NO_HYPERLINKS: '1'}, {CI: 'true'}, {TMUX: '/tmp/tmux'}, {TERM: 'screen-256color'}])
      expect(takesLinks(terminal, {...env, ...more})).toBe(false)
  }
  for (const env of [{}, {TERM: 'xterm-256color'}, {TERM_PROGRAM: 'Apple_Terminal'}, {VTE_VERSION: '5000'}])
    expect(takesLinks(terminal, env)).toBe(false)
})

const folder = testFolder()

test('linkFiles(...) links the files that a text says are written, and nothing else', () => {
  const file = folder.write('a model.json', '{}')
  const other = folder.write('b', '')
  const link = (path: string) => `\x1b]8;;${pathToFileURL(path).href}\x1b\\${path}\x1b]8;;\x1b\\`
  expect(linkFiles(`3 b\nwrote ${file}, ${other}`, [file, other])).toBe(`3 b\nwrote ${link(file)}, ${link(other)}`)
  expect(linkFiles(`wrote\n  ${folder.path}/b`, [folder.path])).toBe(`wrote\n  ${link(other)}`)
  for (const text of [`read ${file}`, `wrote ${file}x`, 'wrote nothing', `wrote ${folder.path}/missing`])
    expect(linkFiles(text, [file, '-', `${folder.path}/missing`])).toBe(text)
})

test('linkFiles(...) takes signs of regular expressions in names as they are', () => {
  const file = folder.write('a(1)+.json', '{}')
  expect(linkFiles(`wrote ${file}`, [file])).toContain('\x1b]8;;file:')
})
