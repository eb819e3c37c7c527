import {AdfaError} from '../../base/checks/index.ts'
import type {DrawnDocument} from './draw-documents.ts'
import type {LabelRow} from './label-rows.ts'

/** Refuse an answer that does not belong to these documents and concepts. `where` names its file. */
export function checkLabelRow(
  {id, labels, drawn, skipped}: LabelRow,
  document: DrawnDocument | undefined,
  concepts: readonly string[],
  where: string
): void {
  const refuse = (what: string, remedy: string) =>
    new AdfaError(
      'mismatch',
      `${where}: document "${String(id).slice(0, 60)}" ${what}; ${remedy}, or name another file with -o`
    )
  const sameAnchors = 'give the anchors that these labels were made for'
  if (document === undefined)
    throw refuse('is not among the documents', 'give the documents that these labels were made for')
  const named = [...labels.keys(), ...(skipped?.concept === undefined ? [] : [skipped.concept])]
  const unknown = named.find(concept => !concepts.includes(concept))
  if (unknown !== undefined)
    throw refuse(`has a label for "${unknown}", which is not a concept here (${someOf(concepts)})`, sameAnchors)
  if (drawn === undefined)
    throw refuse(
      'does not say how it was drawn',
      'add "drawn": "random" if it was drawn at random and labelled with all its concepts'
    )
  const missing = concepts.find(concept => !labels.has(concept))
  if (drawn === 'random' && skipped === undefined && missing !== undefined)
    throw refuse(`was asked whole, but has no label for the concept "${missing}"`, sameAnchors)
  if (drawn === 'anchored' && named.length !== 1)
    throw refuse(`has ${named.length} labels, and one that was drawn for an anchor has one`, 'take the others out')
  if (drawn === 'anchored' && !document.evidence.anchors.includes(concepts.indexOf(named[0])))
    throw refuse(
      `was drawn for the anchor of "${named[0]}", which does not fire in it`,
      'the anchor has changed: take the line out'
    )
}

function someOf(concepts: readonly string[]): string {
  return concepts.length > 5 ? `${concepts.slice(0, 5).join(', ')}, ...` : concepts.join(', ')
}
