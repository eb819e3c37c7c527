import type {Model} from '../../learn/model/index.ts'
import type {Diagnosis} from '../advice/index.ts'
import type {Evaluation} from '../evaluation/index.ts'
import type {Graphviz} from './layout-network.ts'
import {type ReportInput, renderReport} from './report.ts'
import {drawReportPictures} from './report-pictures.ts'

/** What a report shows beside the model. */
export interface ReportParts extends Pick<ReportInput, 'title' | 'provenance'> {
  readonly diagnosis?: Diagnosis | undefined
  readonly evaluation?: Evaluation | undefined
  readonly learnedShare?: number | undefined
}

/** The names of the files that a report is made from. */
export interface ReportFiles {
  readonly model: string
  readonly counts?: string | undefined
  readonly data?: readonly string[] | undefined
  readonly train?: readonly string[] | undefined
  /** The version of the program. */
  readonly version: string
  readonly date?: string | undefined
}

/** The whole report, drawn and written: what `adfa report` saves. */
export function reportPage(model: Model, parts: ReportParts, viz: Graphviz): string {
  const {title, diagnosis, evaluation, learnedShare, provenance} = parts
  return renderReport({
    title,
    model,
    pictures: drawReportPictures(model, evaluation, viz),
    ...(diagnosis && {diagnosis}),
    ...(evaluation && {evaluation}),
    learnedShare,
    provenance
  })
}

export function reportProvenance({model, counts, data, train, version, date}: ReportFiles): [string, string][] {
  const parts: [string, string | undefined][] = [
    ['model', model],
    ['counts', counts],
    ['evaluated on', data?.join(', ')],
    ['trained on, for comparison', train?.join(', ')],
    ['program', `adfa ${version}`],
    ['date', date]
  ]
  return parts.flatMap(([what, value]) => (value === undefined ? [] : [[what, value] satisfies [string, string]]))
}
