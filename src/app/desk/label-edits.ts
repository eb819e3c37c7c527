import type {LabelRow} from '../../use/labelling/index.ts'

/**
 * The rows without the labels of a concept. A row that is about this concept alone goes; one about a whole document stays as
 * long as it has another label.
 */
export function withoutConcept(rows: readonly LabelRow[], concept: string): readonly LabelRow[] {
  return rows.flatMap(row => {
    if (row.skipped?.concept === concept) return []
    if (!row.labels.has(concept)) return [row]
    const labels = new Map([...row.labels].filter(([name]) => name !== concept))
    return labels.size === 0 ? [] : [{...row, labels}]
  })
}

/** The rows with another name for a concept. */
export function withRenamed(rows: readonly LabelRow[], concept: string, to: string): readonly LabelRow[] {
  return rows.map(row => {
    const isSkipped = row.skipped?.concept === concept
    if (!isSkipped && !row.labels.has(concept)) return row
    const labels = new Map([...row.labels].map(([name, isPresent]) => [name === concept ? to : name, isPresent]))
    return {...row, labels, ...(isSkipped && {skipped: {concept: to}})}
  })
}

/** Whether a row is about the concept. */
export function namesConcept({labels, skipped}: LabelRow, concept: string): boolean {
  return labels.has(concept) || skipped?.concept === concept
}
