import {existsSync, realpathSync} from 'node:fs'
import {dirname, isAbsolute, join, relative} from 'node:path'
import type {Command} from 'commander'
import {fileKind} from '../../base/checks/index.ts'
import {readFileHead, readTextFile} from '../../read/files/index.ts'
import {fileSettings, parseProjectFile, type Settings} from '../project/index.ts'
import {holdsWork, placeOf} from './check-outputs.ts'
import {usageError} from './common-options.ts'
import {printError} from './output.ts'

/** The project file of a folder: found there without being named. */
export const PROJECT_FILE = 'adfa.json'

/** What a project settles, with its paths seen from the current folder. A part that the project holds has the path of the project. */
interface Project {
  readonly file: string
  readonly documents: readonly string[] | undefined
  readonly anchors: string | undefined
  /** The labels to read, where there are any. */
  readonly labels: string | undefined
  /** Whether it holds a list of labels, perhaps an empty one, which adfa label does not write. */
  readonly holdsLabels: boolean
  /** The labels file to write. */
  readonly newLabels: string | undefined
  readonly model: string | undefined
  /** The model file to write. */
  readonly newModel: string | undefined
  readonly read: Settings
  readonly fit: Settings
}

async function readProject(file: string): Promise<Project> {
  const {documents, named, held, read, fit} = parseProjectFile(await readTextFile(file), file)
  // Addresses of databases stay as they are.
  const beside = (path: string) =>
    path === '-' || isAbsolute(path) || /^[a-z]+:\/\//i.test(path) ? path : join(dirname(file), path)
  const pathOf = (part: keyof typeof named) => (named[part] === undefined ? undefined : beside(named[part]))
  const partOf = (part: keyof typeof named) => (held[part] === undefined ? pathOf(part) : file)
  const labels = /^\[\s*\]$/.test(held.labels ?? '') ? undefined : partOf('labels')
  const edges = partOf('edges')
  return {
    file,
    documents: documents?.map(beside),
    anchors: partOf('anchors'),
    labels: labels !== undefined && existsSync(labels) ? labels : undefined,
    holdsLabels: held.labels !== undefined,
    newLabels: pathOf('labels'),
    model: partOf('model'),
    newModel: held.model === undefined ? pathOf('model') : beside('model.json'),
    read,
    fit: edges === undefined ? fit : {...fit, edges}
  }
}

/** For a command without files that a project could name. */
export function unready(command: string, what: string): string {
  const it = what === 'a model' ? 'it' : 'them'
  return (
    `adfa ${command} needs ${what}, and there is no ${PROJECT_FILE} that names ${it} (is this the right folder?); ` +
    `${command === 'run' ? '' : `name ${it} on the command line, or `}run adfa init notes.csv --concepts "..." first, with your own file and concepts`
  )
}

/** How a command uses a project, beside what all do. */
interface ProjectUse {
  /** The option for a file to write, which the project names, too. */
  readonly writes?: readonly [option: string, file: 'newModel' | 'newLabels']
  /** Whether it takes the learning options. */
  readonly learns?: true
  /** Parts and settings that it takes although it has a model, which settles the others. */
  readonly takes?: readonly ('labels' | 'holdOut')[]
}

const USES: Readonly<Record<string, ProjectUse>> = {
  run: {writes: ['model', 'newModel'], learns: true},
  fit: {writes: ['output', 'newModel'], learns: true},
  label: {writes: ['output', 'newLabels']},
  doctor: {learns: true},
  suggest: {},
  count: {},
  predict: {},
  explain: {},
  evaluate: {takes: ['labels', 'holdOut']},
  report: {takes: ['holdOut']},
  export: {}
}

/** Of the options in one row, only one is meant: one on the command line replaces those of the project. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ['anchors', 'anchorsFromTags', 'like', 'protocol'],
  ['labels', 'labelShare']
]

/** Which arguments a command cannot do without, wherever they come from. */
const needed = new WeakMap<Command, readonly boolean[]>()

/** Adds --project and --no-project to the commands that use a project, and lets it fill what they need. */
export function addProjectOptions(program: Command): void {
  for (const command of program.commands) {
    if (USES[command.name()] === undefined) continue
    command
      .option('--project <file>', `take settings from this project file (default: ${PROJECT_FILE}, if there is one)`)
      .option('--no-project', `ignore ${PROJECT_FILE}`)
    const required = command.registeredArguments.map(argument => argument.required)
    needed.set(command, required)
    for (const argument of command.registeredArguments) argument.required = false
  }
}

/**
 * Fills what the command line leaves open from the project file, and refuses what is missing then. Values of a project have
 * the source `config`: `typedOptions` does not name them.
 */
export async function useProject(command: Command): Promise<void> {
  const required = needed.get(command)
  if (required === undefined) return
  const {project, quiet} = command.opts<{project?: string | false; quiet?: true}>()
  const named = project ?? takeArgument(command)
  const file = named ?? (existsSync(PROJECT_FILE) ? PROJECT_FILE : false)
  if (file !== false) {
    const content = await readProject(file)
    command.setOptionValueWithSource('project', file, named === undefined ? 'config' : 'cli')
    const hasDocuments = await fillArguments(command, content)
    fillOptions(command, content, hasDocuments)
    await refuseForeignOutput(command, content)
    command.setOptionValueWithSource('projectFiles', keptFiles(command, content), 'config')
    if (!quiet) printError(settingsText(command, content, hasDocuments))
  }
  refuseMissing(command, required)
  if (command.name() === 'run') nameRunFiles(command)
}

/** The files of a project that a command does not write, which no output may replace. */
function keptFiles(command: Command, project: Project): readonly string[] {
  const kind = USES[command.name()].writes?.[1]
  const {file, anchors, labels, newLabels, model, newModel} = project
  const written = kind && project[kind]
  return [file, anchors, labels, newLabels, model, newModel].flatMap(path => (path === written ? [] : (path ?? [])))
}

function settingsText(command: Command, {file, documents, model, newModel}: Project, hasDocuments: boolean): string {
  const isKept = USES[command.name()].writes?.[1] === 'newModel' && model !== newModel
  const kept = isKept ? '; the model that it holds stays as it is' : ''
  return `settings from ${file}${hasDocuments ? `, documents ${documents?.join(', ')}` : ''}${kept}`
}

/** Takes a project file, as the studio names it, out of the arguments: `adfa run visits.adfa.json` means --project. */
function takeArgument(command: Command): string | undefined {
  const isProject = (value: unknown) => /\.adfa\.json$/i.test(String(value))
  const args = command.processedArgs
  const at = args.findIndex(value => [value].flat().some(isProject))
  if (at < 0) return undefined
  const found: string = [args[at]].flat().find(isProject)
  args[at] = Array.isArray(args[at]) ? args[at].filter(value => value !== found) : undefined
  return found
}

function refuseMissing(command: Command, required: readonly boolean[]): void {
  for (const [at, argument] of command.registeredArguments.entries()) {
    const isMissing = [command.processedArgs[at] ?? []].flat().length === 0
    // --print-sql asks for a table itself.
    if (required[at] && isMissing && command.opts().printSql === undefined)
      throw usageError(unready(command.name(), argument.name() === 'model' ? 'a model' : 'documents'))
  }
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
  // A query is made without documents.
  const {sql, printSql} = command.opts()
  if (!isOpen || documents === undefined || sql !== undefined || printSql !== undefined) return false
  args[at.documents] = [...documents]
  return true
}

/** A file that cannot be read is a model if its name says so; the command reports it. */
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
  const {writes: [option, file] = [], learns, takes = []} = USES[command.name()]
  const fill = (attribute: string, value: unknown) => {
    const rivals = ALTERNATIVES.find(row => row.includes(attribute)) ?? [attribute]
    // Without -o, adfa count writes the protocol.
    const isWritten = (rival: string) => rival === 'protocol' && command.getOptionValue('output') === undefined
    const isTyped = rivals.some(rival => command.getOptionValueSource(rival) === 'cli' && !isWritten(rival))
    const isKnown = command.options.some(each => each.attributeName() === attribute)
    // `false` switches off what is off anyway; only for negation it is a decision.
    const isSet = value !== undefined && (value !== false || attribute === 'negation')
    if (isSet && isKnown && !isTyped) command.setOptionValueWithSource(attribute, value, 'config')
  }
  const {anchors, labels, holdsLabels, read, fit} = project
  if (option !== undefined && file !== undefined) fill(option, project[file])
  if (file === 'newLabels' && holdsLabels) command.setOptionValueWithSource('heldLabels', project.file, 'config')
  if (takes.includes('labels') && hasDocuments) fill('labels', labels)
  if (takes.includes('holdOut')) fill('holdOut', read.holdOut)
  // A model knows how its documents are read.
  if (command.registeredArguments.every(argument => argument.name() !== 'model')) {
    fill('anchors', anchors)
    if (file !== 'newLabels') fill('labels', labels)
    const ofFiles = fileSettings.map(({name}) => name)
    for (const [name, value] of Object.entries(read)) if (!ofFiles.includes(name)) fill(name, value)
  }
  if (hasDocuments || option === 'data') for (const {name} of fileSettings) fill(name, read[name])
  if (learns) for (const [name, value] of Object.entries(fit)) fill(name, value)
}

/**
 * A project may come from somebody else. So the file that a command writes because a project names it is in the folder of the project, and
 * replaces nothing but a model.
 */
async function refuseForeignOutput(command: Command, {file, newModel}: Project): Promise<void> {
  const [option = '', kind] = USES[command.name()].writes ?? []
  const path: unknown = command.getOptionValue(option)
  if (command.getOptionValueSource(option) !== 'config' || typeof path !== 'string' || command.opts().force) return
  const flag = command.options.find(each => each.attributeName() === option)?.long
  const wayOut = `name another file in ${file}, or this one with ${flag}`
  const place = relative(realpathSync(dirname(file)), placeOf(path))
  if (/^\.\.([/\\]|$)/.test(place) || isAbsolute(place))
    throw usageError(`${file} names ${path} as the file to write, which is outside its folder; ${wayOut}`)
  const isForeign = kind === 'newModel' && holdsWork(path) && !(await isModel(newModel))
  if (isForeign) throw usageError(`${file} names ${path} as its model, which holds something else; ${wayOut}`)
}

/** Names the files that a run writes where none are named: beside the model, so that a project has them in one place. */
function nameRunFiles(command: Command): void {
  const {model = 'model.json', report, tagged} = command.opts<Partial<Record<'model' | 'report' | 'tagged', string>>>()
  const [[first = '']]: string[][] = command.processedArgs
  // Tables stay what they are; other documents become CSV, and JSON Lines stay lines.
  const [, ending = 'csv'] = /\.(jsonl|ndjson|json|csv|tsv|xlsx|parquet)(?:\.(?:gz|zst))?$/i.exec(first) ?? []
  const kind = /json$|jsonl/i.test(ending) ? 'jsonl' : ending.toLowerCase()
  const name = (option: string, value: string) => command.setOptionValueWithSource(option, value, 'default')
  name('model', model)
  name('report', report ?? join(dirname(model), 'report.html'))
  name('tagged', tagged ?? join(dirname(model), `tagged.${kind}`))
}
