import {Argument, type Command} from 'commander'
import {counted, percent} from '../../base/text/index.ts'
import {type Model, topWords, wordNamer} from '../../learn/model/index.ts'
import type {Demo, EmergencyDemo} from '../demo/index.ts'
import {addCommonOptions, type CommonOptions, outputOf} from './common-options.ts'
import {describeCounts} from './count/count.ts'
import {figureTable} from './evaluate/evaluate.ts'
import {conceptTree, textTable} from './text.ts'

interface DemoOptions extends CommonOptions {
  readonly output: string
}

export function addDemoCommand(program: Command): void {
  const command = program
    .command('demo')
    .summary('run the whole pipeline on an embedded corpus')
    .description(
      'Learn a model step by step, evaluate it on held-out documents, and keep its files for your own experiments.'
    )
    .addArgument(
      new Argument('[corpus]', 'npm packages, or a synthetic emergency department with a known true model')
        .choices(['npm', 'emergency'])
        .default('npm')
    )
    .option('-o, --output <folder>', 'folder for the files', 'adfa-demo')
  addCommonOptions(command)
    .addHelpText('after', '\nExamples:\n  adfa demo\n  adfa demo emergency -o emergency-demo')
    .action(async (corpus: 'npm' | 'emergency', options: DemoOptions) => {
      const output = outputOf(options)
      const started = performance.now()
      // Charts take a moment to load: not needed for other commands.
      const {runEmergencyDemo, runNpmDemo} = await import('../demo/index.ts')
      const onStep = (step: string) => output.note(`- ${step} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
      const demo =
        corpus === 'npm'
          ? await runNpmDemo(options.output, onStep)
          : await runEmergencyDemo(options.output, options.seed, onStep)
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
      output.print(describeDemo(demo))
      if (corpus === 'emergency') output.print(describeTruth(demo as EmergencyDemo))
      output.print(describeFigures(demo, corpus))
      output.print(describeNext(corpus, options.output, files, seconds))
    })
}

function describeDemo({model, counts}: Demo): string {
  const skipped = counts.lexicon.skipped.map(({concept, reason}) => `\n  left out "${concept}": ${reason}`).join('')
  const {method} = model.certificate.noise
  const rates = method === 'labels' ? "estimated from the training documents' tags, as in the paper" : 'given'
  return `
${describeCounts(counts)}; rates of the anchors ${rates}${skipped}

The concepts, each below its parent, learned from words and anchors only (+ positive, - negative; edges that the noise of the
anchors could explain are left out):

${conceptTree(model)}

The strongest words of each concept (anchors are not words):

${wordTable(model)}`
}

function wordTable(model: Model): string {
  const width = Math.max(...model.concepts.map(({name}) => name.length))
  const nameOf = wordNamer(model.lexicon)
  const words = (i: number) => topWords(model, i, 8).map(({word}) => nameOf(word))
  return model.concepts.map(({name}, i) => `${name.padEnd(width)}  ${words(i).join(', ')}`).join('\n')
}

function describeFigures({evaluation, examples}: Demo, corpus: string): string {
  const oracle = corpus === 'npm' ? 'the same learner shown every true tag' : 'the true model itself'
  const shown = examples.map(({id, text, tags, predicted}) => {
    const list = predicted.map(({name, probability}) => `${name} ${percent(probability)}`).join(', ')
    return `${id}: ${text.length > 90 ? `${text.slice(0, 90)}...` : text}\n    predicted: ${list}\n    true:      ${tags.join(', ')}`
  })
  return `
${counted(evaluation.documents, 'held-out document')} (oracle: ${oracle}):

${figureTable(evaluation)}

Five held-out documents:

${shown.join('\n')}`
}

/** Estimates next to the truth: prevalences, edges, and failure probabilities of the best words. */
function describeTruth({model, truth}: EmergencyDemo): string {
  const trueWords = new Map(truth.lexicon.words.map((word, j) => [word, j]))
  const failureOf = (i: number, word: string) =>
    truth.loadings.failure[i * truth.loadings.wordCount + (trueWords.get(word) ?? Number.NaN)]
  const rows = model.concepts.map(({name, prevalence}, i) => {
    const top = topWords(model, i, 3).map(
      ({word, failure}) => `${word} ${failure.toFixed(2)} / ${failureOf(i, word).toFixed(2)}`
    )
    return [name, percent(prevalence), percent(truth.concepts[i].prevalence), top.join(', ')]
  })
  const pairs = (network: Model['network']) =>
    network.parents.flatMap((parents, i) => parents.map(k => [Math.min(i, k), Math.max(i, k)].join()))
  const trueEdges = new Set(pairs(truth.network))
  const found = pairs(model.network).filter(edge => trueEdges.has(edge)).length
  return `
Estimates and truth (words: failure probability, estimated / true):

${textTable([['', 'estimate', 'truth', 'best words'], ...rows])}

${found} of the ${pairs(model.network).length} edges found are among the ${trueEdges.size} edges of the true network, where a concept has up to two parents.`
}

function describeNext(corpus: string, folder: string, files: readonly string[], seconds: number): string {
  const anchors =
    corpus === 'npm'
      ? '--anchors-from-tags title,text --noise labels --skip-bad-anchors'
      : `--anchors ${folder}/anchors.json`
  return `
Done in ${seconds.toFixed(1)} s. Written: ${files.join(', ')}

Open ${folder}/report.html in a browser: the network, a card for every concept, and the figures above.

Next:
  npx adfa predict ${folder}/model.json ${folder}/heldout.jsonl --top 3 | head
  npx adfa evaluate ${folder}/model.json ${folder}/heldout.jsonl --train ${folder}/train.jsonl
  npx adfa fit ${folder}/train.jsonl ${anchors} --preset paper -o ${folder}/paper.json
  npx adfa --help`
}
