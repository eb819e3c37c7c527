import type {Command} from 'commander'
import {isPairNetwork, type NetworkFormat, networkText} from '../../../base/network/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {
  addCommonOptions,
  type CommonOptions,
  outputOf,
  positiveNumber,
  readModel,
  usageError
} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {exportScores} from './scores.ts'

const networkFormats = ['bif', 'dot', 'uai', 'csv', 'svg'] as const

interface ExportOptions extends CommonOptions {
  readonly to: (typeof networkFormats)[number] | 'gobnilp-scores'
  readonly output: string
  readonly counts?: string
  readonly maxParents: number
}

export function addExportCommand(program: Command): void {
  const command = addCommand(program, {
    to: {choices: [...networkFormats, 'gobnilp-scores'], isRequired: true},
    output: {preset: '-', shown: 'standard output'},
    maxParents: {read: positiveNumber, preset: 2}
  })`
export: write the network as a picture or for other tools
Write the network over the concepts: svg (a picture; positive edges are green and solid, negative ones red and dashed, and arrow heads appear only
where the direction is identified), csv (one row per edge: sign, mutual information in nats, strength as a log odds ratio, and for a network of pairs
the 5% and 95% points of the odds ratio), bif (Bayesian network tools; of a network of pairs, a directed network near it), dot (Graphviz) or uai
(solvers); or gobnilp-scores: the BIC score of each set of parents, for structure learning programs.
  <model>              a model file
  --to <format>        format to write
  -o, --output <file>  file to write
  --counts <file>      with gobnilp-scores: score these counts instead of the network of the model
  --max-parents <k>    with gobnilp-scores: maximal number of parents

Examples:
  adfa export model.json --to svg -o network.svg
  adfa export model.json --to bif -o network.bif
  adfa export model.json --to csv | sort -t, -k4 -gr | head
  adfa export model.json --to gobnilp-scores --counts notes.counts -o notes.jkl`
  addCommonOptions(command).action(async (path: string, options: ExportOptions, command: Command) => {
    const output = outputOf(options)
    const {to, counts, maxParents} = options
    if (to !== 'gobnilp-scores') refuseScoreOptions(command)
    const model = await readModel(path)
    if (to === 'bif' && isPairNetwork(model.network))
      output.note(
        'the network has pairs without directions; wrote a directed network near it, of at most 4 parents each'
      )
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
      throw usageError(`${flag} applies only to --to gobnilp-scores; leave it out`)
}

async function exported(model: Model, format: NetworkFormat | 'svg'): Promise<string> {
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  if (format !== 'svg') return networkText(network, names, format)
  // Graphviz is 1.5 MB of WebAssembly: loaded only for a picture.
  const [{loadGraphviz}, {drawNetwork, linkRules}] = await Promise.all([
    import('../../drawing/index.ts'),
    import('../../../use/report/index.ts')
  ])
  return drawNetwork(network, names, await loadGraphviz(), {rules: linkRules(model)})
}
