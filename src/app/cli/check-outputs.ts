import {type BigIntStats, constants, fstatSync, readFileSync, realpathSync, statSync} from 'node:fs'
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import type {Command} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {checkWritable, isStandardOutput, isTextFile} from '../../read/files/index.ts'
import {usageError} from './common-options.ts'

/** Options of commands that name a file to write; the default is -o alone. All other files are read. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  count: ['output', 'audit'],
  explain: ['svg'],
  generate: ['output', 'truth', 'anchors'],
  init: ['output', 'anchors'],
  label: ['output', 'sheet'],
  merge: ['output', 'audit'],
  run: ['model', 'report', 'tagged'],
  studio: ['save']
}

/** A file of the command line: the flag or argument that names it, and its path, which may be `-`. */
interface NamedFile {
  readonly by: string
  readonly path: string
}

interface NamedFiles {
  readonly inputs: readonly NamedFile[]
  readonly outputs: readonly NamedFile[]
}

/**
 * Refuses, before anything is read, outputs that cannot be written, that are also read, or that name one file twice. Outputs
 * that lead to standard output, such as /dev/stdout, become `-`, which every command knows.
 */
export async function checkOutputs(command: Command): Promise<void> {
  for (const {attributeName, path} of fileOptions(command).filter(({isWritten}) => isWritten))
    if (isStandardOutput(path)) command.setOptionValue(attributeName, '-')
  const {inputs, outputs} = filesOf(command)
  const folder = folderOf(command)
  const nameless = [...inputs, ...outputs].find(({path}) => path === '')?.by ?? (folder === '' ? '-o' : undefined)
  if (nameless !== undefined)
    throw usageError(
      `${nameless} is empty; name a ${folder === '' ? 'folder' : 'file'} (is a variable of the shell not set?)`
    )
  if (inputs.filter(({path}) => path === '-').length > 1)
    throw usageError('standard input (-) is given twice; it can be read only once; name it once')
  if (folder === '-')
    throw usageError('-o names a folder for several files, and standard output holds one; name a folder')
  if (folder === undefined && outputs.every(({path}) => path === '-')) refuseClosed()
  refuseTwice(outputs)
  refuseInputs(inputs, [...outputs, ...alsoWritten(command, outputs)])
  for (const {path} of outputs) await checkWritable(path)
}

function filesOf(command: Command): NamedFiles {
  const options = fileOptions(command)
  const named = command.registeredArguments.flatMap((argument, at) => {
    const value: unknown = command.processedArgs[at]
    if (argument.argChoices !== undefined || value === undefined) return []
    return [value].flat().map(path => ({by: `<${argument.name()}>`, path: String(path)}))
  })
  // A rehearsal writes no tables.
  const isWritten = (name: string) => !(command.opts().dryRun === true && name === 'output')
  const inputs = [...named, ...options.filter(option => !option.isWritten)]
  return {
    inputs: [...inputs, ...certificates(command)],
    outputs: options.filter(option => option.isWritten && isWritten(option.attributeName))
  }
}

/** The certificate for a database, which the environment names. */
function certificates(command: Command): NamedFile[] {
  const by = 'ADFA_CLICKHOUSE_CA'
  const path = process.env[by]
  return path && command.options.some(option => option.long === '--engine') ? [{by, path}] : []
}

/** Options that hold a path or several, one entry per path. */
function fileOptions(command: Command) {
  const written = WRITTEN[command.name()] ?? ['output']
  return command.options.flatMap(option => {
    const attributeName = option.attributeName()
    const value: unknown = command.getOptionValue(attributeName)
    if (value === undefined || value === false || !/<files?(\.\.\.)?>/.test(option.flags)) return []
    const isWritten = written.includes(attributeName)
    const by = option.short ?? option.long ?? attributeName
    return [value].flat().map(path => ({attributeName, isWritten, by, path: String(path)}))
  })
}

/** The folder that a command fills with files, if it does. */
function folderOf(command: Command): string | undefined {
  return command.options.some(({flags}) => flags.includes('<folder>')) ? String(command.opts().output) : undefined
}

/** Standard output is written in any case, tables have an audit beside them, and experiments fill a folder. */
function alsoWritten(command: Command, outputs: readonly NamedFile[]): NamedFile[] {
  const hasTables = command.options.some(option => option.attributeName() === 'maxOrder')
  const audits = outputs.filter(({by, path}) => hasTables && by === '-o' && path !== '-')
  const folder = folderOf(command)
  const results = folder === undefined ? [] : ['experiment.json', 'report.html', ...experimentsOf(command)]
  return [
    {by: 'standard output', path: '-'},
    ...audits.map(({path}) => ({by: 'the audit', path: `${path}.audit.txt`})),
    ...results.map(name => ({by: 'the result', path: join(folder ?? '', name)}))
  ]
}

/** Experiments to choose from; each has a folder of its own for its results. */
function experimentsOf(command: Command): readonly string[] {
  return command.registeredArguments.flatMap(({argChoices}) => argChoices ?? [])
}

function refuseTwice(outputs: readonly NamedFile[]): void {
  const seen = new Map<string, NamedFile>()
  for (const output of outputs) {
    const place = output.path === '-' ? '-' : placeOf(output.path, 1)
    const before = place === undefined ? undefined : seen.get(place)
    if (before !== undefined)
      throw usageError(
        place === '-'
          ? `${before.by} and ${output.by} are both standard output, which holds one file; name another file for one of them`
          : `${before.by} ${before.path} and ${output.by} ${output.path} are one file, which can hold one of them; name two files`
      )
    if (place !== undefined) seen.set(place, output)
  }
}

function refuseInputs(inputs: readonly NamedFile[], outputs: readonly NamedFile[]): void {
  for (const output of outputs) {
    const place = placeOf(output.path, 1)
    const isSame = ({path}: NamedFile) =>
      (place !== undefined && placeOf(path, 0) === place) || (output.path !== '-' && holds(path, output.path))
    const input = inputs.find(isSame)
    if (input === undefined) {
      refuseDocument(output, inputs)
      continue
    }
    const [what, other] = [nameOf(output, 'standard output'), nameOf(input, 'standard input')]
    throw usageError(
      output.path === input.path && output.path !== '-'
        ? `${what} is also read${input.by.startsWith('<') ? '' : ` (${input.by})`} and would be lost; write to another file`
        : `${what} and ${other}, which is read, are the same file, which would be lost; write to another file`
    )
  }
}

/** Refuses an output that would be a document of a folder of text files when the folder is read again. */
function refuseDocument(output: NamedFile, inputs: readonly NamedFile[]): void {
  if (output.path === '-') return
  const path = join(realPath(dirname(output.path)), basename(output.path))
  const folder = inputs.find(input => {
    const inner = relative(realPath(input.path), path)
    return isTextFile(inner) && !isAbsolute(inner) && statusOf(input.path)?.isDirectory()
  })
  if (folder !== undefined)
    throw usageError(
      `${nameOf(output, '')} is in ${folder.path}, whose .txt files are the documents, and would become one of them; write to another folder, or with another ending`
    )
}

function nameOf({by, path}: NamedFile, standard: string): string {
  return path === '-' ? standard : `${by} ${path}`
}

/**
 * The same for all names of a file, also through links; for one that does not exist, its path. Undefined for terminals and
 * devices, which may be read and written at once.
 */
function placeOf(path: string, standard: 0 | 1): string | undefined {
  const status = statusOf(path, standard)
  if (status === undefined) return path === '-' ? undefined : join(realPath(dirname(path)), basename(path))
  return status.isFile() || status.isFIFO() ? `${status.dev}:${status.ino}` : undefined
}

/** Undefined if there is no such file, or it cannot be looked at. */
function statusOf(path: string, standard: 0 | 1 = 0): BigIntStats | undefined {
  try {
    return path === '-' ? fstatSync(standard, {bigint: true}) : statSync(path, {bigint: true})
  } catch {
    return undefined
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Whether an input is a file pattern of DuckDB that an existing output fits, or is in a folder that is written. */
function holds(input: string, output: string): boolean {
  const status = statusOf(output)
  if (status?.isDirectory()) return realPath(input).startsWith(`${realPath(output)}${sep}`)
  if (status === undefined || !/[*?[]/.test(input) || statusOf(input) !== undefined) return false
  const parts: Readonly<Record<string, string>> = {'**': '.*', '*': '[^/]*', '?': '[^/]'}
  const pattern = resolve(input).replace(/\*\*|[*?]|[.+^${}()|\\]/g, part => parts[part] ?? `\\${part}`)
  try {
    return new RegExp(`^${pattern.replaceAll('[!', '[^')}$`).test(resolve(output))
  } catch {
    // A bracket without its partner; DuckDB reports it.
    return false
  }
}

/** Node puts this in place of a standard output that was closed, so that writing to it seems to succeed. */
function refuseClosed(): void {
  try {
    const [, flags] = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/1', 'utf8')) ?? []
    const isNull = fstatSync(1).rdev === statSync('/dev/null').rdev && fstatSync(1).isCharacterDevice()
    if (!isNull || (Number.parseInt(flags, 8) & constants.O_RDWR) === 0) return
  } catch {
    // Other systems do not tell.
    return
  }
  throw new AdfaError(
    'cannot-write',
    'standard output is closed, so the result would be lost; redirect it to a file or a pipe (> /dev/null to discard it)'
  )
}
