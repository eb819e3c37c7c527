import {execFileSync, spawn} from 'node:child_process'
import {existsSync, linkSync, lstatSync, mkdirSync, readlinkSync, symlinkSync} from 'node:fs'
import type {Command} from 'commander'
import {beforeAll, describe, expect, test, vi} from 'vitest'
import {createProgram} from './run.ts'
import {adfa, adfaDone, endOf, generateSmall, startProgram, testFolder} from './test-run.ts'

const folder = testFolder()
// Not a valid input of any kind: a command that began to read would say so.
const precious = folder.write('precious.bif', 'precious')
const other = folder.write('other.jsonl', 'other')

/** The options of a command that name a file. */
function fileOptions(command: Command) {
  return command.options.filter(option => /<files?(\.\.\.)?>/.test(option.flags))
}

/** What `command` needs beside the options in `given`, with harmless values. */
function needed(command: Command, given: readonly string[]): string[] {
  return command.options
    .filter(option => option.mandatory && !given.includes(option.attributeName()))
    .flatMap(option => [String(option.long), option.argChoices?.[0] ?? folder.at('unwritten')])
}

function argumentsOf(command: Command, replaced?: {readonly at: number; readonly path: string}): string[] {
  return command.registeredArguments.map((argument, at) =>
    at === replaced?.at ? replaced.path : (argument.argChoices?.[0] ?? other)
  )
}

const written: Readonly<Record<string, readonly string[]>> = {
  count: ['output', 'audit'],
  merge: ['output', 'audit'],
  explain: ['svg'],
  generate: ['output', 'truth', 'anchors'],
  init: ['output', 'anchors'],
  label: ['output', 'sheet'],
  run: ['model', 'report', 'tagged'],
  studio: ['save']
}

/** For each command, all pairs of a file that it writes and a file that it reads. */
const pairs = (await createProgram()).commands.flatMap(command => {
  const isWritten = (name: string) => (written[command.name()] ?? ['output']).includes(name)
  const options = fileOptions(command)
  const reads = options.filter(option => !isWritten(option.attributeName()) && command.name() !== 'generate')
  return options
    .filter(option => isWritten(option.attributeName()))
    .flatMap(output => [
      ...reads.map(input => {
        const given = [output.attributeName(), input.attributeName()]
        const line = (path: string) => [
          ...argumentsOf(command),
          ...needed(command, given),
          `${input.long}`,
          precious,
          `${output.long}`,
          path
        ]
        return [command.name(), String(output.long), String(input.long), line] as const
      }),
      ...command.registeredArguments.flatMap((argument, at) => {
        if (argument.argChoices !== undefined) return []
        const line = (path: string) => [
          ...argumentsOf(command, {at, path: precious}),
          ...needed(command, [output.attributeName()]),
          `${output.long}`,
          path
        ]
        return [[command.name(), String(output.long), argument.name(), line] as const]
      })
    ])
})

beforeAll(() => {
  symlinkSync(precious, folder.at('symbolic'))
  symlinkSync('symbolic', folder.at('twice-symbolic'))
  linkSync(precious, folder.at('hard'))
  mkdirSync(folder.at('folder'))
})

describe('an output that is also read', () => {
  test('there are pairs of files to try for every command that reads and writes files', () => {
    const names = new Set(pairs.map(([name]) => name))
    expect([...names]).toEqual(
      expect.arrayContaining('protocol count merge label noise fit predict explain report export'.split(' '))
    )
    expect(pairs.length).toBeGreaterThan(50)
  })

  test.each(pairs)(
    'adfa %s refuses %s when it is %s, by any name, and reads and writes nothing',
    async (name, ...rest) => {
      const line = rest[2]
      const before = folder.names()
      for (const path of [precious, folder.at('folder/../precious.bif'), 'symbolic', 'twice-symbolic', 'hard']) {
        const {code, stderr} = await adfa(name, ...line(path.includes('/') ? path : folder.at(path)))
        expect([path, code, stderr]).toEqual([
          path,
          2,
          expect.stringMatching(/would be lost; write to another file\n$/)
        ])
        expect(folder.text('precious.bif')).toBe('precious')
      }
      expect(folder.names()).toEqual(before)
    }
  )

  test('adfa count refuses an output that a file pattern of DuckDB fits, and an audit over its input', async () => {
    const part = folder.write('part-1.jsonl', 'part')
    const pattern = ['count', folder.at('part-*.jsonl'), '--engine', 'duckdb', '--anchors', other, '-o', part]
    expect(await adfa(...pattern)).toMatchObject({code: 2, stderr: expect.stringContaining('would be lost')})
    const docs = folder.write('x.tables.audit.txt', 'docs')
    const tables = ['count', docs, '--anchors', other, '--max-order', '2', '--site', 'A', '-o', folder.at('x.tables')]
    expect(await adfa(...tables)).toMatchObject({code: 2, stderr: expect.stringContaining('would be lost')})
    expect([folder.text('part-1.jsonl'), folder.text('x.tables.audit.txt')]).toEqual(['part', 'docs'])
  })

  test('an output that a folder of text files would hold as a document is refused', async () => {
    mkdirSync(folder.at('texts/inner'), {recursive: true})
    const first = folder.write('texts/a.txt', 'fever')
    const predict = (path: string) => adfa('predict', other, folder.at('texts'), '-o', path)
    for (const path of [first, folder.at('texts/new.txt'), folder.at('folder/../texts/inner/new.TXT.gz')])
      expect(await predict(path)).toMatchObject({code: 2, stderr: expect.stringMatching(/would become one of them/)})
    for (const name of ['texts/new.csv', 'texts/.new.txt', 'texts.txt'])
      expect((await predict(folder.at(name))).stderr).not.toContain('would become')
    expect(folder.text('texts/a.txt')).toBe('fever')
  })

  test('the certificate that the environment names is not written over', async () => {
    vi.stubEnv('ADFA_CLICKHOUSE_CA', folder.write('ca.pem', 'certificate'))
    const {code, stderr} = await adfa('count', other, '--anchors', other, '-o', folder.at('ca.pem'))
    vi.unstubAllEnvs()
    expect([code, stderr]).toEqual([2, expect.stringContaining('(ADFA_CLICKHOUSE_CA) and would be lost')])
  })

  test('two outputs that are one file are refused, whether or not it exists', async () => {
    for (const name of ['precious.bif', 'new.json']) {
      const twice = ['-o', folder.at(name), '--truth', folder.at(`folder/../${name}`)]
      const {code, stderr} = await adfa('generate', 'emergency', '--documents', '10', ...twice)
      expect([code, stderr]).toEqual([2, expect.stringContaining('are one file')])
    }
    const {code, stderr} = await adfa('generate', 'emergency', '-o', '-', '--anchors', '-')
    expect([code, stderr]).toEqual([2, expect.stringContaining('both standard output')])
    expect(existsSync(folder.at('new.json'))).toBe(false)
  })
})

describe('a file without a name', async () => {
  const commands = (await createProgram()).commands.filter(command =>
    command.options.some(option => option.short === '-o')
  )

  test.each(commands.map(command => [command.name(), command] as const))('adfa %s -o ""', async (name, command) => {
    const {code, stderr} = await adfa(name, ...argumentsOf(command), ...needed(command, ['output']), '-o', '')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^adfa: -o is empty; name a (file|folder) /)])
  })

  test('inputs too, and standard input is read once', async () => {
    expect(await adfa('count', '', '--anchors', other, '-o', folder.at('new'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('<docs> is empty; name a file')
    })
    expect(await adfa('predict', '-', '-')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('standard input (-) is given twice')
    })
    expect((await adfa('predict', '-', other)).stderr).toContain(
      '-: standard input may only hold documents; name a file here'
    )
  })
})

describe('standard output as output', () => {
  const stdout = folder.at('stdout')

  test.runIf(process.platform === 'linux')(
    'a link to it is written through, never replaced, also into a file',
    async () => {
      symlinkSync('/proc/self/fd/1', stdout)
      const generate = ['generate', 'emergency', '--documents', '20', '--quiet']
      const piped = await endOf(startProgram([...generate, '-o', stdout]))
      expect(piped).toMatchObject({code: 0, stderr: ''})
      const redirected = startProgram([...generate, '-o', stdout], {
        shell: `exec >> '${folder.write('log', 'before\n')}'`
      })
      expect(await endOf(redirected)).toMatchObject({code: 0, stdout: '', stderr: ''})
      expect(folder.text('log')).toBe(`before\n${piped.stdout}`)
      expect(piped.stdout.split('\n')).toHaveLength(21)
      expect(lstatSync(stdout).isSymbolicLink() && readlinkSync(stdout)).toBe('/proc/self/fd/1')
    }
  )

  test.runIf(process.platform === 'linux').each([
    ['predict', 'exec >> "$IN"', /standard output and <docs> .* are the same file/],
    ['predict -', 'exec < "$IN"', /-o .* and standard input, which is read, are the same file/]
  ])('adfa %s refuses a redirection to or from the other file', async (line, shell, message) => {
    const docs = folder.write('redirected.jsonl', 'docs')
    const [command, input = docs] = line.split(' ')
    const args = [command, other, input, ...(input === '-' ? ['-o', docs] : [])]
    const {code, stderr} = await endOf(startProgram(args, {shell: `IN='${docs}'; ${shell}`}))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(folder.text('redirected.jsonl')).toBe('docs')
  })

  test('-o - carries the file, and only that, in every command with an output file', async () => {
    const {docs, anchors} = await generateSmall(folder, 400)
    const [counts, model, sheet] = ['c.counts', 'm.json', 'sheet.csv'].map(folder.at)
    await adfaDone('count', docs, '--anchors', anchors, '-o', counts)
    await adfaDone('fit', counts, '-o', model)
    const reading = [docs, '--anchors', anchors]
    const id = String((folder.rows('docs.jsonl')[0] as {id: string}).id)
    await adfaDone('label', ...reading, '--documents', '5', '--anchored', '0', '--sheet', sheet)
    folder.write('sheet.csv', folder.text('sheet.csv').replaceAll(',random,,', ',random,x,'))
    const release = ['--max-order', '2', '--site', 'A']
    const lines: readonly (readonly [readonly string[], RegExp])[] = [
      [['protocol', ...reading, '-o'], /^\{\s*"format": "adfa-protocol"/],
      [['count', ...reading, '-o'], /^ADFA/],
      [['count', ...reading, ...release, '-o'], /^\{"format":"adfa-release"/],
      // Few numbers are withheld, so that the attack is short.
      [
        ['count', ...reading, ...release, '--min-cell', '2', '-o', folder.at('x.tables'), '--audit'],
        /Every number in the file/
      ],
      [['merge', counts, '-o'], /^ADFA/],
      [['label', ...reading, '--sheet'], /^[^\n]*done/],
      [['label', ...reading, '--documents', '5', '--anchored', '0', '--from-sheet', sheet, '-o'], /^\{"id"/],
      [['noise', ...reading, '-o'], /^\{/],
      [['fit', counts, '-o'], /^\{/],
      [['predict', model, docs, '-o'], /^\{"id"/],
      [['explain', model, docs, '--id', id, '--svg'], /^<svg/],
      [['report', model, '-o'], /^<!doctype html>/i],
      [['export', model, '--to', 'svg', '-o'], /^<svg/],
      [['generate', 'emergency', '--documents', '5', '-o'], /^\{"id"/],
      [['generate', 'emergency', '--documents', '5', '-o', folder.at('x.jsonl'), '--truth'], /^\{/],
      [['generate', 'emergency', '--documents', '5', '-o', folder.at('x.jsonl'), '--anchors'], /^\{/]
    ]
    for (const [args, start] of lines) {
      const {code, stdout, stderr} = await adfa(...args, '-')
      expect([args, code, code === 0 ? '' : stderr]).toEqual([args, 0, ''])
      expect(stdout).toMatch(start)
      expect(stdout).not.toMatch(/^wrote /m)
    }
    expect(await adfa('demo', '-o', '-')).toMatchObject({code: 2, stderr: expect.stringContaining('folder')})
    expect(existsSync('-')).toBe(false)
  })

  test.runIf(process.platform === 'linux')(
    'a closed standard output is refused if the result would go there',
    async () => {
      const closed = {shell: 'exec >&-'}
      for (const args of [
        ['predict', other, other],
        ['evaluate', other, other],
        ['export', other, '--to', 'svg']
      ])
        expect(await endOf(startProgram(args, closed))).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^adfa: standard output is closed/)
        })
      const own = ['generate', 'emergency', '--documents', '5', '-o', folder.at('despite.jsonl')]
      expect(await endOf(startProgram(own, closed))).toMatchObject({code: 0})
      expect(await endOf(startProgram([...own, '-o', folder.at('silent.jsonl')], {shell: 'exec 2>&-'}))).toMatchObject({
        code: 0
      })
      expect(folder.rows('despite.jsonl')).toEqual(folder.rows('silent.jsonl'))
    }
  )
})

describe.runIf(process.platform === 'linux')('an output that is no regular file', () => {
  test('is written to and stays what it is', async () => {
    const pipe = folder.at('pipe')
    execFileSync('mkfifo', [pipe])
    const reader = endOf(spawn('cat', [pipe]))
    await adfaDone('generate', 'emergency', '--documents', '5', '-o', pipe)
    expect((await reader).stdout.split('\n')).toHaveLength(6)
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    symlinkSync('/dev/null', folder.at('null'))
    await adfaDone('generate', 'emergency', '--documents', '5', '-o', folder.at('null'))
    expect(readlinkSync(folder.at('null'))).toBe('/dev/null')
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('a link that leads nowhere is refused and stays', async () => {
    symlinkSync('nowhere', folder.at('dangling'))
    const {code, stderr} = await adfa('generate', 'emergency', '--documents', '5', '-o', folder.at('dangling'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/dangling: cannot be written: it is a link to nowhere, which/)
    ])
    expect([readlinkSync(folder.at('dangling')), existsSync(folder.at('nowhere'))]).toEqual(['nowhere', false])
  })
})
