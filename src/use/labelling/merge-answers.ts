import {AdfaError} from '../../base/checks/index.ts'
import type {DrawnDocument} from './draw-documents.ts'
import type {LabelRow} from './label-rows.ts'

/** Answers of a sheet put to those given before. */
export interface MergedAnswers {
  readonly rows: readonly LabelRow[]
  readonly added: number
  /** Answers that the sheet gives differently; the sheet's count. */
  readonly changed: number
}

/**
 * Put the answers of a sheet to those of a labels file, so that a sheet can be read again when more of it is filled in. Where both
 * answer a question, the sheet goes before. `documentOf` finds a document by its name in the sheet.
 */
export function mergeAnswers(
  before: readonly LabelRow[],
  answers: readonly LabelRow[],
  documentOf: (name: string) => DrawnDocument | undefined,
  where: string
): MergedAnswers {
  let rows = [...before]
  let added = 0
  let changed = 0
  for (const answer of answers) {
    const document = documentOf(String(answer.id))
    if (document === undefined)
      throw new AdfaError(
        'mismatch',
        `${where}: document "${answer.id}" is not among the documents; give those that the sheet was made for, ` +
          'and check that no program has changed the column "id"'
      )
    const {key} = document
    // A whole answer stands for the short ones on the same document.
    if (answer.drawn === 'random') rows = rows.filter(({id, drawn}) => String(id) !== key || drawn === 'random')
    const at = rows.findIndex(row => String(row.id) === key && answersSame(row, answer))
    if (at < 0) {
      rows.push({...answer, id: document.row.id ?? key})
      added++
      continue
    }
    const labels = new Map([...rows[at].labels, ...answer.labels])
    if ([...labels].every(([concept, truth]) => rows[at].labels.get(concept) === truth)) continue
    rows[at] = {...rows[at], labels, skipped: undefined}
    changed++
  }
  return {rows, added, changed}
}

/** Whether a row answers, or skips, what a later answer on the same document is about. */
function answersSame({drawn, labels, skipped}: LabelRow, answer: LabelRow): boolean {
  if (answer.drawn === 'random') return drawn === 'random'
  return [...answer.labels.keys()].some(concept => labels.has(concept) || skipped?.concept === concept)
}
