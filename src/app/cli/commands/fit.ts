import type {Command} from 'commander'
import {type EdgeConfidence, networkEdges} from '../../../base/network/index.ts'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import type {FitIntervals} from '../../../learn/bootstrap.ts'
import type {FitCertificate} from '../../../learn/fit.ts'
import type {LearnedModel} from '../../../learn/learn.ts'
import {saveModel} from '../../../learn/model/index.ts'
import {isMeasured} from '../../../learn/noise/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {certificateFacts} from '../../../use/facts/index.ts'
import {ruleFacts, tagRule} from '../../../use/prediction/index.ts'
import {learnModel} from '../../pipeline/index.ts'
import {certificateRows, intervalText, ruleText, statusText, textTable} from '../../present/index.ts'
import {learningSettings} from '../../project/index.ts'
import {inputOptions, missingOutput, outputOf} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {chosenOptions, type FitCommandOptions, fitReading, learnControl, Stopwatch, taskOf} from '../learning.ts'
import type {Output} from '../output.ts'
import {noteSkipped, readInput} from '../read-input.ts'
import {networkText} from '../text.ts'
import {noteUnused, refuseUndecided} from '../undecided.ts'

export function addFitCommand(program: Command): void {
  addCommand(program, {}, [...learningSettings, ...inputOptions])`
fit: learn a model from documents or counts
Learn a model: a network over the concepts, and the words that each concept makes more likely.
  <input...>           document files, or one counts file
  -o, --output <file>  the model file to write

Examples:
  adfa fit notes.jsonl --anchors anchors.json -o model.json
  adfa fit notes.jsonl --anchors anchors.json --labels labels.jsonl -o model.json   # rates from adfa label
  adfa fit notes.jsonl --anchors anchors.json --noise labels -o model.json   # rates from the tags of the documents
  adfa fit visits.jsonl --anchors anchors.json --category sex --number age:10 --list dispensed --negation -o model.json
  adfa fit questions.jsonl.gz --anchors-from-tags title --top-tags 50 --min-tags 2 --noise labels --skip-bad-anchors -o model.json
  adfa fit notes.counts --intervals -o model.json   # from counts; how certain are rates and edges?
  adfa fit notes.counts --structure indegree:2 --time-limit 60 -o model.json   # up to two parents, best BIC score
  adfa fit notes.counts --structure degree:3 --edges edges.json -o model.json   # independence tests, known edges
  adfa fit notes.counts --structure tree --polytope marginal --time-limit 60 -o model.json   # moments of a joint distribution
  adfa fit notes.counts --words noisy-or -o model.json   # predict by the links shown in reports`.action(runFit)
}

async function runFit(
  paths: string[],
  options: FitCommandOptions & {readonly output?: string},
  command: Command
): Promise<void> {
  const file = options.output ?? missingOutput(command)
  const output = outputOf(options, command)
  const seconds = new Stopwatch()
  const chosen = await chosenOptions(options)
  seconds.begin('count')
  const input = await readInput({paths, options: fitReading(options), command, output})
  refuseUndecided(input, options)
  noteUnused(input, options, output)
  const model = await learnModel(taskOf(input, chosen), learnControl(output, seconds))
  seconds.begin('write')
  await writeAtomically(file, saveModel(model))
  reportFit(model, file, output, seconds.finish())
}

function reportFit(model: LearnedModel, file: string, output: Output, seconds: Readonly<Record<string, number>>): void {
  const {moments, structure, loadings, intervals, tables} = model.certificate
  output.json({
    file,
    documents: model.options.documents,
    concepts: model.concepts.length,
    words: model.lexicon.words.length,
    seconds,
    noise: measuredNoise(model.certificate.noise),
    moments,
    structure: {...structure, edges: networkEdges(model.network).map(edge => edge.map(i => model.concepts[i].name))},
    loadings,
    wordModel: wordFacts(model),
    ...ruleFacts(tagRule(model)),
    ...(intervals && {intervals}),
    ...(tables && {tables}),
    skippedAnchors: model.lexicon.skipped
  })
  noteSkipped(model.lexicon, output)
  noteShortfalls(model, output)
  output.print(networkText(model))
  if (intervals !== undefined) output.print(`\n${intervalSection(model, intervals)}`)
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0)
  const [concepts, words] = [counted(model.concepts.length, 'concept'), counted(model.lexicon.words.length, 'word')]
  const documents = counted(Number(model.options.documents), 'document')
  output.print(
    [
      `\n${concepts} and ${words} from ${documents} in ${total.toFixed(2)} s`,
      ...certificateRows(model, certificateFacts(model)).map(([step, result]) => `${step}: ${result}`),
      `tags: ${ruleText(model, tagRule(model))}`,
      `wrote ${file}`
    ].join('\n')
  )
}

/** The rates that labels or a person measured; of other concepts only where their estimates come from. */
function measuredNoise(noise: FitCertificate['noise']) {
  const concepts = noise.concepts.map(rates => {
    const {concept, basis, sources} = rates
    return isMeasured(basis) ? rates : {concept, basis, sources}
  })
  return {...noise, concepts}
}

function wordFacts({wordModel, certificate: {wordChoice}}: LearnedModel) {
  const choice = wordChoice && {choice: wordChoice}
  return wordModel.kind === 'noisy-or'
    ? {...wordModel, ...choice}
    : {...choice, kind: wordModel.kind, ...wordModel.certificate}
}

/** Notes what the fit could not achieve or prove. */
function noteShortfalls(model: LearnedModel, output: Output): void {
  const {noise, moments, structure} = model.certificate
  const unknown = noise.concepts.filter(({basis}) => !isMeasured(basis)).length
  if (unknown > 0) output.note(withoutLabelsNote(unknown, noise.concepts.length))
  // The gap of pairs is fixed: nothing to set.
  if (moments.status !== 'optimal' && structure.method !== 'pairs')
    output.note(
      `moments: ${statusText(moments)}; proven to be within ${moments.gap.toPrecision(2)} of the optimum; set another --gap or --time-limit`
    )
  if (structure.status === 'stopped' || structure.status === 'heuristic')
    output.note(
      `structure: ${structure.status === 'stopped' ? 'the search was stopped' : 'greedy search proves nothing'}; ` +
        `the best graph scores at most ${structure.gap?.toPrecision(3)} more than this one (${structure.score.toPrecision(7)})`
    )
  const {ignoredEdges = 0} = structure
  if (ignoredEdges > 0)
    output.note(`structure: ignored ${counted(ignoredEdges, 'given edge')} of concepts left out of the model`)
}

/** One warning for all concepts without labels: what is not known, and the way out. */
function withoutLabelsNote(unknown: number, all: number): string {
  return (
    `No labels: the rates of ${unknown === all ? 'the anchors' : `${grouped(unknown)} of the ${grouped(all)} anchors`} are not measured, so it is unknown how many documents have their concepts. ` +
    'Predictions rank documents by rough estimates. To measure, label 30 to 100 documents with adfa label and fit again with --labels'
  )
}

/** An edge missing in the network is printed if this share of the replicates has it. */
const TOLD_CONFIDENCE = 0.5

/** Concepts with their intervals, and edges with the share of resamplings that have them. */
function intervalSection(
  {concepts}: LearnedModel,
  {replicates, refused, level, edges, ...found}: FitIntervals
): string {
  const rows = concepts.flatMap(concept => {
    const ranges = found.concepts.find(({name}) => name === concept.name)
    const rate = (name: 'prevalence' | 'truePositive' | 'falsePositive') => {
      const [low, high] = ranges?.[name] ?? []
      return intervalText({value: concept[name], low, high})
    }
    return ranges === undefined ? [] : [[concept.name, rate('prevalence'), rate('truePositive'), rate('falsePositive')]]
  })
  const told = edges.filter(({fitted, confidence}) => fitted || confidence >= TOLD_CONFIDENCE)
  const edgeRow = ({parent, child, fitted, confidence}: EdgeConfidence) => [
    `${parent} - ${child}`,
    fitted ? 'yes' : 'no',
    percent(confidence)
  ]
  return [
    `${percent(level)} intervals from ${counted(replicates - refused, 'resampling')} of the documents`,
    ...(rows.length > 0
      ? [textTable([['concept', 'prevalence', 'anchor fires if present', 'if absent'], ...rows])]
      : []),
    ...(told.length > 0 ? ['', textTable([['edge', 'in the network', 'in resamplings'], ...told.map(edgeRow)])] : [])
  ].join('\n')
}
