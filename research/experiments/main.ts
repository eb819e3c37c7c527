import {availableParallelism} from 'node:os'
import {basename} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Command} from 'commander'
import {
  commonOptions,
  countingOptions,
  outputOf,
  readingOptions,
  refuseReadingOptions,
  typedOptions,
  usageError
} from '../../src/app/cli/common-options.ts'
import {addCommand, required} from '../../src/app/cli/declare.ts'
import type {Output} from '../../src/app/cli/output.ts'
import {resolveAnchors} from '../../src/app/cli/read-anchors.ts'
import {type InputOptions, progressOf, STAGE_WORDS} from '../../src/app/cli/read-input.ts'
import {run} from '../../src/app/cli/run.ts'
import {packageVersion} from '../../src/app/cli/version.ts'
import {above0, flagOf, namesOf, positiveNumber} from '../../src/app/project/index.ts'
import {counted} from '../../src/base/text/index.ts'
import {parseShrinkage} from '../../src/learn/moments/index.ts'
import {textOptionsOf} from '../../src/read/data/index.ts'
import {makeFolder, openDocuments} from '../../src/read/files/index.ts'
import {type ExperimentName, type ExperimentOptions, experimentNames} from './experiment.ts'
import {experiments} from './experiments.ts'
import {type Material, readMaterial} from './material.ts'
import {type ExperimentPlan, runExperiments} from './runner.ts'

const EXPERIMENT_LINES = Object.values(experiments)
  .map(({name, title}) => `  ${name.padEnd(20)}${title}`)
  .join('\n')

/** Reading options that do not apply to experiments. */
const USELESS: readonly string[] = ['labels', 'labelShare', 'skipBadAnchors']

interface ExperimentCommandOptions extends InputOptions, Partial<Omit<ExperimentOptions, 'seed'>> {
  readonly data: readonly string[]
  readonly output: string
  readonly documents: number
  readonly workers: number
}

function addExperimentCommand(program: Command): void {
  const shared = [...readingOptions, ...commonOptions].map(option =>
    option.name === 'minTags' ? {...option, preset: 2} : option
  )
  const types = {
    name: [...experimentNames, 'all'],
    data: required,
    output: required,
    documents: {read: positiveNumber, preset: 40_000},
    splits: positiveNumber,
    sizes: {read: (text: string) => namesOf(text).map(positiveNumber), isRepeated: true},
    shrinkages: {read: (text: string) => namesOf(text).map(parseShrinkage), isRepeated: true},
    gap: above0,
    workers: {read: positiveNumber, preset: availableParallelism()}
  } as const
  const command = addCommand(program, types, shared)`
experiments: reproduce the paper's figures and tables on your data
Repeat the experiments of the paper on tagged documents; writes raw results (CSV, JSON), figures (SVG) and report.html. Run the same command again to continue after a stop.
  <name>                 experiment to run
  --data <files...>      tagged documents, in any format
  -o, --output <folder>  folder for results, figures and report.html
  --documents <n>        largest number of documents; uses a random sample if there are more
  --splits <n>           random splits into training and held-out documents (default: 8)
  --sizes <list>         heldout-likelihood: numbers of training documents, besides all of them (default: 500,1000,...)
  --shrinkages <list>    heldout-likelihood: shrinkages towards independence, numbers or C/N (default: 0.01,10/N)
  --gap <g>              stop when the moments are proven to be this close to the optimum (default: as by adfa fit)
  --workers <n>          number of threads; does not affect results

Defaults follow the paper: documents with at least two of the 200 most frequent tags (--min-tags 0 for all), the 50 most frequent
tags as concepts, and the name of a tag in the title as its anchor. Anchors that are too weak are left out and reported.

Experiments:
${EXPERIMENT_LINES}

Examples:
  npm run experiments -- all --data cooking.jsonl -o cooking
  npm run experiments -- last-tag --data kaggle.jsonl --documents 20000 -o kaggle
  npm run experiments -- trees --data notes.jsonl --anchors anchors.json --negation --min-tags 0 -o notes`.action(
    runExperimentCommand
  )
  command.usage('-- [options] <name>')
  for (const option of command.options) if (USELESS.includes(option.attributeName())) option.hideHelp()
}

async function runExperimentCommand(
  name: ExperimentName | 'all',
  options: ExperimentCommandOptions,
  command: Command
): Promise<void> {
  for (const name of typedOptions(command, USELESS))
    throw usageError(
      `${flagOf(name)} does not apply: experiments read the tags of all documents, and leave out and report anchors that cannot work; leave it out`
    )
  const output = outputOf(options, command)
  await makeFolder(options.output)
  const material = await readDocuments(options, command, output)
  const {splits, sizes, shrinkages, gap, seed, workers} = options
  const plan: ExperimentPlan = {
    names: name === 'all' ? experimentNames : [name],
    material,
    options: {seed, ...(splits && {splits}), ...(sizes && {sizes}), ...(shrinkages && {shrinkages}), ...(gap && {gap})},
    folder: options.output,
    workers,
    adfa: packageVersion()
  }
  const outcome = await runExperiments(plan, (experiment, done, all, share) =>
    output.progress(`${experiment}: ${done} of ${all} measured`, share)
  ).finally(() => output.done())
  output.json({
    experiments: name,
    documents: material.documents.length,
    concepts: material.lexicon.anchors.length,
    ...outcome
  })
  const known = outcome.kept === 0 ? '' : ` (${outcome.kept} of them before)`
  output.print(`${outcome.cells} results measured${known}; wrote\n${outcome.files.map(file => `  ${file}`).join('\n')}`)
}

async function readDocuments(options: ExperimentCommandOptions, command: Command, output: Output): Promise<Material> {
  const isGiven = options.anchors !== undefined || options.anchorsFromTags !== undefined || options.like !== undefined
  const rule = isGiven ? options : {...options, anchorsFromTags: ['title']}
  const {source: anchors} = await resolveAnchors(rule)
  if (anchors.kind === 'lexicon') refuseReadingOptions(command, [], '--like settles how documents are read')
  const documents = openDocuments(options.data, {
    ...(anchors.kind === 'lexicon' ? anchors.lexicon.reading : textOptionsOf(options)),
    format: options.format,
    part: options.holdOut && 'learning'
  })
  const onProgress = progressOf(documents, output)
  try {
    const name = options.data.map(path => basename(path).replace(/\.(gz|zst)$/, '')).join(', ')
    const material = await readMaterial(
      name,
      documents,
      anchors,
      {...countingOptions(options), documents: options.documents},
      {
        onProgress: (stage, count) => onProgress(STAGE_WORDS[stage], count),
        onSampling: count => onProgress('reading documents', count)
      }
    )
    const {documents: used, lexicon} = material
    output.note(
      `${counted(used.length, 'document')}, ${counted(lexicon.anchors.length, 'concept')}, ${counted(lexicon.words.length, 'word')}`
    )
    if (lexicon.skipped.length > 0)
      output.note(`left out, for anchors that cannot work: ${lexicon.skipped.map(({concept}) => concept).join(', ')}`)
    return material
  } finally {
    output.done()
    await documents.close()
  }
}

/** Runs experiments by the arguments of the command line, and returns the exit code. */
export function runMain(args: readonly string[]): Promise<number> {
  return run(['experiments', ...args], [['experiments', 'Commands:', async () => addExperimentCommand]], 'npm run')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runMain(process.argv.slice(2))
