import type {Command} from 'commander'
import {counted, percent} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {emergencyModel} from '../../../use/synthetic/index.ts'
import {textTable} from '../../present/index.ts'
import {type CommonOptions, commonOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import type {Demo, DemoName} from '../run-demo.ts'
import {typicalWords} from '../text.ts'

interface DemoOptions extends CommonOptions {
  readonly output: string
}

export function addDemoCommand(program: Command): void {
  addCommand(
    program,
    {
      corpus: {choices: ['npm', 'emergency'], preset: 'npm'},
      output: {preset: 'adfa-demo'}
    },
    commonOptions
  )`
demo: run the whole pipeline on an embedded corpus
Learn a model, evaluate it on held-out documents, and write its files and a report into a folder.
  [corpus]               npm packages, or a synthetic emergency department with a known true model
  -o, --output <folder>  folder for the files

Examples:
  adfa demo
  adfa demo emergency -o emergency-demo`.action(async (corpus: DemoName, options: DemoOptions) => {
    const output = outputOf(options)
    const started = performance.now()
    // Drawing takes a moment to load: not needed for other commands.
    const {runDemo} = await import('../run-demo.ts')
    const demo = await runDemo(corpus, options.output, options.seed, output)
    const seconds = (performance.now() - started) / 1000
    const {model, evaluation, files} = demo
    const {certificate, concepts} = model
    output.json({corpus, seconds, concepts: concepts.length, certificate, evaluation, files})
    const parts = [
      summary(demo, corpus, seconds),
      conceptTable(model, corpus),
      figures(demo, corpus),
      next(options.output)
    ]
    output.print(parts.join('\n\n'))
  })
}

/** A line of a terminal. */
const COLUMNS = 80

function summary({model, counts}: Demo, corpus: DemoName, seconds: number): string {
  const documents = counted(counts.documentCount, corpus === 'npm' ? 'npm package' : 'visit')
  const rates =
    corpus === 'npm'
      ? 'Anchors: the keyword in the name or description; rates from training tags.'
      : 'Anchors: words with their true rates; no tag was read to learn.'
  return `Learned ${counted(model.concepts.length, 'concept')} from ${documents} in ${seconds.toFixed(1)} s.\n${rates}`
}

const CONCEPTS_SHOWN = 5

/** The commonest concepts and their words, beside the truth where it is known. */
function conceptTable(model: Model, corpus: DemoName): string {
  const truth = corpus === 'emergency' ? emergencyModel() : undefined
  const order = [...model.concepts.keys()].sort((a, b) => model.concepts[b].prevalence - model.concepts[a].prevalence)
  const rows = order.slice(0, CONCEPTS_SHOWN).map(i => {
    const {name, prevalence} = model.concepts[i]
    const share = truth === undefined ? '' : ` (true: ${percent(truth.concepts[i].prevalence)})`
    return [name, `${percent(prevalence)}${share}`, typicalWords(model, i, 8).join(', ')]
  })
  return textTable([['concept', 'share', 'strongest words'], ...rows])
    .split('\n')
    .map(line => (line.length > COLUMNS ? line.slice(0, line.lastIndexOf(',', COLUMNS)) : line))
    .join('\n')
}

function figures({evaluation}: Demo, corpus: DemoName): string {
  const {'anchors-only': anchors, oracle} = evaluation.baselines
  const best = corpus === 'npm' ? 'the same learner shown every tag' : 'the true model'
  const rows = Object.entries({'this model': evaluation, 'anchors only': anchors, [best]: oracle})
  return textTable([
    [`${counted(evaluation.documents, 'document')} held out`, 'last tag found', 'average precision'],
    ...rows.map(([name, {lastTag, tagging}]) => [name, percent(lastTag.accuracy), tagging.averagePrecision.toFixed(3)])
  ])
}

function next(folder: string): string {
  return `Open ${folder}/report.html in a browser: network, concepts, all figures.
Then: npx adfa predict ${folder}/model.json ${folder}/heldout.jsonl --top 3
      npx adfa help`
}
