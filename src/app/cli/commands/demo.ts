import type {Command} from 'commander'
import {networkEdges} from '../../../base/network/index.ts'
import {counted, percent} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {textTable} from '../../present/index.ts'
import {type CommonOptions, commonOptions, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import type {Corpus, Demo} from '../run-demo.ts'
import {oddsRatio, strongestEdges, typicalWords} from '../text.ts'

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
  adfa demo emergency -o emergency-demo`.action(async (corpus: Corpus, options: DemoOptions) => {
    const output = outputOf(options)
    const started = performance.now()
    // Drawing takes a moment to load: not needed for other commands.
    const {runDemo} = await import('../run-demo.ts')
    const demo = await runDemo(corpus, options.output, options.seed, output)
    const seconds = (performance.now() - started) / 1000
    const {model, evaluation, examples, files} = demo
    output.json({
      corpus,
      seconds,
      concepts: model.concepts.length,
      certificate: model.certificate,
      evaluation,
      examples,
      files
    })
    output.print(
      [summary(demo, corpus, seconds), concepts(demo), figures(demo, corpus), example(demo), next(options.output)].join(
        '\n\n'
      )
    )
  })
}

/** A line of a terminal. */
const COLUMNS = 80

function summary({model, counts}: Demo, corpus: Corpus, seconds: number): string {
  const documents = counted(counts.documentCount, corpus === 'npm' ? 'npm package' : 'visit')
  const rates =
    corpus === 'npm'
      ? 'Anchors: the keyword in the name or description; rates from training tags.'
      : 'Anchors: words with their true rates; no tag was read to learn.'
  return `Learned ${counted(model.concepts.length, 'concept')} from ${documents} in ${seconds.toFixed(1)} s.\n${rates}`
}

const LINES_SHOWN = 5

/** The commonest concepts and their words, beside the truth where it is known; below them, edges. */
function concepts({model, truth}: Demo): string {
  const order = [...model.concepts.keys()].sort((a, b) => model.concepts[b].prevalence - model.concepts[a].prevalence)
  const edges = [strongest(model), ...(truth === undefined ? [] : [edgesFound(model, truth)])]
  const rows = order.slice(0, LINES_SHOWN - edges.length).map(i => {
    const {name, prevalence} = model.concepts[i]
    const share = truth === undefined ? '' : ` (true: ${percent(truth.concepts[i].prevalence)})`
    return [name, `${percent(prevalence)}${share}`, typicalWords(model, i, 8).join(', ')]
  })
  return [...textTable([['concept', 'share', 'strongest words'], ...rows]).split('\n'), ...edges]
    .map(line => (line.length > COLUMNS ? line.slice(0, line.lastIndexOf(',', COLUMNS)) : line))
    .join('\n')
}

/** The edges with the greatest mutual information, as many as fit a line. */
function strongest(model: Model): string {
  const edges = strongestEdges(model).map(edge => `${edge.parent} and ${edge.child}, odds ${oddsRatio(edge)}`)
  const line = (count: number) => `Together: ${edges.slice(0, count).join('; ')}`
  return line(edges.length > 1 && line(2).length <= COLUMNS ? 2 : 1)
}

function edgesFound(model: Model, truth: Model): string {
  const pairs = ({network}: Model) => networkEdges(network).map(edge => edge.toSorted((a, b) => a - b).join())
  const found = new Set(pairs(model))
  const known = pairs(truth)
  const both = known.filter(edge => found.has(edge)).length
  return `${counted(found.size, 'edge')} found, among them ${both} of the ${known.length} of the true network.`
}

function figures({evaluation}: Demo, corpus: Corpus): string {
  const {'anchors-only': anchors, oracle} = evaluation.baselines
  const row = (name: string, {lastTag, tagging}: Pick<Demo['evaluation'], 'lastTag' | 'tagging'>) => [
    name,
    percent(lastTag.accuracy),
    tagging.averagePrecision.toFixed(3)
  ]
  const best = corpus === 'npm' ? 'the same learner shown every tag' : 'the true model'
  return textTable([
    [`${counted(evaluation.documents, 'document')} held out`, 'last tag found', 'average precision'],
    row('this model', evaluation),
    row('anchors only', anchors),
    row(best, oracle)
  ])
}

function example({examples}: Demo): string {
  const [first] = examples
  if (first === undefined) return ''
  const predicted = first.predicted.slice(0, 3).map(({name, probability}) => `${name} ${percent(probability)}`)
  const lines = [first.text, `  predicted: ${predicted.join(', ')}`, `  its tags:  ${first.tags.join(', ')}`]
  return lines.map(line => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 3)}...` : line)).join('\n')
}

function next(folder: string): string {
  return `Open ${folder}/report.html in a browser: network, concepts, all figures.
Then: npx adfa predict ${folder}/model.json ${folder}/heldout.jsonl --top 3
      npx adfa help`
}
