import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import type {EvidenceUse} from '../../../learn/inference/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {Encoder, FieldSurvey, labelKey, rowKey} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {
  type DecisionEstimates,
  type Evaluation,
  evaluationRemarks,
  type FigureColumn,
  type Figures,
  figureColumns,
  figureIntervalText,
  figureText,
  groupText,
  type LabelEvaluation,
  labelFigureText,
  labelsUsedText,
  learnedNote,
  OpenLabelEvaluation,
  overconfidenceText,
  rivalText,
  saturationText,
  type TaggingFigures,
  whereBeaten
} from '../../../use/evaluation/index.ts'
import {ruleText, textTable} from '../../present/index.ts'
import {flagOf, share} from '../../project/index.ts'
import {
  addCommonOptions,
  addFormatOptions,
  addWorkersOption,
  type CommonOptions,
  type FormatOptions,
  outputOf,
  readModel,
  typedOptions,
  usageError,
  WORD_MODELS,
  WORDS_OPTION,
  type WorkOptions
} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {evaluateDocuments} from '../evaluate/documents.ts'
import type {Output} from '../output.ts'
import {readLabelRows, readLabels} from '../read-anchors.ts'
import {eachDocument, readingOf} from '../read-input.ts'
import {MISSING_OPTION, refuseMissing} from '../unseen-fields.ts'

interface EvaluateOptions extends CommonOptions, FormatOptions, WorkOptions {
  readonly train?: readonly string[]
  readonly baselines?: true
  readonly words: EvidenceUse['wordModel']
  readonly reliability?: true
  readonly labels?: string
  readonly threshold?: number
  readonly holdOut?: true
  readonly allowMissing?: true
}

export function addEvaluateCommand(program: Command): void {
  const command = addCommand(program, {words: WORD_MODELS, threshold: share})`
evaluate: compare predictions with true tags, alongside baselines
Compare the predictions of a model with the tags or labels of documents, alongside those of simple baselines.
  <model>             a model file
  <docs...>           tagged documents not used for fitting, or -
  --train <files...>  tagged training documents, for an oracle that learns from true tags
  --baselines         with --train: also train classifiers on anchors, and upper bounds on true tags
  --hold-out          judge only on the documents that adfa fit --hold-out left out; --train takes the others
  ${WORDS_OPTION}
  ${MISSING_OPTION}
  --reliability       also show a calibration table
  --labels <file>     F1, precision and recall with intervals from labels written by adfa label; replaces tags (default: those of adfa.json, if no document has tags)
  --threshold <p>     with --labels: probability from which a concept is reported (default: the threshold of the model, or 0.5)

Figures: accuracy of predicting the last tag from the others; mean log-likelihood of the tags; and, with no tag known, mean
average precision, AUC, F1 at a threshold of 0.5 and at the method's own threshold (*), Brier score and calibration error.

Baselines: "noisy-or" is the same model with its noisy-or links. "prior", "anchors-only" and "independent" (the same learner
without a network) treat concepts as independent. The classifiers of --baselines use anchors as labels (anchor-label), corrected
for unlabelled positives (positive-unlabelled) or for noise (noise-unbiased, noise-weighted), or impute tags once; those with
"-rule" trust an anchor that fires. Where classes exclude each other there are also "majority-vote", "dawid-skene",
"accuracy-model" and "majority-regression", and the accuracy of the most probable class. "oracle" and "oracle-ml" learn from true tags,
as does "supervised", the usual TF-IDF logistic regression: from all, and from 100, 500, 1,000 and 2,000 labelled documents, which
tells how many labels the model is worth.

Examples:
  adfa evaluate model.json notes.jsonl --labels labels.jsonl   # all documents, some of them labelled
  adfa evaluate model.json heldout.jsonl
  adfa evaluate model.json heldout.jsonl --reliability
  adfa evaluate model.json notes.jsonl --hold-out              # after adfa fit notes.jsonl --hold-out
  adfa evaluate model.json heldout.jsonl --train train.jsonl --json
  adfa evaluate model.json heldout.jsonl --train train.jsonl --baselines   # takes minutes`
  addCommonOptions(addWorkersOption(addFormatOptions(command))).action(runEvaluate)
}

async function runEvaluate(
  modelPath: string,
  paths: string[],
  options: EvaluateOptions,
  command: Command
): Promise<void> {
  const output = outputOf(options, command)
  const loaded = await readModel(modelPath)
  const model: Model = options.words === 'noisy-or' ? {...loaded, wordModel: {kind: 'noisy-or'}} : loaded
  const byLabels = (labels: string) => {
    refuseTagged(options, command)
    return evaluateLabels(model, paths, {...options, labels}, output)
  }
  // The labels of a project are for documents without tags; a threshold is for labels.
  const ofProject = command.getOptionValueSource('labels') === 'config' ? options.labels : undefined
  if (options.labels !== undefined && (ofProject === undefined || options.threshold !== undefined))
    return byLabels(options.labels)
  if (options.threshold !== undefined)
    throw usageError('--threshold is for --labels; give a labels file, or leave it out')
  const found = await evaluateDocuments(model, paths, options, output).catch(error => {
    if (ofProject !== undefined && error instanceof AdfaError && error.details.isUntagged) return undefined
    throw error
  })
  if (found === undefined) {
    output.note(`no document has tags; evaluated by the labels of ${ofProject}`)
    return byLabels(String(ofProject))
  }
  const {evaluation: result, skipped, filtered, learnedShare} = found
  output.json({...result, untagged: skipped, filtered, learnedShare})
  const left = [
    skipped > 0 ? `${grouped(skipped)} without tags` : '',
    filtered > 0 ? `${grouped(filtered)} not passing the model's document filter` : ''
  ].filter(text => text !== '')
  if (left.length > 0) output.note(`left out: ${left.join(', ')}`)
  if (learnedShare) output.note(learnedNote(learnedShare))
  output.print(
    `${counted(result.documents, 'document')}, ${counted(result.concepts, 'concept')}\n\n${figureTable(result)}`
  )
  if (options.reliability) output.print(`\n${reliabilityTable(result.tagging)}`)
}

/** Refuses, where labels are used, options that need tagged documents. */
function refuseTagged(options: EvaluateOptions, command: Command): void {
  const named = (['train', 'baselines', 'reliability'] as const).filter(name => options[name] !== undefined)
  const tagged = [...named, ...typedOptions(command, ['holdOut', 'workers'])]
  if (tagged.length > 0)
    throw usageError(`${tagged.map(flagOf).join(', ')} needs tagged documents; leave it out, or leave --labels out`)
}

/** The figures of a model and its baselines with their intervals, and what can be said of their differences. */
export function figureTable(evaluation: Evaluation): string {
  const named: [string, Figures][] = [['this model', evaluation], ...Object.entries(evaluation.baselines)]
  const tableOf = (cell: (column: FigureColumn, figures: Figures) => string) =>
    textTable([
      ['', ...figureColumns.map(({name}) => name)],
      ...named.map(([name, figures]) => [name, ...figureColumns.map(column => cell(column, figures))])
    ])
  return [
    tableOf(figureText),
    `${percent(evaluation.level)} intervals:\n\n${tableOf(figureIntervalText)}`,
    ...groupTables(named),
    conceptTable(evaluation),
    `Best of each figure, upper bounds aside, and methods without a clear difference from it:\n\n${bestTable(evaluation)}`,
    beatenText(evaluation),
    evaluationRemarks(evaluation).join('\n'),
    overconfidenceText(evaluation.tagging) ?? ''
  ]
    .filter(text => text !== '')
    .join('\n\n')
}

/** The figures of the model by concept, at its threshold. */
function conceptTable({perConcept}: Evaluation): string {
  const rows = perConcept.map(({concept, tags, ...own}) => [
    concept,
    grouped(tags),
    ...[own.averagePrecision, own.f1, own.precision, own.recall].map(labelFigureText)
  ])
  return `This model by concept:\n\n${textTable([['', 'tags', 'avg. precision', 'F1*', 'precision*', 'recall*'], ...rows])}`
}

function bestTable({best}: Evaluation): string {
  const rows = figureColumns.map(({key, name}) => {
    const {methods, level} = best[key]
    return [name, methods.join(', ') || '-', level.join(', ') || '-']
  })
  return textTable([['', 'best', 'no clear difference'], ...rows])
}

/** For each group of exclusive concepts, how often its most probable concept is the true one. */
function groupTables(named: readonly (readonly [string, Figures])[]): string[] {
  const [[, own]] = named
  return (own.groups ?? []).map((group, at) => {
    const rows = named.map(([name, {groups = []}]) => [name, shown(groups[at].accuracy), shown(groups[at].macroF1)])
    return `${groupText(group)}:\n\n${textTable([['', 'accuracy', 'macro F1'], ...rows])}`
  })
}

/** An undefined figure is a dash. */
function shown(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3)
}

export function reliabilityTable(tagging: TaggingFigures): string {
  const share = (p: number) => `${(100 * p).toFixed(1)}%`
  const rows = tagging.reliability.map(({meanProbability, shareFound, count}) => [
    share(meanProbability),
    share(shareFound),
    String(count)
  ])
  return `How often predictions of each probability are true, over all documents and concepts:

${textTable([['mean probability', 'found', 'predictions'], ...rows])}

${saturationText(tagging)}`
}

function beatenText(evaluation: Evaluation): string {
  const beaten = whereBeaten(evaluation).filter(({columns}) => columns.length > 0)
  if (beaten.length === 0) return 'No simpler method is clearly better than this model in any figure.'
  return beaten.map(rival => `${rival.name} ${rivalText(rival)}`).join('\n')
}

interface LabelTask extends FormatOptions {
  readonly labels: string
  readonly threshold?: number
  readonly allowMissing?: true
  readonly seed: number
}

/** F1, precision and recall from labelled documents. */
export async function evaluateLabels(
  model: Model,
  paths: readonly string[],
  task: LabelTask,
  output: Output
): Promise<void> {
  const judged = await judge(model, paths, task, output)
  output.json(judged)
  output.print(figuresText(judged, model))
}

async function judge(
  model: Model,
  paths: readonly string[],
  task: LabelTask,
  output: Output
): Promise<LabelEvaluation> {
  const labels = await readLabels(task.labels)
  const rows = await readLabelRows(task.labels)
  const isWhole = new Set(rows.filter(({drawn}) => drawn !== 'anchored').map(({id}) => String(id)))
  const encoder = new Encoder(model.lexicon, labels)
  const evaluation = new OpenLabelEvaluation(model, task.threshold)
  const source = openDocuments(paths, readingOf(model, task, output))
  const survey = new FieldSurvey(model.lexicon.reading)
  const documents = await eachDocument(source, 'reading documents', output, row => {
    survey.add(row)
    if (encoder.accepts(row))
      evaluation.add(rowKey(row), encoder.encode(row), encoder.labels(row), isWhole.has(labelKey(row)))
  })
  await refuseMissing(survey.unseen(), model.lexicon, paths, task)
  labels.check(model, output, false)
  if (evaluation.labelled === 0) throw noWholeDocument(task.labels, documents)
  return evaluation.finish(task.seed)
}

function noWholeDocument(path: string, documents: number): AdfaError {
  return new AdfaError(
    'bad-document',
    `${path}: none of its documents drawn at random is among the ${counted(documents, 'document')} read that pass the model's filter; label some with adfa label`
  )
}

function figuresText(judged: LabelEvaluation, model: Model): string {
  const {documents, labelled, shortAnswers, level, micro, macro, macroConcepts, concepts, baselines} = judged
  const short = shortAnswers === 0 ? '' : ` and ${counted(shortAnswers, 'short answer')}`
  const cells = ({f1, precision, recall}: DecisionEstimates) => [f1, precision, recall].map(labelFigureText)
  const head = ['F1', 'precision', 'recall']
  const overall = [
    ['', ...head],
    ['all decisions', ...cells(micro)],
    ...(macroConcepts === 0 ? [] : [[`mean of ${counted(macroConcepts, 'frequent concept')}`, ...cells(macro)]]),
    ...Object.entries(baselines).map(([name, own]) => [`${name}, all decisions`, ...cells(own)])
  ]
  const each = concepts.map(({concept, hits, misses, alarms, ...own}) => [
    concept,
    ...cells(own),
    ...[hits, misses, alarms].map(grouped)
  ])
  return [
    `${counted(labelled, 'labelled document')}${short}, of ${counted(documents, 'document')}; ${counted(concepts.length, 'concept')}, reported ${ruleText(model, judged.rule)}`,
    labelsUsedText(judged, model),
    '',
    textTable(overall),
    '',
    textTable([['', ...head, 'found', 'missed', 'wrong'], ...each]),
    '',
    `In brackets: ${percent(level)} intervals for all documents. Found, missed, wrong: labelled documents that have the concept and are reported, have it and are not, are reported without it.`
  ].join('\n')
}
