import {AdfaError} from '../../../base/checks/index.ts'
import {counted, grouped, percent} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {createEncoder, FieldSurvey, labelKey, rowKey} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {
  type DecisionEstimates,
  type LabelEvaluation,
  labelFigureText,
  labelsUsedText,
  OpenLabelEvaluation
} from '../../../use/evaluation/index.ts'
import {ruleText} from '../../../use/prediction/index.ts'
import type {FormatOptions} from '../format-options.ts'
import type {Output} from '../output.ts'
import {readLabelRows, readLabels} from '../read-anchors.ts'
import {eachDocument, readingOf} from '../read-input.ts'
import {textTable} from '../text.ts'
import {refuseMissing} from '../unseen-fields.ts'

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
  const encoder = createEncoder(model.lexicon, labels)
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
