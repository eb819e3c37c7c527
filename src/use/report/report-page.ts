import {AdfaError} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {judgeNoise} from '../../learn/noise/index.ts'
import type {Counts} from '../../read/counts/index.ts'
import {type Diagnosis, diagnose} from '../advice/index.ts'
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

/** The findings of `adfa doctor` in counts with the anchors of the model; `name` is that of the counts. */
export function reportDiagnosis(model: Model, counts: Counts, name: string): Diagnosis {
  checkSameAnchors(model, counts, name)
  return diagnose(counts, judgeNoise(counts, 'auto'))
}

/** Every anchor of the model must be in the counts, with the same features; the counts may have more. */
function checkSameAnchors({lexicon}: Model, counts: Counts, name: string): void {
  const described = ({any, not}: Counts['lexicon']['anchors'][number]) => JSON.stringify([any, not])
  const counted = new Map(counts.lexicon.anchors.map(anchor => [anchor.concept, described(anchor)]))
  const other = lexicon.anchors.find(anchor => counted.get(anchor.concept) !== described(anchor))
  if (other !== undefined)
    throw new AdfaError(
      'mismatch',
      `${name}: its anchors are not those of the model: "${other.concept}" is ${counted.has(other.concept) ? 'anchored otherwise' : 'not in it'}; ` +
        'give the counts the model was learned from, or count with --like and the model'
    )
}
