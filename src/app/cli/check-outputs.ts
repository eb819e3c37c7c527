import {realpathSync, statSync} from 'node:fs'
import {basename, dirname, join, resolve, sep} from 'node:path'
import type {Command} from 'commander'
import type {AdfaError} from '../../base/checks/index.ts'
import {checkWritable, isStandardOutput, isTextFile} from '../../read/files/index.ts'
import {usageError} from './common-options.ts'

/** Options of commands that name a file to write; the default is -o alone. All other files are read. */
export const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  count: ['output', 'audit'],
  generate: ['output', 'truth', 'anchors'],
  init: ['output', 'anchors'],
  label: ['output', 'sheet'],
  merge: ['output', 'audit'],
  run: ['model', 'report', 'tagged'],
  studio: ['save']
}

/** A file of the command line: the flag or argument that names it, its path, which may be `-`, and the file itself. */
interface NamedFile {
  readonly by: string
  readonly path: string
  /** The same for all paths to a file, also through links. */
  readonly place: string
}

/**
 * Refuses, before anything is read, outputs that cannot be written, that are also read, or that name one file twice. Outputs
 * that lead to standard output, such as /dev/stdout, become `-`, which every command knows.
 */
export async function checkOutputs(command: Command): Promise<void> {
  const {inputs, outputs} = filesOf(command)
  const nameless = [...inputs, ...outputs].find(({path}) => path === '')
  if (nameless !== undefined)
    throw usageError(`${nameless.by} is empty; name a file (is a variable of the shell not set?)`)
  if (inputs.filter(({path}) => path === '-').length > 1)
    throw usageError('standard input (-) is given twice; it can be read only once; name it once')
  for (const [at, output] of outputs.entries()) {
    // Devices and pipes may be read and written at once.
    if (output.path !== '-' && statSync(output.place, {throwIfNoEntry: false})?.isFile() === false) continue
    const twin = outputs.slice(0, at).find(({place}) => place === output.place)
    if (twin !== undefined) throw usageError(twiceText(twin, output))
    const input = inputs.find(({place}) => place === output.place && place !== '-')
    if (input !== undefined) throw usageError(lostText(output, input))
    // Read again, a folder of text files would have one document more.
    const folder = inputs.find(({place}) => output.place.startsWith(place + sep))
    if (folder !== undefined && isTextFile(output.place.slice(folder.place.length + 1)))
      throw usageError(
        `${output.by} ${output.path} is in ${folder.path}, whose .txt files are the documents, and would become one of them; write to another folder, or with another ending`
      )
  }
  for (const {path} of outputs) await checkWritable(path)
}

function twiceText(one: NamedFile, other: NamedFile): string {
  return other.path === '-'
    ? `${one.by} and ${other.by} are both standard output, which holds one file; name another file for one of them`
    : `${one.by} ${one.path} and ${other.by} ${other.path} are one file, which can hold one of them; name two files`
}

/** Stands in place of the flag where an input is a file of the project. */
const PROJECT = 'project'

function lostText(output: NamedFile, input: NamedFile): string {
  const what = `${output.by} ${output.path}`
  if (input.by === PROJECT) return `${what} is a file of the project, which would be lost; write to another file`
  return output.path === input.path
    ? `${what} is also read${input.by.startsWith('<') ? '' : ` (${input.by})`} and would be lost; write to another file`
    : `${what} and ${input.by} ${input.path}, which is read, are the same file, which would be lost; write to another file`
}

/** Whether a file is there that may be somebody's work: not an empty one, standard output, a pipe or a device. */
export function holdsWork(path: string): boolean {
  const status = path === '-' ? undefined : statSync(path, {throwIfNoEntry: false})
  return status?.isFile() === true && status.size > 0
}

/** The refusal to replace a file; `why` says what it is, and `wayOut` what else to do. */
export function refusedFile(path: string, why: string, wayOut = 'name another file'): AdfaError {
  return usageError(`${path} exists${why}; ${wayOut}, or replace it with --force`)
}

/** The files of options and arguments; a rehearsal writes no tables. */
function filesOf(command: Command): {readonly inputs: readonly NamedFile[]; readonly outputs: readonly NamedFile[]} {
  const written = WRITTEN[command.name()] ?? ['output']
  const inputs: NamedFile[] = []
  const outputs: NamedFile[] = []
  const add = (files: NamedFile[], by: string, value: unknown) => {
    for (const path of [value ?? []].flat().map(String)) files.push({by, path, place: placeOf(path)})
  }
  for (const [at, argument] of command.registeredArguments.entries())
    if (argument.argChoices === undefined) add(inputs, `<${argument.name()}>`, command.processedArgs[at])
  for (const option of command.options) {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (value === false || !/<files?(\.\.\.)?>/.test(option.flags)) continue
    const by = String(option.short ?? option.long)
    if (!written.includes(name)) add(inputs, by, value)
    else if (name !== 'output' || command.opts().dryRun !== true) {
      if (isStandardOutput(String(value))) command.setOptionValue(name, '-')
      add(outputs, by, command.getOptionValue(name))
    }
  }
  add(inputs, PROJECT, command.getOptionValue('projectFiles'))
  return {inputs, outputs}
}

/** The real path, also of a file that does not exist yet in a folder that does. */
export function placeOf(path: string): string {
  if (path === '-') return path
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(resolve(path))
    return folder === dirname(folder) ? resolve(path) : join(placeOf(folder), basename(path))
  }
}
