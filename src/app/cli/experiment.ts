import {availableParallelism} from 'node:os'
import {basename} from 'node:path'
import {Argument, type Command, InvalidArgumentError} from 'commander'
import {AdfaError} from '../../base/checks/index.ts'
import {parseShrinkage, type Shrinkage} from '../../learn/moments/index.ts'
import {type CountingStage, countingDefaults} from '../../read/engines/index.ts'
import {makeFolder, openDocuments} from '../../read/files/index.ts'
import type {ExperimentName, ExperimentOptions, Material} from '../experiments/index.ts'
import {
  addCommonOptions,
  addReadingOptions,
  countingOptions,
  list,
  outputOf,
  positiveNumber,
  refuseReadingOptions,
  resolveAnchors,
  rowFields
} from './common-options.ts'
import type {Output} from './output.ts'
import {type InputOptions, STAGE_WORDS} from './read-input.ts'
import {packageVersion} from './version.ts'

const EXPERIMENTS: Readonly<Record<ExperimentName, string>> = {
  trees: 'networks over the concepts: a tree, at most two parents, and what robust finds',
  factors: 'the words of every concept',
  'heldout-likelihood': 'what tighter polytopes are worth, on your documents and on generated ones',
  'last-tag': 'predict the last tag of a document: every method, baseline and oracle',
  'em-drift': 'what maximising the likelihood does to a model',
  timing: 'seconds by polytope and number of concepts'
}

/** Options of reading that are settled here. */
const USELESS: ReadonlyMap<string, string> = new Map([
  ['labels', '--labels'],
  ['labelShare', '--label-share'],
  ['skipBadAnchors', '--skip-bad-anchors']
])

interface ExperimentCommandOptions extends InputOptions, Partial<Omit<ExperimentOptions, 'seed'>> {
  readonly data: readonly string[]
  readonly output: string
  readonly documents: number
  readonly workers: number
  readonly fresh?: true
}

export function addExperimentCommand(program: Command): void {
  const command = program
    .command('experiment')
    .summary("the paper's figures and tables on your data")
    .description(
      'Measure what the paper measured, on tagged documents: raw results (CSV, JSON), figures (SVG) and report.html. A run that was stopped goes on when the same command is given again.'
    )
    .addArgument(new Argument('<name>', 'which experiment').choices([...Object.keys(EXPERIMENTS), 'all']))
    .requiredOption('--data <files...>', 'tagged documents in any format')
    .requiredOption('-o, --output <folder>', 'where results, figures and report.html go')
    .option('--documents <n>', 'use at most so many documents, a random sample of more', positiveNumber, 40_000)
    .option('--splits <n>', 'random divisions into training and held-out documents (default: 8)', positiveNumber)
    .option(
      '--sizes <list>',
      'heldout-likelihood: training documents, and all of them (default: 500,1000,...)',
      sizeList
    )
    .option(
      '--shrinkages <list>',
      'heldout-likelihood: shrinkages to independence, numbers or C/N (default: 0.01,10/N)',
      shrinkageList
    )
    .option('--workers <n>', 'threads; results do not depend on their number', positiveNumber, availableParallelism())
    .option('--fresh', 'begin again, where the folder holds results of other data or options')
  addCommonOptions(addReadingOptions(command, {...countingDefaults, minTags: 2}))
    .addHelpText(
      'after',
      `
Unless said otherwise documents and anchors are those of the paper: documents with two of the 200 commonest tags (--min-tags 0: all),
the 50 commonest tags as concepts, a tag's own name in the title as its anchor. Anchors that tell too little are left out and named.

${experimentLines()}

Examples:
  adfa experiment all --data cooking.stackexchange.com.7z -o cooking
  adfa experiment last-tag --data Train.csv --documents 20000 -o kaggle
  adfa experiment trees --data notes.jsonl --anchors anchors.json --negation --min-tags 0 -o notes`
    )
    .action(async (name: ExperimentName | 'all', options: ExperimentCommandOptions, command: Command) => {
      for (const [option, flag] of USELESS)
        if (command.getOptionValueSource(option) === 'cli')
          throw new AdfaError(
            'bad-option',
            `${flag} has no place here: experiments read the tags of all documents, and leave out and name anchors that cannot work; leave it out`
          )
      const output = outputOf(options)
      await makeFolder(options.output)
      // Charts take a moment to load: only who wants them waits for that.
      const room = await import('../experiments/index.ts')
      const material = await readDocuments(options, command, output)
      const {splits, sizes, shrinkages, seed, workers} = options
      const outcome = await room.runExperiments(
        {
          names: name === 'all' ? room.experimentNames : [name],
          material,
          options: {seed, ...(splits && {splits}), ...(sizes && {sizes}), ...(shrinkages && {shrinkages})},
          folder: options.output,
          fresh: options.fresh === true,
          workers,
          adfa: packageVersion()
        },
        {
          pictures: await room.nodePictures(),
          onProgress: (experiment, done, all, share) =>
            output.progress(`${experiment}: ${done} of ${all} measured`, share)
        }
      )
      output.json({
        experiments: name,
        documents: material.documents.length,
        concepts: material.lexicon.anchors.length,
        ...outcome
      })
      output.print(describe(outcome.cells, outcome.kept, outcome.files))
    })
  for (const option of command.options) if (USELESS.has(option.attributeName())) option.hideHelp()
}

async function readDocuments(options: ExperimentCommandOptions, command: Command, output: Output): Promise<Material> {
  const {readMaterial} = await import('../experiments/index.ts')
  const isGiven = options.anchors !== undefined || options.anchorsFromTags !== undefined || options.like !== undefined
  const {source: anchors} = await resolveAnchors(isGiven ? options : {...options, anchorsFromTags: ['title']})
  if (anchors.kind === 'lexicon') refuseReadingOptions(command, [], '--like settles how documents are read')
  const counting = countingOptions(options)
  const documents = openDocuments(options.data, {
    ...(anchors.kind === 'lexicon' ? anchors.lexicon.text : rowFields(options)),
    format: options.format,
    separator: options.separator
  })
  const onProgress = (stage: string, count: number) =>
    output.progress(
      `${stage}: ${count.toLocaleString('en')} documents`,
      documents.bytesRead() / (documents.byteCount ?? Number.NaN)
    )
  try {
    const name = options.data.map(path => basename(path).replace(/\.(gz|zst|7z)$/, '')).join(', ')
    const material = await readMaterial(
      name,
      documents,
      anchors,
      {...counting, documents: options.documents},
      {
        onProgress: (stage: CountingStage, count: number) => onProgress(STAGE_WORDS[stage], count),
        onSampling: count => onProgress('reading documents', count)
      }
    )
    const {documents: used, lexicon} = material
    output.note(
      `${used.length.toLocaleString('en')} documents, ${lexicon.anchors.length} concepts, ${lexicon.words.length.toLocaleString('en')} words`
    )
    if (lexicon.skipped.length > 0)
      output.note(`left out, for anchors that cannot work: ${lexicon.skipped.map(({concept}) => concept).join(', ')}`)
    return material
  } finally {
    output.done()
    await documents.close()
  }
}

function describe(cells: number, kept: number, files: readonly string[]): string {
  const known = kept === 0 ? '' : ` (${kept} of them before)`
  return `${cells} results measured${known}; wrote\n${files.map(file => `  ${file}`).join('\n')}`
}

function experimentLines(): string {
  return Object.entries(EXPERIMENTS)
    .map(([name, what]) => `  ${name.padEnd(20)}${what}`)
    .join('\n')
}

function sizeList(text: string): number[] {
  return list(text).map(positiveNumber)
}

function shrinkageList(text: string): Shrinkage[] {
  return list(text).map(item => {
    try {
      return parseShrinkage(item)
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
    }
  })
}
