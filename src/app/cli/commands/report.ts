import {basename} from 'node:path'
import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {diagnoseModel} from '../../../use/advice/index.ts'
import {leftOutNotes} from '../../present/index.ts'
import {type CommonOptions, commonOptions, formatOptions, outputOf, readModel, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {drawnReport} from '../drawn-report.ts'
import {type ComparisonOptions, evaluateDocuments} from '../evaluate/documents.ts'
import {readCounts} from '../read-input.ts'
import {MISSING_OPTION} from '../unseen-fields.ts'
import {packageVersion} from '../version.ts'

interface ReportOptions extends CommonOptions, ComparisonOptions {
  readonly output: string
  readonly counts?: string
  readonly data?: readonly string[]
  readonly title?: string
  readonly date?: string
}

export function addReportCommand(program: Command): void {
  addCommand(program, {output: {preset: 'report.html'}}, [...formatOptions, ...commonOptions])`
report: write the model as one HTML file to share
Write one self-contained HTML file with the network, a card for each concept, rates with intervals and, on request, the findings of adfa doctor and an
evaluation alongside baselines. It works offline, prints well and works on phones.
  <model>              a model file
  -o, --output <file>  report to write; - for standard output
  --counts <file>      counts the model was learned from: add the findings of adfa doctor
  --data <files...>    tagged documents not used for fitting: add an evaluation
  --hold-out           with --data: judge only on the documents that adfa fit --hold-out left out; --train takes the others
  --train <files...>   with --data: tagged training documents, for an oracle that learns from true tags
  --baselines          with --train: also train classifiers on anchors, and upper bounds on true tags (takes minutes)
  ${MISSING_OPTION}
  --title <text>       title of the report
  --date <text>        date to print; without it the same files always give the same bytes

The report has intervals if the model was fitted with --intervals.

Examples:
  adfa report model.json -o report.html
  adfa report model.json --counts notes.counts --data heldout.jsonl --title "Chest x-rays, 2024"
  adfa report model.json --data heldout.jsonl --train train.jsonl --baselines`.action(runReport)
}

async function runReport(path: string, options: ReportOptions): Promise<void> {
  const output = outputOf(options)
  const {counts, data, train, baselines, date, title = `Report on ${basename(path)}`} = options
  if (data === undefined && train !== undefined)
    throw usageError('--train needs documents to evaluate on; name them with --data, or leave it out')
  if (baselines && train === undefined) throw usageError('--baselines are trained on documents; name them with --train')
  const model = await readModel(path)
  // The findings of adfa doctor; the counts must have the anchors of the model.
  const diagnosis = counts === undefined ? undefined : await diagnoseModel(model, await readCounts(counts), counts)
  const judged = data === undefined ? undefined : await evaluateDocuments(model, data, options, output)
  for (const note of judged ? leftOutNotes(judged.left) : []) output.note(`evaluation: ${note}`)
  const {evaluation, left: {learnedShare} = {}} = judged ?? {}
  const {reportProvenance} = await import('../../report/index.ts')
  const provenance = reportProvenance({model: path, counts, data, train, version: packageVersion(), date})
  const text = await drawnReport({model, diagnosis, evaluation, learnedShare, title, provenance}, output)
  await writeAtomically(options.output, text)
  output.done()
  if (options.output === '-') return
  output.json({
    file: options.output,
    bytes: new TextEncoder().encode(text).length,
    concepts: model.concepts.length,
    findings: diagnosis?.findings.length ?? null,
    evaluated: evaluation?.documents ?? null,
    learnedShare: learnedShare ?? null
  })
  output.print(`wrote ${options.output}, ${counted(model.concepts.length, 'concept')}; open it in a browser`)
}
