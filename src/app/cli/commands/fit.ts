import type {Command} from 'commander'
import {type EdgeConfidence, networkEdges} from '../../../base/network/index.ts'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import type {FitIntervals, IntervalEnds} from '../../../learn/bootstrap.ts'
import type {WordChoice} from '../../../learn/choose-words.ts'
import type {FitCertificate} from '../../../learn/fit.ts'
import type {LearnedModel} from '../../../learn/learn.ts'
import {type Model, saveModel} from '../../../learn/model/index.ts'
import {isMeasured} from '../../../learn/noise/index.ts'
import {describePairs} from '../../../learn/robust/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {describeTables} from '../../../use/facts/index.ts'
import {ruleFacts, tagRule} from '../../../use/prediction/index.ts'
import {learnModel} from '../../pipeline/index.ts'
import {intervalText, ruleText, statusText, textTable} from '../../present/index.ts'
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
  adfa fit notes.counts --polytope marginal --time-limit 60 -o model.json   # moments of a joint distribution
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
  const hasSeveral = model.lexicon.anchors.some(({any}) => any.length > 1)
  const united = hasSeveral ? '; these do not distinguish the members of an anchor, which count as one' : ''
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0)
  output.print(
    `\n${counted(model.concepts.length, 'concept')} and ${counted(model.lexicon.words.length, 'word')} from ${counted(Number(model.options.documents), 'document')} in ${total.toFixed(2)} s` +
      `${tables === undefined ? '' : `\nfitted from ${describeTables(tables)}${united}`}` +
      `\n${networkFacts(model)}` +
      `\nloadings: ${loadingText(loadings)}, ${grouped(loadings.leaksAtFloor)} of ${grouped(loadings.words)} leaks at the floor` +
      `\n${wordText(model)}` +
      `\nwrote ${file}`
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

function wordText(model: LearnedModel): string {
  const {wordModel, options, certificate} = model
  const {wordChoice} = certificate
  const tags = ruleText(model, tagRule(model))
  const choice = wordChoice === undefined ? '' : choiceText(wordChoice)
  if (wordModel.kind === 'noisy-or') return `predictions: by noisy-or links; tags ${tags}${choice}`
  const {source, documents} = wordModel.certificate
  const sample = documents === options.documents ? '' : 'a sample of '
  const from = source === 'counts' ? 'counts alone' : `${sample}${counted(documents, 'document')}`
  return `predictions: by word weights (log-odds) from ${from}; tags ${tags}${choice}`
}

function choiceText({chosen, anchors}: WordChoice): string {
  const why = chosen === 'noisy-or' ? 'chosen by' : 'kept, since noisy-or links are not clearly better, judged by'
  return `\n  ${why} the anchors of ${counted(anchors.documents, 'held-out document')}: log-likelihood ${anchors.links.toFixed(2)} by noisy-or links, ${anchors.weights.toFixed(2)} by word weights`
}

function loadingText({gate, failures, failuresAboveOne}: FitCertificate['loadings']): string {
  return gate === undefined
    ? `${grouped(failuresAboveOne)} of ${grouped(failures)} clipped to "no effect"`
    : `${grouped(gate.kept)} of ${grouped(failures)} links beyond ${gate.sigmas} standard errors`
}

/** The certificates of the moments and the network. */
function networkFacts({certificate: {moments, structure}, options}: LearnedModel): string {
  const {objective, gap} = moments
  const proof = `${statusText(moments)}, objective ${objective.toPrecision(4)}, gap ${gap.toExponential(1)}`
  if (structure.method === 'pairs') return `network: ${describePairs(structure)}; distribution of lifts ${proof}`
  const {method, bic} = structure
  return `moments: ${proof}\nstructure: ${structure.status} (${method}), ${scoreName(options)} ${bic.toPrecision(7)}`
}

function scoreName({preset}: Model['options']): string {
  return preset === 'paper' ? 'BIC score' : 'noise-aware BIC score'
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
function intervalSection({concepts}: LearnedModel, intervals: FitIntervals): string {
  const {replicates, refused, level, edges} = intervals
  const used = replicates - refused
  const rows = concepts.flatMap(concept => {
    const ranges = intervals.concepts.find(({name}) => name === concept.name)
    const rates = ['prevalence', 'truePositive', 'falsePositive'] as const
    return ranges === undefined ? [] : [[concept.name, ...rates.map(rate => rateText(concept[rate], ranges[rate]))]]
  })
  const header = ['concept', 'prevalence', 'anchor fires if present', 'if absent']
  const fitted = edges.filter(edge => edge.fitted)
  const missing = edges.filter(edge => !edge.fitted && edge.confidence >= TOLD_CONFIDENCE)
  const list = (title: string, found: readonly EdgeConfidence[]) =>
    found.length === 0 ? [] : ['', title, textTable(found.map(edgeRow))]
  return [
    `${percent(level)} intervals from ${counted(used, 'resampling')} of the documents`,
    ...(rows.length > 0 ? [textTable([header, ...rows])] : []),
    ...list('edges, with the share of resamplings that also have them', fitted),
    ...list('edges missing in the network that most resamplings have', missing)
  ].join('\n')
}

function edgeRow({parent, child, confidence}: EdgeConfidence): string[] {
  return [`${parent} - ${child}`, percent(confidence)]
}

function rateText(value: number, [low, high]: IntervalEnds): string {
  return intervalText({value, low, high})
}
