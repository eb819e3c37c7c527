import {AdfaError} from '../../base/checks/index.ts'
import {counted, nameList} from '../../base/text/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'

export interface LabelMatch {
  /** The counts that the labels are part of, or what else has a lexicon. */
  readonly counts: Pick<Counts, 'lexicon'> & Partial<Pick<Counts, 'labelled'>>
  /** The labels that documents had, by key. */
  readonly found: ReadonlySet<string>
  /** Names the labels in errors. */
  readonly where: string
  /** Other labelled documents may be in other shards. */
  readonly isShard?: boolean
}

/** Refuse labels of other documents or concepts, and ids that repeat. Returns concepts with labels and without an anchor. */
export function checkLabels(
  labels: ReadonlyMap<string, ReadonlyMap<string, boolean>>,
  {counts, found, where, isShard = false}: LabelMatch
): readonly string[] {
  const {labelled} = counts
  const {anchors, skipped} = counts.lexicon
  const matched = labelled === undefined ? 0 : labelledDocuments({labelled})
  if (matched > found.size)
    throw new AdfaError(
      'mismatch',
      `${where}: ${counted(matched, 'document')} match ${counted(found.size, 'label')}, since ids repeat; labels are matched by document id, so make the ids of all files unique`
    )
  if (found.size === 0 && !isShard)
    throw new AdfaError(
      'mismatch',
      `${where}: ${labels.size === 1 ? 'its document is not' : `none of its ${labels.size} documents is`} among those counted; labels are matched by document id or, without ids, by a hash of the text and features read; give the documents that were labelled, and the same fields`
    )
  const known = new Set([...anchors, ...skipped].map(({concept}) => concept))
  const named = new Set([...labels.values()].flatMap(of => [...of.keys()]))
  const strangers = [...named].filter(name => !known.has(name))
  if (named.size > 0 && strangers.length === named.size)
    throw new AdfaError(
      'mismatch',
      `${where}: none of its concepts (${nameList(strangers, 3)}) has an anchor; give the anchors used for labelling`
    )
  return strangers
}
