import type {Command} from 'commander'
import {isPairNetwork, type NetworkFormat, networkText} from '../../../base/network/index.ts'
import {counted, grouped} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {linkRules} from '../../../use/facts/index.ts'
import {unmeasuredConcepts} from '../../../use/prediction/index.ts'
import {type CommonOptions, commonOptions, outputOf, readModel} from '../common-options.ts'
import {addCommand} from '../declare.ts'

const networkFormats = ['bif', 'dot', 'uai', 'csv', 'svg'] as const

interface ExportOptions extends CommonOptions {
  readonly to: (typeof networkFormats)[number]
  readonly output: string
}

export function addExportCommand(program: Command): void {
  addCommand(
    program,
    {
      to: {choices: networkFormats, isRequired: true},
      output: {preset: '-', shown: 'standard output'}
    },
    commonOptions
  )`
export: write the network as a picture or for other tools
Write the network over the concepts: svg (a picture; positive edges are green and solid, negative ones red and dashed, and arrow heads appear only
where the direction is identified), csv (one row per edge: sign, mutual information in nats, strength as a log odds ratio, and for a network of pairs
the 5% and 95% points of the odds ratio), bif (Bayesian network tools; of a network of pairs, a directed network near it), dot (Graphviz) or uai
(solvers).
  <model>              a model file
  --to <format>        format to write
  -o, --output <file>  file to write

Examples:
  adfa export model.json --to svg -o network.svg
  adfa export model.json --to bif -o network.bif
  adfa export model.json --to csv | sort -t, -k4 -gr | head`.action(async (path: string, options: ExportOptions) => {
    const output = outputOf(options)
    const {to} = options
    const model = await readModel(path)
    if (to === 'bif' && isPairNetwork(model.network))
      output.note(
        'the network has pairs without directions; wrote a directed network near it, of at most 4 parents each'
      )
    const unmeasured = unmeasuredConcepts(model)
    if ((to === 'bif' || to === 'uai') && unmeasured.size > 0)
      output.note(
        `the prevalences of ${grouped(unmeasured.size)} of ${counted(model.concepts.length, 'concept')} are guesses; nobody measured them`
      )
    await writeAtomically(options.output, await exported(model, to, unmeasured))
    if (options.output === '-') return
    output.json({file: options.output, format: to, concepts: model.concepts.length})
    output.print(`wrote ${options.output}`)
  })
}

async function exported(model: Model, format: NetworkFormat | 'svg', unmeasured: ReadonlySet<string>): Promise<string> {
  const {network, concepts} = model
  const names = concepts.map(({name}) => name)
  if (format !== 'svg') return networkText(network, names, format, unmeasured)
  // Graphviz is 1.5 MB of WebAssembly: loaded only for a picture.
  const {drawNetwork, loadGraphviz} = await import('../../report/index.ts')
  const prevalences = concepts.map(({name, prevalence}) => (unmeasured.has(name) ? undefined : prevalence))
  return drawNetwork(network, names, await loadGraphviz(), {prevalences, rules: linkRules(model)})
}
