import {AdfaError} from '../../../base/checks/index.ts'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import {type Model, trainingCheck} from '../../../learn/model/index.ts'
import {createEncoder, labelKey, rowKey} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {
  type DecisionEstimates,
  LabelEvaluator,
  type LabelFigure,
  type LabelFigures
} from '../../../use/evaluation/index.ts'
import {createPredictor} from '../../../use/prediction/index.ts'
import type {FormatOptions} from '../format-options.ts'
import type {Output} from '../output.ts'
import {readLabelRows, readLabels} from '../read-anchors.ts'
import {eachDocument, readingOf} from '../read-input.ts'
import {textTable} from '../text.ts'

/** With fewer labelled documents that the model has not learned from, all are used. */
const LEAST_OTHERS = 30

/** What a model without a threshold of its own reports from. */
const EVEN = 0.5

/** A word read otherwise may hide one or two. */
const ALMOST_ALL = 0.97

interface LabelTask extends FormatOptions {
  readonly labels: string
  readonly threshold?: number
  readonly seed: number
}

/** Which labelled documents the figures are of. */
interface LabelsUsed {
  /** Labelled documents whose labels the rates of the model rest on; undefined where the model does not say. */
  readonly usedForRates: number | undefined
  /** Only those that the rates do not rest on, or all of them. */
  readonly evaluated: 'others' | 'all'
}

type Judged = LabelFigures & LabelsUsed & {readonly baselines: Readonly<Record<string, DecisionEstimates>>}

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

async function judge(model: Model, paths: readonly string[], task: LabelTask, output: Output): Promise<Judged> {
  const labels = await readLabels(task.labels)
  const rows = await readLabelRows(task.labels)
  const isWhole = new Set(rows.filter(({drawn}) => drawn !== 'anchored').map(({id}) => String(id)))
  const encoder = createEncoder(model.lexicon, labels)
  const training = trainingCheck(model)
  const compared = comparisons(model, task.threshold)
  let used = 0
  let unknown = 0
  const source = openDocuments(paths, readingOf(model, task, output))
  const documents = await eachDocument(source, 'reading documents', output, row => {
    if (!encoder.accepts(row)) return
    const evidence = encoder.encode(row)
    const known = encoder.labels(row)
    const own = known?.some(label => label >= 0) ? known : undefined
    const wasUsed = own && training.wasLabelled({key: rowKey(row), words: evidence.words})
    if (own !== undefined && wasUsed === undefined) unknown++
    if (wasUsed) used++
    const drawn = isWhole.has(labelKey(row)) ? 'random' : 'anchored'
    for (const {posterior, all, others} of compared) {
      const probabilities = posterior(evidence)
      all.add(probabilities, evidence.anchors, own, drawn)
      others.add(probabilities, evidence.anchors, wasUsed === false ? own : undefined, drawn)
    }
  })
  labels.check(model, output, false)
  const [{all, others}, ...rest] = compared
  if (all.labelled === 0) throw noWholeDocument(task.labels, documents)
  const evaluated = used > 0 && others.labelled >= LEAST_OTHERS ? 'others' : 'all'
  const chosen = (one: (typeof compared)[number]) => (evaluated === 'others' ? one.others : one.all).finish(task.seed)
  return {
    ...chosen(compared[0]),
    usedForRates: unknown > 0 ? undefined : used,
    evaluated,
    baselines: Object.fromEntries(rest.map(one => [one.name, chosen(one).micro]))
  }
}

/** The model, and what it is compared with: its noisy-or links, and its anchors alone. */
function comparisons(model: Model, threshold: number | undefined) {
  const names = model.concepts.map(({name}) => name)
  const own = createPredictor(model)
  const links = createPredictor(model, {wordModel: 'noisy-or'})
  type Posterior = typeof own.posterior
  const open = (name: string, posterior: Posterior, from: number) => ({
    name,
    posterior,
    all: new LabelEvaluator(names, from),
    others: new LabelEvaluator(names, from)
  })
  return [
    open('this model', own.posterior, threshold ?? own.threshold ?? EVEN),
    ...(model.wordModel.kind === 'noisy-or' ? [] : [open('noisy-or', links.posterior, threshold ?? EVEN)]),
    open('anchors-only', ({anchors}) => names.map((_, i) => (anchors.includes(i) ? 1 : 0)), EVEN)
  ]
}

function noWholeDocument(path: string, documents: number): AdfaError {
  return new AdfaError(
    'bad-document',
    `${path}: none of its documents drawn at random is among the ${counted(documents, 'document')} read that pass the model's filter; label some with adfa label`
  )
}

function figuresText(judged: Judged, model: Model): string {
  const {documents, labelled, shortAnswers, threshold, level, micro, macro, macroConcepts, concepts, baselines} = judged
  const short = shortAnswers === 0 ? '' : ` and ${counted(shortAnswers, 'short answer')}`
  const cells = ({f1, precision, recall}: DecisionEstimates) => [f1, precision, recall].map(figureCell)
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
    `${counted(labelled, 'labelled document')}${short}, of ${counted(documents, 'document')}; ${counted(concepts.length, 'concept')}, reported from a probability of ${percent(threshold)} on`,
    usedText(judged, model),
    '',
    textTable(overall),
    '',
    textTable([['', ...head, 'found', 'missed', 'wrong'], ...each]),
    '',
    `In brackets: ${percent(level)} intervals for all documents. Found, missed, wrong: labelled documents that have the concept and are reported, have it and are not, are reported without it.`
  ].join('\n')
}

/** Whether the figures are of documents that the model has learned from. */
function usedText({usedForRates, evaluated, labelled, shortAnswers}: Judged, {certificate}: Model): string {
  const {labelledCount = 0} = (certificate.noise ?? {}) as {labelledCount?: number}
  if (usedForRates === undefined)
    return `The rates of the model rest on ${counted(labelledCount, 'labelled document')}, and it does not record which; if these are among them, the figures are optimistic.`
  if (usedForRates === 0) return 'The model was learned without these labels.'
  if (evaluated === 'others')
    return `The rates of the model rest on ${counted(usedForRates, 'other document')} of the labels file, which are left out.`
  const all = labelled + shortAnswers
  const whose = usedForRates >= ALMOST_ALL * all ? 'these labels' : `${usedForRates} of these ${all} labels`
  return `The rates of the model rest on ${whose}, so the figures are a little optimistic: on three corpora with 150 labels F1 was too high by 0.00 to 0.01.`
}

/** "0.63 (0.58 to 0.68)"; "-" where the labels cannot tell. */
function figureCell({value, low, high}: LabelFigure): string {
  if (Number.isNaN(value)) return '-'
  return `${value.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`
}
