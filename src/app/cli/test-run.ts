import {type ChildProcess, spawn} from 'node:child_process'
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, expect, vi} from 'vitest'
import {loadModel, type Model} from '../../learn/model/index.ts'
import {type Counts, countsFromBytes} from '../../read/counts/index.ts'
import {run} from './run.ts'

/** What a test reads of JSON, whose fields it asserts. */
type Json = ReturnType<typeof JSON.parse>

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The words of a command, or the command as it is typed, in which a value in braces is one word or a list of words. */
export type CommandLine =
  | readonly string[]
  | readonly [TemplateStringsArray, ...(readonly (string | readonly string[])[])]

function wordsOf(line: CommandLine): readonly string[] {
  const [parts, ...values] = line
  if (parts === undefined || typeof parts === 'string') return line as readonly string[]
  const words = ['']
  for (const [at, part] of parts.entries()) {
    const [rest, ...next] = (at === parts.length - 1 ? part.trimEnd() : part).split(/\s+/)
    words[words.length - 1] += rest
    words.push(...next)
    const value = values[at] ?? ''
    if (typeof value === 'string') words[words.length - 1] += value
    else words.splice(-1, 1, ...value)
  }
  return words
}

/** Run a command inside this process. */
export function adfa(...line: CommandLine): Promise<Ended> {
  return captured(() => run(wordsOf(line)))
}

/** How a command ends that is refused: with this code, a message like this, and nothing on standard output. */
export function refused(code: 1 | 2, message: RegExp): Ended {
  return {code, stdout: '', stderr: expect.stringMatching(message)}
}

/** What a command that runs inside this process says. */
export async function captured(start: () => Promise<number>): Promise<Ended> {
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  try {
    const code = await start()
    return {code, stdout: stdout.text(), stderr: stderr.text()}
  } finally {
    stdout.release()
    stderr.release()
  }
}

/** Run a command as if started in a folder. */
export async function adfaIn(path: string, ...line: CommandLine): Promise<Ended> {
  const before = process.cwd()
  process.chdir(path)
  try {
    return await adfa(...line)
  } finally {
    process.chdir(before)
  }
}

/** Run a command that must succeed, and give back what it printed. */
export async function adfaDone(...line: CommandLine): Promise<string> {
  const {code, stdout, stderr} = await adfa(...line)
  expect({code, stderr: code === 0 ? '' : stderr}).toEqual({code: 0, stderr: ''})
  return stdout
}

/** Run a command with `--json --quiet`: standard output must be one JSON document, and standard error empty. */
export async function adfaJson(...line: CommandLine): Promise<Json> {
  const {code, stdout, stderr} = await adfa(...wordsOf(line), '--json', '--quiet')
  expect({code, stderr}).toEqual({code: 0, stderr: ''})
  return JSON.parse(stdout)
}

function capture(stream: NodeJS.WriteStream): {text(): string; release(): void} {
  const chunks: Buffer[] = []
  const spy = vi.spyOn(stream, 'write').mockImplementation((chunk, second?: unknown, third?: unknown) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))
    for (const argument of [second, third]) if (typeof argument === 'function') argument()
    return true
  })
  return {text: () => Buffer.concat(chunks).toString(), release: () => spy.mockRestore()}
}

/** A folder for the tests of one file, removed after them. */
export interface TestFolder {
  readonly path: string
  /** The path of a file in the folder, there or not. */
  at(name: string): string
  /** Write a file; rows become JSON Lines. */
  write(name: string, content: string | Uint8Array | readonly object[]): string
  bytes(name: string): Buffer
  text(name: string): string
  json(name: string): Json
  /** The rows of a JSON Lines file. */
  rows(name: string): Json[]
  counts(name: string): Counts
  model(name: string): Model
  /** The names of all files, temporary ones among them. */
  names(): string[]
}

export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'adfa-cli-'))
  afterAll(() => rmSync(path, {recursive: true, force: true}))
  const at = (name: string) => join(path, name)
  const text = (name: string) => readFileSync(at(name), 'utf8')
  return {
    path,
    at,
    write(name, content) {
      const isPlain = typeof content === 'string' || content instanceof Uint8Array
      writeFileSync(at(name), isPlain ? content : jsonLines(content))
      return at(name)
    },
    bytes: name => readFileSync(at(name)),
    text,
    json: name => JSON.parse(text(name)),
    rows: name => parseLines(text(name)),
    counts: name => countsFromBytes(readFileSync(at(name)), name),
    model: name => loadModel(text(name), name),
    names: () => readdirSync(path).sort()
  }
}

export function jsonLines(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

export function parseLines(text: string): Json[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** Generated documents of 5 concepts and 40 words, with their anchors and the true model. */
export async function generateSmall(folder: TestFolder, documents = 600) {
  const small = {docs: folder.at('docs.jsonl'), anchors: folder.at('anchors.json'), truth: folder.at('truth.json')}
  const size = ['--concepts', '5', '--words', '40', '--documents', String(documents)]
  await adfaDone('generate', 'random', ...size, '-o', small.docs, '--anchors', small.anchors, '--truth', small.truth)
  return small
}

/** The program, or another one, in a process of its own, from the checkout as its folder. */
export function startProgram(
  args: readonly string[],
  options: {readonly temporary?: string; shell?: string; program?: string} = {}
) {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const command = [process.execPath, '--import', 'tsx', options.program ?? 'src/app/cli/adfa.ts', ...args]
  const [file, ...rest] =
    options.shell === undefined ? command : ['sh', '-c', `${options.shell}; exec "$@"`, 'sh', ...command]
  const env = options.temporary === undefined ? process.env : {...process.env, TMPDIR: options.temporary}
  return spawn(file, rest, {cwd: root, env, stdio: ['pipe', 'pipe', 'pipe']})
}

/** Wait for a process to end; `signal` is what ended it, if it did not end by itself. */
export async function endOf(child: ChildProcess): Promise<Ended & {readonly signal: NodeJS.Signals | null}> {
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      resolve({code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString()})
    })
  })
}
