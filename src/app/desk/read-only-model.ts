/** A model without its documents: to be looked at, not to be changed. */
import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {saveModel} from '../../learn/model/index.ts'
import type {ReportTask} from '../drawing/index.ts'
import {type ExportedFile, type ExportKind, isReadOnlyExport, MODEL, REPORT} from './export-kinds.ts'
import {networkFile, textFile} from './exports.ts'
import {thresholdOf} from './state-view.ts'
import type {DeskState} from './views.ts'

export interface ReadOnlyModel {
  readonly file: string
  readonly model: Model
}

/** What the page is told: its numbers are what they are, and there is nothing to score. */
export function readOnlyState({file, model}: ReadOnlyModel): Partial<DeskState> {
  return {readOnly: file, numbers: {is: 'ready'}, threshold: thresholdOf(model)}
}

/** The same bytes as the command line writes from the model alone; what needs documents is refused. */
export async function exportReadOnly(
  what: ExportKind,
  {file, model}: ReadOnlyModel,
  report: (task: ReportTask) => Promise<string>
): Promise<ExportedFile> {
  if (!isReadOnlyExport(what))
    throw new AdfaError('bad-option', `${file} is open without its documents, which this needs; add them on Start`)
  switch (what) {
    case 'model':
      return textFile(MODEL, 'application/json', saveModel(model))
    case 'report':
      return textFile(REPORT, 'text/html', await report({title: `Report on ${file}`, model, files: {model: file}}))
    default:
      return networkFile(what, model)
  }
}
