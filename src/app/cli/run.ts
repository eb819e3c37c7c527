import {constants} from 'node:os'
import {Command, CommanderError, Option} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {removeTemporaryFiles} from '../../read/files/index.ts'
import {checkOutputs} from './check-outputs.ts'
import {withFlags} from './common-options.ts'
import {printError, shown} from './output.ts'
import {addProjectOptions, useProject} from './use-project.ts'
import {packageVersion} from './version.ts'

const EVERY_DAY = 'Every day:'
const AT_SCALE = 'At scale and between sites:'
const FOR_RESEARCH = 'For research:'

type Commands = readonly (readonly [name: string, group: string, load: () => Promise<(program: Command) => void>])[]

/** The commands in their order. Each loads what it needs: drawing, for one, takes longer to load than a small file takes to count. */
export const COMMANDS: Commands = [
  ['init', EVERY_DAY, async () => (await import('./commands/init.ts')).addInitCommand],
  ['run', EVERY_DAY, async () => (await import('./commands/run.ts')).addRunCommand],
  ['demo', EVERY_DAY, async () => (await import('./commands/demo.ts')).addDemoCommand],
  ['doctor', EVERY_DAY, async () => (await import('./commands/doctor.ts')).addDoctorCommand],
  ['suggest', EVERY_DAY, async () => (await import('./commands/suggest.ts')).addSuggestCommand],
  ['label', EVERY_DAY, async () => (await import('./commands/label.ts')).addLabelCommand],
  ['fit', EVERY_DAY, async () => (await import('./commands/fit.ts')).addFitCommand],
  ['predict', EVERY_DAY, async () => (await import('./commands/predict.ts')).addPredictCommand],
  ['explain', EVERY_DAY, async () => (await import('./commands/explain.ts')).addExplainCommand],
  ['evaluate', EVERY_DAY, async () => (await import('./commands/evaluate.ts')).addEvaluateCommand],
  ['report', EVERY_DAY, async () => (await import('./commands/report.ts')).addReportCommand],
  ['studio', EVERY_DAY, async () => (await import('./commands/studio.ts')).addStudioCommand],
  ['count', AT_SCALE, async () => (await import('./commands/count.ts')).addCountCommand],
  ['merge', AT_SCALE, async () => (await import('./commands/merge.ts')).addMergeCommand],
  ['compare', FOR_RESEARCH, async () => (await import('./commands/compare.ts')).addCompareCommand],
  ['export', FOR_RESEARCH, async () => (await import('./commands/export.ts')).addExportCommand],
  ['generate', FOR_RESEARCH, async () => (await import('./commands/generate.ts')).addGenerateCommand]
]

/** Exit codes: 0 done, 1 failed, 2 bad usage, 128 and its number if a signal ended it. Other programs give their own commands. */
export async function run(args: readonly string[], commands = COMMANDS, programName = 'adfa'): Promise<number> {
  let running: Command | undefined
  const program = await createProgram(args[0], commands, programName)
  program.hook('preAction', async (_, command) => {
    running = command
    await useProject(command)
    await checkOutputs(command)
  })
  try {
    await program.parseAsync(args, {from: 'user'})
    return 0
  } catch (error) {
    return report(error, running)
  } finally {
    removeTemporaryFiles()
  }
}

function report(error: unknown, command: Command | undefined): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof AdfaError) {
    const {signal, isList} = error.details as {readonly signal?: NodeJS.Signals; readonly isList?: boolean}
    // Only these list faults line by line; anywhere else a line feed is part of a name.
    const hasLines = isList || error.code === 'bad-anchors' || error.code === 'bad-rates'
    printError(`adfa: ${withFlags(hasLines ? error.message : printableLine(error.message), command)}`)
    if (signal !== undefined) return 128 + constants.signals[signal]
    return error.code === 'bad-option' ? 2 : 1
  }
  printError(`adfa: internal error, please report it\n${error instanceof Error ? error.stack : String(error)}`)
  return 1
}

/** The program with the command of this name, or with all where it is none of them. */
export async function createProgram(name = '', commands = COMMANDS, programName = 'adfa'): Promise<Command> {
  const named = commands.filter(([each]) => each === name)
  const wanted = named.length > 0 ? named : commands
  const program = new Command(programName)
    .description(
      'Anchored Discrete Factor Analysis: learn a joint, explainable tag model from anchors, without labels.'
    )
    .version(packageVersion(), '-V, --version')
    .exitOverride()
    .configureOutput({writeErr: text => process.stderr.write(shown(text))})
    .showSuggestionAfterError(true)
    .showHelpAfterError('(add --help for options and examples)')
    .configureHelp({showGlobalOptions: false})
    .addHelpText(
      'after',
      `
Examples:
  adfa init notes.csv --concepts "alcohol, chest pain, fall"      look at a spreadsheet, propose anchors
  adfa run                                                       learn, report, and write tagged.csv
  adfa predict new-notes.csv -o new-tagged.csv                   tag other documents with the same model
  adfa demo                                                      learn a model of npm packages in seconds
  adfa help fit                                                  options and examples of a command`
    )
  for (const add of await Promise.all(wanted.map(([, , load]) => load()))) add(program)
  for (const [at, [, group]] of wanted.entries()) program.commands[at].helpGroup(group)
  addProjectOptions(program)
  groupHelp(program)
  return program
}

/** Option groups in help, in order. An option not listed here belongs to one command only and comes first. */
export const OPTION_GROUPS: readonly (readonly [heading: string, flags: string])[] = [
  ['Most used:', 'output anchors anchors-from-tags labels text noise structure intervals json'],
  [
    'Input:',
    'project no-project id tags category number list votes allow-missing min-tags of-top hold-out format separator tag-separator worksheet encoding'
  ],
  ['Anchors and rates:', 'top-tags like skip-bad-anchors label-share'],
  ['Model:', 'preset polytope shrinkage edges'],
  ['Words:', 'vocabulary max-share negation no-negation negation-scope keep-case words word-shrinkage method'],
  ['Shared tables:', 'max-order min-cell site audit dry-run'],
  ['Databases:', 'engine print-sql memory'],
  ['Advanced:', 'solver gap time-limit divergence search workers'],
  ['Output:', 'seed quiet help']
]

const flags = OPTION_GROUPS.flatMap(([heading, names]) => names.split(' ').map(name => ({flag: `--${name}`, heading})))

function groupHelp(program: Command): void {
  for (const command of program.commands) {
    // The document of adfa explain and the column of other commands share a flag.
    const isOwn = (option: Option) => option.long === '--id' && option.mandatory
    const optionRank = (option: Option) => (isOwn(option) ? -1 : flags.findIndex(({flag}) => flag === option.long))
    for (const option of command.options)
      option.helpGroup((flags[optionRank(option)] ?? flags[0]).heading)
      // A command's own options stay first, in their order.
    ;(command.options as Option[]).sort((a, b) => optionRank(a) - optionRank(b))
    command.addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Output:'))
  }
  const help = new Command('help').argument('[command]').description('show options and examples of a command')
  program.addHelpCommand(help.helpGroup(EVERY_DAY))
}
