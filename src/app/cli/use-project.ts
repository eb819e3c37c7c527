import {existsSync, realpathSync, statSync} from 'node:fs'
import {dirname, isAbsolute, join, relative} from 'node:path'
import type {Command, Option} from 'commander'
import {fileKind} from '../../base/checks/index.ts'
import {readFileHead, readTextFile} from '../../read/files/index.ts'
import {fileSettings, parseProjectFile, type Settings} from '../project/index.ts'
import {usageError} from './common-options.ts'
import {printError} from './output.ts'

/** The project file of a folder: found there without being named. */
export const PROJECT_FILE = 'adfa.json'

/** The files that a project names, seen from the current folder, and the options that it sets. */
interface Project {
  readonly file: string
  readonly documents: readonly string[] | undefined
  /** The project file itself where it holds them. */
  readonly anchors: string | undefined
  readonly labels: string | undefined
  /** Whether it holds a list of labels, perhaps an empty one, which adfa label does not write. */
  readonly holdsLabels: boolean
  /** The model to read: the project file itself where it holds one. */
  readonly model: string | undefined
  /** The model file to write. */
  readonly newModel: string | undefined
  readonly read: Settings
  readonly fit: Settings
}

async function readProject(file: string): Promise<Project> {
  const {documents, named, held, read, fit} = parseProjectFile(await readTextFile(file), file)
  const path = (name: string | undefined) => (name === undefined ? undefined : beside(file, name))
  const hasLabels = held.labels !== undefined && !/^\[\s*\]$/.test(held.labels)
  const edges = held.edges === undefined ? path(named.edges) : file
  return {
    file,
    documents: documents?.map(name => beside(file, name)),
    anchors: held.anchors === undefined ? path(named.anchors) : file,
    labels: hasLabels ? file : path(named.labels),
    holdsLabels: held.labels !== undefined,
    model: held.model === undefined ? path(named.model) : file,
    newModel: path(held.model === undefined ? named.model : 'model.json'),
    read,
    fit: {...fit, ...(edges !== undefined && {edges})}
  }
}

/** A path of the project file, seen from the current folder; addresses of databases stay as they are. */
function beside(file: string, path: string): string {
  return path === '-' || isAbsolute(path) || /^[a-z]+:\/\//i.test(path) ? path : join(dirname(file), path)
}

/** For a command without files that a project could name. */
export function unready(command: string, what: string): string {
  return (
    `adfa ${command} needs ${what}, and there is no ${PROJECT_FILE} that names ${what === 'a model' ? 'it' : 'them'} (is this the right folder?); ` +
    `${command === 'run' ? '' : `name ${what === 'a model' ? 'it' : 'them'} on the command line, or `}run adfa init notes.csv --concepts "..." first, with your own file and concepts`
  )
}

/** Commands that use a project, and the option of each that one of its files fills, beside --anchors and --labels. */
const USES: Readonly<Record<string, readonly [option: string, file: 'newModel' | 'labels' | 'documents'] | undefined>> =
  {
    run: ['model', 'newModel'],
    fit: ['output', 'newModel'],
    label: ['output', 'labels'],
    doctor: undefined,
    suggest: undefined,
    count: undefined,
    protocol: undefined,
    predict: undefined,
    explain: undefined,
    evaluate: undefined,
    report: undefined,
    export: undefined
  }

/** Whether a command does something else without documents, so that a project must not add any. */
function worksWithout(command: Command): boolean {
  return command.name() === 'protocol' || command.opts().sql !== undefined || command.opts().printSql !== undefined
}

/** Settings that describe the files of the project, and no others. */
const OF_FILES: readonly string[] = fileSettings.map(({name}) => name)

/** Commands that take the learning options. */
const LEARNING: readonly string[] = ['fit', 'run', 'doctor']

/** Of the options in one row, only one is meant: one on the command line replaces those of the project. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ['anchors', 'anchorsFromTags', 'like', 'protocol'],
  ['labels', 'labelShare']
]

/** What a command cannot do without, from whatever source: its arguments, and options that a project may fill. */
interface Needs {
  readonly required: readonly boolean[]
  readonly mandatory: readonly Option[]
}

const needed = new WeakMap<Command, Needs>()

/** Adds --project and --no-project to the commands that use a project, and lets it fill what they need. */
export function addProjectOptions(program: Command): void {
  for (const command of program.commands) {
    if (!Object.hasOwn(USES, command.name())) continue
    command
      .option('--project <file>', `take settings from this project file (default: ${PROJECT_FILE}, if there is one)`)
      .option('--no-project', `ignore ${PROJECT_FILE}`)
    const fills = USES[command.name()]?.[0]
    const mandatory = command.options.filter(option => option.mandatory && option.attributeName() === fills)
    needed.set(command, {required: command.registeredArguments.map(({required}) => required), mandatory})
    for (const option of mandatory) option.mandatory = false
    for (const argument of command.registeredArguments) argument.required = false
  }
}

/**
 * Fills what the command line leaves open from the project file, and refuses what is missing then. Values of a project have
 * the source `config`: `typedOptions` does not name them. Returns whether files were added.
 */
export async function useProject(command: Command): Promise<boolean> {
  const needs = needed.get(command)
  if (needs === undefined) return false
  const {project, quiet} = command.opts<{project?: string | false; quiet?: true}>()
  const named = project ?? takeArgument(command)
  const file = named ?? (existsSync(PROJECT_FILE) ? PROJECT_FILE : false)
  if (file !== false) {
    const content = await readProject(file)
    command.setOptionValueWithSource('project', file, named === undefined ? 'config' : 'cli')
    const documents = await fillArguments(command, content)
    fillOptions(command, content, documents)
    await refuseForeignOutput(command, content)
    if (!quiet) printError(settingsText(command, content, documents))
  }
  refuseMissing(command, needs)
  if (command.name() === 'run') nameRunFiles(command)
  return file !== false || command.name() === 'run'
}

function settingsText(command: Command, {file, documents, model, newModel}: Project, hasDocuments: boolean): string {
  const isKept = USES[command.name()]?.[1] === 'newModel' && model !== newModel
  const kept = isKept ? '; the model that it holds stays as it is' : ''
  return `settings from ${file}${hasDocuments ? `, documents ${documents?.join(', ')}` : ''}${kept}`
}

/** Takes a project file, as the studio names it, out of the arguments: `adfa run visits.adfa.json` means --project. */
function takeArgument(command: Command): string | undefined {
  const isProject = (value: unknown) => /\.adfa\.json$/i.test(String(value))
  const args = command.processedArgs
  const at = args.findIndex(value => (Array.isArray(value) ? value.some(isProject) : isProject(value)))
  if (at < 0) return undefined
  const found: string = [args[at]].flat().find(isProject)
  args[at] = Array.isArray(args[at]) ? args[at].filter(value => value !== found) : undefined
  return found
}

function refuseMissing(command: Command, {required, mandatory}: Needs): void {
  command.registeredArguments.forEach((argument, at) => {
    // It asks for a table itself.
    if (command.opts().printSql !== undefined) return
    const value: unknown = command.processedArgs[at]
    if (required[at] && (value === undefined || (Array.isArray(value) && value.length === 0)))
      throw usageError(unready(command.name(), argument.name() === 'model' ? 'a model' : 'documents'))
  })
  for (const option of mandatory)
    if (command.getOptionValue(option.attributeName()) === undefined)
      command.error(
        `error: required option '${option.flags}' not specified, or a project file with it, as adfa init writes`
      )
}

/** Fills the model and the documents, as far as the command takes them; returns whether the documents are the project's. */
async function fillArguments(command: Command, {model, documents}: Project): Promise<boolean> {
  const names = command.registeredArguments.map(argument => argument.name())
  const at = {model: names.indexOf('model'), documents: names.findIndex(name => name === 'docs' || name === 'input')}
  const args = command.processedArgs
  if (at.model >= 0 && model !== undefined && !(await isModel(args[at.model]))) {
    // What was given is the first of the documents.
    if (at.documents >= 0 && args[at.model] !== undefined) args[at.documents] = [args[at.model], ...args[at.documents]]
    else if (args[at.model] !== undefined) return false
    args[at.model] = model
  }
  const isOpen = at.documents >= 0 && args[at.documents].length === 0
  if (!isOpen || documents === undefined || worksWithout(command)) return false
  args[at.documents] = [...documents]
  return true
}

/** A file that cannot be read is no model if its name says so; otherwise the command reports it. */
async function isModel(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false
  try {
    const head = await readFileHead(path)
    return fileKind(new TextDecoder().decode(head.subarray(0, 200))) === 'a model'
  } catch {
    return /\.json(\.gz)?$/i.test(path)
  }
}

function fillOptions(command: Command, project: Project, hasDocuments: boolean): void {
  const {anchors, labels, read, fit} = project
  const name = command.name()
  const [option, file] = USES[name] ?? []
  const fill = (attribute: string, value: unknown) => {
    const rivals = ALTERNATIVES.find(row => row.includes(attribute)) ?? [attribute]
    const isTyped = rivals.some(rival => command.getOptionValueSource(rival) === 'cli')
    const isKnown = command.options.some(each => each.attributeName() === attribute)
    // `false` switches off what is off anyway; only for negation it is a decision.
    const isSet = value !== undefined && (value !== false || attribute === 'negation')
    if (isSet && isKnown && !isTyped) command.setOptionValueWithSource(attribute, value, 'config')
  }
  const isHeld = file === 'labels' && project.holdsLabels
  if (option !== undefined && file !== undefined && !isHeld) fill(option, project[file])
  if (isHeld) command.setOptionValueWithSource('heldLabels', project.file, 'config')
  const ownLabels = labels !== undefined && existsSync(labels) ? labels : undefined
  if (name === 'evaluate' && hasDocuments) {
    fill('labels', ownLabels)
    fill('holdOut', read.holdOut)
  }
  if (name === 'report') fill('holdOut', read.holdOut)
  // A model knows how its documents are read.
  const isReading = command.registeredArguments.every(argument => argument.name() !== 'model')
  if (isReading) {
    fill('anchors', anchors)
    // A protocol is for sites, which have labels of their own.
    if (file !== 'labels' && name !== 'protocol') fill('labels', ownLabels)
    for (const [attribute, value] of Object.entries(read)) if (!OF_FILES.includes(attribute)) fill(attribute, value)
  }
  if (hasDocuments || option === 'data') for (const attribute of OF_FILES) fill(attribute, read[attribute])
  if (LEARNING.includes(name)) for (const [attribute, value] of Object.entries(fit)) fill(attribute, value)
}

/**
 * A project may come from somebody else. So the file that a command writes because a project names it is in the folder of the project, and
 * replaces nothing but a model.
 */
async function refuseForeignOutput(command: Command, {file, newModel}: Project): Promise<void> {
  const [option = '', kind] = USES[command.name()] ?? []
  const path: unknown = command.getOptionValue(option)
  if (command.getOptionValueSource(option) !== 'config' || typeof path !== 'string' || command.opts().force) return
  const flag = command.options.find(each => each.attributeName() === option)?.long
  const wayOut = `name another file in ${file}, or this one with ${flag}`
  const folder = realpathSync(dirname(file))
  const status = statSync(path, {throwIfNoEntry: false})
  const place = status === undefined ? nearestFolder(path) : realpathSync(path)
  if (/^\.\.([/\\]|$)/.test(relative(folder, place)) || isAbsolute(relative(folder, place)))
    throw usageError(`${file} names ${path} as the file to write, which is outside its folder; ${wayOut}`)
  const isForeign = kind === 'newModel' && status?.isFile() && status.size > 0 && !(await isModel(newModel))
  if (isForeign) throw usageError(`${file} names ${path} as its model, which holds something else; ${wayOut}`)
}

/** The first folder on the way up that exists. */
function nearestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? realpathSync(folder) : nearestFolder(folder)
}

/** Names the files that a run writes where none are named: beside the model, so that a project has them in one place. */
function nameRunFiles(command: Command): void {
  const {model = 'model.json', report, tagged} = command.opts<Partial<Record<'model' | 'report' | 'tagged', string>>>()
  const [paths]: string[][] = command.processedArgs
  const beside = (name: string) => join(dirname(model), name)
  const name = (option: string, value: string) => command.setOptionValueWithSource(option, value, 'default')
  name('model', model)
  name('report', report ?? beside('report.html'))
  name('tagged', tagged ?? beside(`tagged.${kindOf(paths[0])}`))
}

/** Tables stay what they are; other documents become CSV, and JSON Lines stay lines. */
function kindOf(path = ''): string {
  const [, ending = ''] = /\.(\w+?)(?:\.(?:gz|zst))?$/.exec(path.toLowerCase()) ?? []
  if (['jsonl', 'ndjson', 'json'].includes(ending)) return 'jsonl'
  return ['csv', 'tsv', 'xlsx', 'parquet'].includes(ending) ? ending : 'csv'
}
