import {type Command, Option} from 'commander'
import {edgeList, edgesToCsv, loadModel, type Model, networkToBif, networkToDot, networkToUai} from '../index.ts'
import {readTextFile, writeAtomically} from '../node.ts'
import {addCommonOptions, type CommonOptions, outputOf} from './common-options.ts'

const formats = ['bif', 'dot', 'uai', 'csv', 'svg'] as const
type ExportFormat = (typeof formats)[number]

interface ExportOptions extends CommonOptions {
  readonly to: ExportFormat
  readonly output: string
}

export function addExportCommand(program: Command): void {
  const command = program
    .command('export')
    .summary('the network for other tools, or as a picture')
    .description(
      'Write the network over the concepts: bif (Bayesian network tools), dot (Graphviz), uai (solvers), csv (a row an edge, with ' +
        'sign, mutual information in nats and strength, the log odds ratio), svg (a picture: green and solid goes together, red and dashed avoids).'
    )
    .argument('<model>', 'a model file')
    .addOption(new Option('--to <format>', 'what to write').choices(formats).makeOptionMandatory())
    .option('-o, --output <file>', 'the file to write (default: standard output)', '-')
  addCommonOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  adfa export model.json --to svg -o network.svg
  adfa export model.json --to bif -o network.bif
  adfa export model.json --to csv | sort -t, -k4 -gr | head`
    )
    .action(async (path: string, options: ExportOptions) => {
      const output = outputOf(options)
      const model = loadModel(await readTextFile(path), path)
      await writeAtomically(options.output, await exported(model, options.to))
      if (options.output === '-') return
      output.json({file: options.output, format: options.to, latents: model.latents.length})
      output.print(`wrote ${options.output}`)
    })
}

async function exported({network, latents}: Model, format: ExportFormat): Promise<string> {
  const names = latents.map(({name}) => name)
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
      const {instance} = await import('@viz-js/viz')
      return (await instance()).renderString(networkToDot(network, names), {format: 'svg'})
    }
  }
}
