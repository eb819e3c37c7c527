import {constants} from 'node:os'
import {Command, CommanderError} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {printableLine} from '../../base/text/index.ts'
import {removeTemporaryFiles} from '../../read/files/index.ts'
import {checkOutputs} from './check-outputs.ts'
import {withFlags} from './common-options.ts'
import {addCompareCommand} from './compare.ts'
import {addCountCommand} from './count/count.ts'
import {addImportCountsCommand} from './count/import-counts.ts'
import {addMergeCommand} from './count/merge.ts'
import {addProtocolCommand} from './count/protocol.ts'
import {addDemoCommand} from './demo.ts'
import {addDoctorCommand} from './doctor.ts'
import {addEvaluateCommand} from './evaluate/evaluate.ts'
import {addExperimentCommand} from './experiment.ts'
import {addExplainCommand} from './explain/explain.ts'
import {addExportCommand} from './export/export.ts'
import {addFitCommand} from './fit/fit.ts'
import {addGenerateCommand} from './generate.ts'
import {groupHelp} from './help-groups.ts'
import {addInitCommand} from './init/init.ts'
import {addLabelCommand} from './label/label.ts'
import {addNoiseCommand} from './noise.ts'
import {printError, shown} from './output.ts'
import {addPredictCommand} from './predict.ts'
import {addRunCommand} from './project/run-project.ts'
import {addProjectOptions, useProject} from './project/use-project.ts'
import {addReportCommand} from './report.ts'
import {addCompletionsCommand} from './shell/completions.ts'
import {addManCommand} from './shell/man-page.ts'
import {addStudioCommand} from './studio/studio.ts'
import {addSuggestCommand} from './suggest.ts'
import {packageVersion} from './version.ts'

/** Exit codes: 0 done, 1 failed, 2 bad usage, 128 and its number if a signal ended it. */
export async function run(args: readonly string[]): Promise<number> {
  let running: Command | undefined
  const program = createProgram().hook('preAction', async (_, command) => {
    running = command
    await checkOutputs(command)
    // Once more, since a project names files too.
    if (await useProject(command)) await checkOutputs(command)
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

export function createProgram(): Command {
  const program = new Command('adfa')
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
  addInitCommand(program)
  addRunCommand(program)
  addDemoCommand(program)
  addProtocolCommand(program)
  addCountCommand(program)
  addMergeCommand(program)
  addImportCountsCommand(program)
  addLabelCommand(program)
  addNoiseCommand(program)
  addDoctorCommand(program)
  addSuggestCommand(program)
  addFitCommand(program)
  addPredictCommand(program)
  addExplainCommand(program)
  addEvaluateCommand(program)
  addReportCommand(program)
  addCompareCommand(program)
  addStudioCommand(program)
  addExportCommand(program)
  addExperimentCommand(program)
  addGenerateCommand(program)
  addCompletionsCommand(program)
  addManCommand(program)
  addProjectOptions(program)
  groupHelp(program)
  return program
}
