import {existsSync, mkdirSync, symlinkSync} from 'node:fs'
import type {Command} from 'commander'
import {describe, expect, test} from 'vitest'
import {WRITTEN} from './check-outputs.ts'
import {createProgram} from './run.ts'
import {adfa, adfaDone, endOf, generateSmall, refused, startProgram, testFolder} from './test-run.ts'

const folder = testFolder()
// Not a valid input of any kind: a command that began to read would say so.
const precious = folder.write('precious.bif', 'precious')
const other = folder.write('other.jsonl', 'other')
mkdirSync(folder.at('folder'))
const {commands} = await createProgram()
const isLinux = process.platform === 'linux'
const emergency = ['generate', 'emergency', '--documents', '5']
const lost = refused(2, /would be lost; write to another file\n$/)

/** What `command` needs beside the options in `given`, with harmless values. */
function needed(command: Command, given: readonly string[]): string[] {
  return command.options
    .filter(option => option.mandatory && !given.includes(option.attributeName()))
    .flatMap(option => [String(option.long), option.argChoices?.[0] ?? folder.at('unwritten')])
}

function argumentsOf(command: Command, replaced?: number): string[] {
  return command.registeredArguments.map((argument, at) =>
    at === replaced ? precious : (argument.argChoices?.[0] ?? other)
  )
}

/** Lines of a command in which a file that it writes is one that it reads, for all pairs of both. */
function linesOverInput(command: Command): string[][] {
  const options = command.options.filter(option => /<files?(\.\.\.)?>/.test(option.flags))
  const isWritten = (name: string) => (WRITTEN[command.name()] ?? ['output']).includes(name)
  // A project is read first; use-project.test.ts protects it.
  const reads = options.filter(option => !isWritten(option.attributeName()) && option.attributeName() !== 'project')
  return options
    .filter(option => isWritten(option.attributeName()))
    .flatMap(output => {
      const end = [String(output.long), precious]
      const byOption = reads.map(input => {
        const rest = needed(command, [output.attributeName(), input.attributeName()])
        return [...argumentsOf(command), ...rest, String(input.long), precious, ...end]
      })
      const byArgument = command.registeredArguments.flatMap((argument, at) =>
        argument.argChoices === undefined
          ? [[...argumentsOf(command, at), ...needed(command, [output.attributeName()]), ...end]]
          : []
      )
      return [...byOption, ...byArgument]
    })
}

describe('an output that is also read', () => {
  const lines = commands.map(command => [command.name(), linesOverInput(command)] as const)

  test('there are pairs of files to try for every command that reads and writes files', () => {
    const tried = lines.filter(([, own]) => own.length > 0).map(([name]) => name)
    const names = 'count merge label doctor fit predict report export'.split(' ')
    expect(tried).toEqual(expect.arrayContaining(names))
    expect(lines.flatMap(([, own]) => own).length).toBeGreaterThan(50)
  })

  test.each(lines)(
    'adfa %s refuses every file that it reads as output, and reads and writes nothing',
    async (name, own) => {
      const before = folder.names()
      for (const line of own) expect([line, await adfa(name, ...line)]).toEqual([line, lost])
      expect(folder.text('precious.bif')).toBe('precious')
      expect(folder.names()).toEqual(before)
    }
  )

  test('by any name', async () => {
    symlinkSync(precious, folder.at('symbolic'))
    symlinkSync('symbolic', folder.at('twice-symbolic'))
    for (const path of ['folder/../precious.bif', 'symbolic', 'twice-symbolic'])
      expect(await adfa`fit ${precious} --anchors ${other} -o ${folder.path}/${path}`).toEqual(lost)
  })

  test('an output that a folder of text files would hold as a document is refused', async () => {
    mkdirSync(folder.at('texts/inner'), {recursive: true})
    const first = folder.write('texts/a.txt', 'fever')
    for (const path of [first, folder.at('texts/new.txt'), folder.at('folder/../texts/inner/new.TXT.gz')])
      expect(await adfa`predict ${other} ${folder.at('texts')} -o ${path}`).toEqual(refused(2, /become one of them/))
    for (const name of ['texts/new.csv', 'texts/.new.txt', 'texts.txt']) {
      const {stderr} = await adfa`predict ${other} ${folder.at('texts')} -o ${folder.at(name)}`
      expect(stderr).not.toContain('would become')
    }
    expect(folder.text('texts/a.txt')).toBe('fever')
  })

  test('two outputs that are one file are refused, whether or not it exists', async () => {
    for (const name of ['precious.bif', 'new.json']) {
      const twice = ['-o', folder.at(name), '--truth', folder.at(`folder/../${name}`)]
      expect(await adfa`${emergency} ${twice}`).toEqual(refused(2, /are one file/))
    }
    expect(await adfa`${emergency} -o - --anchors -`).toEqual(refused(2, /both standard output/))
    expect(existsSync(folder.at('new.json'))).toBe(false)
  })
})

test('a file without a name is refused, and standard input is read once', async () => {
  for (const command of commands.filter(({options}) =>
    options.some(option => option.flags.includes('-o, --output <file>'))
  ))
    expect(await adfa`${command.name()} ${argumentsOf(command)} ${needed(command, ['output'])} -o ${''}`).toEqual(
      refused(2, /^adfa: -o is empty; name a file /)
    )
  expect(await adfa`count ${''} --anchors ${other} -o ${folder.at('new')}`).toEqual(
    refused(2, /<docs> is empty; name a/)
  )
  expect(await adfa`predict - -`).toEqual(refused(2, /standard input \(-\) is given twice/))
  expect((await adfa`predict - ${other}`).stderr).toContain('standard input may only hold documents; name a file here')
})

describe('standard output as output', () => {
  test.runIf(isLinux)('its name is written through, never replaced, also into a file', async () => {
    const expected = await adfaDone`${emergency} -o -`
    const log = folder.write('log', 'before\n')
    const redirected = startProgram([...emergency, '-o', '/dev/stdout'], {shell: `exec >> '${log}'`})
    expect(await endOf(redirected)).toMatchObject({code: 0, stdout: ''})
    expect(folder.text('log')).toBe(`before\n${expected}`)
  })

  test('-o - carries the file, and only that, in every command with an output file', async () => {
    const {docs, anchors} = await generateSmall(folder, 400)
    const [counts, model, sheet] = ['c.counts', 'm.json', 'sheet.csv'].map(folder.at)
    await adfaDone`count ${docs} --anchors ${anchors} -o ${counts}`
    await adfaDone`fit ${counts} -o ${model}`
    const reading = [docs, '--anchors', anchors]
    const drawn = ['--documents', '5', '--anchored', '0']
    await adfaDone`label ${reading} ${drawn} --sheet ${sheet}`
    folder.write('sheet.csv', folder.text('sheet.csv').replaceAll(',random,,', ',random,x,'))
    const release = ['count', ...reading, '--max-order', '2', '--site', 'A']
    // Few numbers are withheld, so that the attack is short.
    const audit = ['--min-cell', '2', '-o', folder.at('x.tables'), '--audit']
    const lines: readonly (readonly [readonly string[], RegExp])[] = [
      [['count', ...reading, '-o'], /^ADFA/],
      [[...release, '-o'], /^\{"format":"adfa-release"/],
      [[...release, ...audit], /Every number in the file/],
      [['merge', counts, '-o'], /^ADFA/],
      [['label', ...reading, '--sheet'], /^[^\n]*done/],
      [['label', ...reading, ...drawn, '--from-sheet', sheet, '-o'], /^\{"id"/],
      [['doctor', ...reading, '-o'], /^\{/],
      [['fit', counts, '-o'], /^\{/],
      [['predict', model, docs, '-o'], /^\{"id"/],
      [['report', model, '-o'], /^<!doctype html>/i],
      [['export', model, '--to', 'svg', '-o'], /^<svg/],
      [[...emergency, '-o'], /^\{"id"/],
      [[...emergency, '-o', folder.at('x.jsonl'), '--truth'], /^\{/],
      [[...emergency, '-o', folder.at('x.jsonl'), '--anchors'], /^\{/]
    ]
    for (const [args, start] of lines) {
      const printed = await adfaDone(...args, '-')
      expect(printed).toMatch(start)
      expect(printed).not.toMatch(/^wrote /m)
    }
    expect(existsSync('-')).toBe(false)
  })
})
