import {basename} from 'node:path'
import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import {writeAtomically} from '../../../read/files/index.ts'
import {type Diagnosis, diagnoseModel} from '../../../use/advice/index.ts'
import type {Evaluation} from '../../../use/evaluation/index.ts'
import {leftOutNotes} from '../../present/index.ts'
import {
  type CommonOptions,
  commonOptions,
  type FormatOptions,
  formatOptions,
  outputOf,
  readModel,
  usageError
} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {drawnReport} from '../drawn-report.ts'
import {evaluateDocuments} from '../evaluate/documents.ts'
import type {Output} from '../output.ts'
import {readCounts} from '../read-input.ts'
import {MISSING_OPTION} from '../unseen-fields.ts'
import {packageVersion} from '../version.ts'

interface ReportOptions extends CommonOptions, FormatOptions {
  readonly output: string
  readonly counts?: string
  readonly data?: readonly string[]
  readonly train?: readonly string[]
  readonly holdOut?: true
  readonly allowMissing?: true
  readonly baselines?: true
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
  adfa report model.json --data heldout.jsonl --train train.jsonl --baselines`.action(
    async (path: string, options: ReportOptions) => {
      const output = outputOf(options)
      refuseUnused(options)
      const model = await readModel(path)
      const diagnosis = options.counts === undefined ? undefined : await examine(model, options.counts, output)
      const judged = options.data === undefined ? undefined : await judge(model, options.data, options, output)
      const {evaluation, learnedShare} = judged ?? {evaluation: undefined, learnedShare: undefined}
      const text = await written(model, {path, options, diagnosis, evaluation, learnedShare}, output)
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
  )
}

function refuseUnused({data, train, baselines}: ReportOptions): void {
  if (data === undefined && train !== undefined)
    throw usageError('--train needs documents to evaluate on; name them with --data, or leave it out')
  if (baselines && train === undefined) throw usageError('--baselines are trained on documents; name them with --train')
}

/** The findings of adfa doctor; the counts must have the anchors of the model. */
async function examine(model: Model, file: string, output: Output): Promise<Diagnosis> {
  const counts = await readCounts(file)
  output.progress('examining anchors')
  return diagnoseModel(model, counts, file)
}

async function judge(
  model: Model,
  paths: readonly string[],
  options: ReportOptions,
  output: Output
): Promise<Pick<Written, 'evaluation' | 'learnedShare'>> {
  const {evaluation, left} = await evaluateDocuments(model, paths, options, output)
  for (const note of leftOutNotes(left)) output.note(`evaluation: ${note}`)
  return {evaluation, learnedShare: left.learnedShare}
}

interface Written {
  readonly path: string
  readonly options: ReportOptions
  readonly diagnosis: Diagnosis | undefined
  readonly evaluation: Evaluation | undefined
  readonly learnedShare: number | undefined
}

async function written(model: Model, parts: Written, output: Output): Promise<string> {
  const {path, options, ...shown} = parts
  const {counts, data, train, date, title = `Report on ${basename(path)}`} = options
  const {reportProvenance} = await import('../../report/index.ts')
  const files = {model: path, counts, data, train, version: packageVersion(), date}
  return drawnReport({model, ...shown, title, provenance: reportProvenance(files)}, output)
}
