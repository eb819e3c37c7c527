import {type Command, Option} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {edgeList, edgesToCsv, networkToBif, networkToDot, networkToUai} from '../../../base/network/index.ts'
import {loadModel, type Model} from '../../../learn/model/index.ts'
import {readTextFile, writeAtomically} from '../../../read/files/index.ts'
import {addCommonOptions, type CommonOptions, outputOf, positiveNumber} from '../common-options.ts'
import {exportScores} from './scores.ts'

const networkFormats = ['bif', 'dot', 'uai', 'csv', 'svg'] as const
type NetworkFormat = (typeof networkFormats)[number]

interface ExportOptions extends CommonOptions {
  readonly to: NetworkFormat | 'gobnilp-scores'
  readonly output: string
  readonly counts?: string
  readonly maxParents: number
}

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .summary('the network for other tools, or as a picture')
    .description(
      'Write the network over the concepts: bif (Bayesian network tools), dot (Graphviz), uai (solvers), csv (a row an edge, with ' +
        'sign, mutual information in nats and strength, the log odds ratio), svg (a picture: green and solid goes together, red and dashed avoids, arrow heads only where the direction can be known); ' +
        'or gobnilp-scores, what each choice of parents is worth (BIC), for programs that search for networks.'
    )
    .argument('<model>', 'a model file')
    .addOption(
      new Option('--to <format>', 'what to write').choices([...networkFormats, 'gobnilp-scores']).makeOptionMandatory()
    )
    .option('-o, --output <file>', 'the file to write (default: standard output)', '-')
    .option('--counts <file>', 'with gobnilp-scores: score what these counts show, not the network of the model')
    .option('--max-parents <k>', 'with gobnilp-scores: the most parents of a concept', positiveNumber, 2)
  addCommonOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  adfa export model.json --to svg -o network.svg
  adfa export model.json --to bif -o network.bif
  adfa export model.json --to csv | sort -t, -k4 -gr | head
  adfa export model.json --to gobnilp-scores --counts notes.counts -o notes.jkl`
    )
    .action(async (path: string, options: ExportOptions, command: Command) => {
      const output = outputOf(options)
      const {to, counts, maxParents} = options
      if (to !== 'gobnilp-scores') refuseScoreOptions(command)
      const model = loadModel(await readTextFile(path), path)
      const text =
        to === 'gobnilp-scores'
          ? await exportScores(model, {path, counts, maxParents}, output)
          : await exported(model, to)
      await writeAtomically(options.output, text)
      if (options.output === '-') return
      output.json({file: options.output, format: to, concepts: model.concepts.length})
      output.print(`wrote ${options.output}`)
    })
}

function refuseScoreOptions(command: Command): void {
  for (const [name, flag] of Object.entries({counts: '--counts', maxParents: '--max-parents'}))
    if (command.getOptionValueSource(name) === 'cli')
      throw new AdfaError('bad-option', `${flag} goes with --to gobnilp-scores alone; leave it out`)
}

async function exported({network, concepts}: Model, format: NetworkFormat): Promise<string> {
  const names = concepts.map(({name}) => name)
  switch (format) {
    case 'bif':
      return networkToBif(network, names)
    case 'uai':
      return networkToUai(network)
    case 'csv':
      return edgesToCsv(edgeList(network, names))
    case 'dot':
      return networkToDot(network, names)
    case 'svg': {
      // Graphviz is 1.5 MB of WebAssembly: only who wants a picture waits for it.
      const [{nodeDrawing}, {drawNetwork}] = await Promise.all([
        import('../../drawing/index.ts'),
        import('../../../use/report/index.ts')
      ])
      return drawNetwork(network, names, (await nodeDrawing()).viz)
    }
  }
}
