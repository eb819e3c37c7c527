import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {createOutput, isColoured} from './output.ts'

let stdout: string
let stderr: string
let now: number

beforeEach(() => {
  stdout = ''
  stderr = ''
  now = 0
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    stdout += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    stderr += text
    return true
  })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('createOutput', () => {
  test.each([
    [{json: false, quiet: false}, 'result\n', 'remark\n'],
    [{json: true, quiet: false}, '{\n  "a": []\n}\n', 'remark\n'],
    [{json: false, quiet: true}, 'result\n', '']
  ])('createOutput(%j) prints results, JSON and notes where they belong', (options, printed, told) => {
    const output = createOutput(options)
    output.print('result')
    output.json({a: []})
    output.note('remark')
    if (options.quiet) now = 60_000
    if (options.quiet) output.progress('counting', 0.5)
    output.done()
    expect([stdout, stderr]).toEqual([printed, told])
  })

  test('progress(...) appears once the work has lasted a second, with the share and the time left', () => {
    const output = createOutput({json: false, quiet: false})
    now = 999
    output.progress('counting: 10 documents', 0.1)
    expect(stderr).toBe('')
    now = 2000
    output.progress('counting: 20 documents', 0.2)
    expect(stderr).toBe('counting: 20 documents, 20%, about 8 s left\n')
    now = 2001
    output.progress('counting: 21 documents', 0.21)
    expect(stderr.split('\n')).toHaveLength(2)
    now = 20_000
    output.progress('counting: 30 documents', 0.01)
    expect(stderr).toMatch(/counting: 30 documents, 1%, about 33 min left\n$/)
    expect(stdout).toBe('')
  })

  test('progress(...) tells speed and time left of the stage, not of the program', () => {
    const output = createOutput({json: false, quiet: false})
    output.progress('learning the vocabulary: 1 document', 0.5, 1)
    now = 60_000
    output.progress('counting: 0 documents', 0, 0)
    now = 70_000
    output.progress('counting: 850,000 documents', 0.5, 850_000)
    expect(stderr).toMatch(/counting: 850,000 documents, 85,000\/s, 50%, about 10 s left\n$/)
  })

  test('progress(...) is one line that changes in a terminal, and done() takes it away', () => {
    const wasTerminal = process.stderr.isTTY
    process.stderr.isTTY = true
    try {
      const output = createOutput({json: false, quiet: false})
      now = 1500
      output.progress('reading', 0.5)
      now = 1700
      output.progress('reading', 0.6)
      expect(stderr).not.toContain('\n')
      expect(stderr.split('\r\x1b[K')).toHaveLength(3)
      output.print('result')
      expect(stderr.endsWith('\r\x1b[K')).toBe(true)
      const shown = stderr
      output.done()
      expect(stderr).toBe(shown)
    } finally {
      process.stderr.isTTY = wasTerminal
    }
  })
})

test.each<[object, Record<string, string>, boolean]>([
  [{isTTY: true}, {}, true],
  [{}, {}, false],
  [{isTTY: true}, {TERM: 'dumb'}, false],
  [{isTTY: true}, {NO_COLOR: '1'}, false],
  [{isTTY: true}, {NO_COLOR: ''}, true],
  [{}, {FORCE_COLOR: '1'}, true],
  [{isTTY: true}, {FORCE_COLOR: '0'}, false],
  [{isTTY: true}, {NO_COLOR: '1', FORCE_COLOR: '1'}, false]
])('isColoured(%j, %j) is %s: NO_COLOR before FORCE_COLOR before the terminal', (stream, environment, expected) => {
  expect(isColoured(stream, environment)).toBe(expected)
})
