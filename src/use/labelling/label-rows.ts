import {AdfaError, type JsonObject, jsonValues, parseJson, shownValue} from '../../base/checks/index.ts'
import {counted, nameList} from '../../base/text/index.ts'
import {type Counts, labelledDocuments} from '../../read/counts/index.ts'
import {exactId, hashedKey} from '../../read/data/index.ts'
import type {DrawnDocument} from './draw-documents.ts'

/** How a document was drawn: from all, or from those where the anchor of the concept in question fires. */
export type Drawing = 'random' | 'anchored'

/** One line of a labels file. */
export interface LabelRow {
  /** The document's id, or a hash of its content (`labelKey`) when it has none. */
  readonly id: string | number
  /** The labels of these concepts; empty when the document was skipped. */
  readonly labels: ReadonlyMap<string, boolean>
  /** Undefined in files of other programs. */
  readonly drawn: Drawing | undefined
  /** What the reader skipped: this concept, or, if drawn at random, all of them. */
  readonly skipped: {readonly concept: string | undefined} | undefined
  /** Other fields, kept as they are; `idFrom` says where the id of a document without one comes from. */
  readonly others: ReadonlyMap<string, unknown>
}

/** Reads a labels file: {"id": 17, "labels": {"fever": true, "asthma": false}, "drawn": "random"}, one per line. */
export function parseLabelRows(text: string, where: string): LabelRow[] {
  const rows: LabelRow[] = []
  const lines = new Map<string, number>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const place = `${where}:${at + 1}`
    const row = parseLabelRow(line, place)
    for (const concept of row.labels.keys()) {
      const name = JSON.stringify([String(row.id), concept])
      const first = lines.get(name)
      const fault = `document ${shown(row.id)} is labelled for "${concept}" in line ${first} already`
      if (first !== undefined)
        throw bad(place, `${fault}; a document has one label per concept`, 'remove one of the two')
      lines.set(name, at + 1)
    }
    rows.push(row)
  }
  return rows
}

export function labelRowsToText(rows: readonly LabelRow[]): string {
  return rows.map(row => `${JSON.stringify(rowToJson(row))}\n`).join('')
}

/** The labels of a file, by the document's key (`labelKey`) and concept. How the documents were drawn is left out. */
export function parseLabels(text: string, where: string): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  return labelsByKey(parseLabelRows(text, where))
}

/** The labels of rows, as {@link parseLabels} gives them. */
export function labelsByKey(rows: readonly LabelRow[]): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const labels = new Map<string, ReadonlyMap<string, boolean>>()
  for (const {id, labels: own} of rows) labels.set(String(id), new Map([...(labels.get(String(id)) ?? []), ...own]))
  return labels
}

/** The lines of a labels file from a JSON list of its rows. The rows stay as they are written, so ids keep all digits. */
export function labelLines(list: string): string {
  return jsonValues(list, 0)
    .map(({start, end}) => `${list.slice(start, end).replace(/[\r\n]+/g, ' ')}\n`)
    .join('')
}

function parseLabelRow(line: string, place: string): LabelRow {
  let value: unknown
  try {
    value = parseJson(line)
  } catch (cause) {
    const fault = `not valid JSON; a labels file has one object per line; got ${shown(line)}`
    throw bad(place, fault, 'correct or remove this line', cause)
  }
  const shape = '{"id": ..., "labels": {"concept": true}}'
  if (!isObject(value)) throw bad(place, `${shown(value)} is not an object; a line is ${shape}`, 'correct it')
  const {id: parsedId, labels, drawn, skipped, ...rest} = value
  const given = exactId(parsedId, line, 'id')
  if (typeof given !== 'string' && (typeof given !== 'number' || !Number.isFinite(given)))
    throw bad(place, `the id is ${shown(given)}; an id is a string or a finite number`, "write the document's id")
  if (!isObject(labels)) throw bad(place, `"labels" is ${shown(labels)}; a line is ${shape}`, 'correct it')
  for (const [concept, isPresent] of Object.entries(labels))
    if (typeof isPresent !== 'boolean')
      throw bad(place, `the label of "${concept}" is ${shown(isPresent)}; a label is true or false`, 'correct it')
  if (drawn !== undefined && drawn !== 'random' && drawn !== 'anchored')
    throw bad(place, `"drawn" is ${shown(drawn)}; it is "random" or "anchored"`, 'correct or remove it')
  if (skipped !== undefined && skipped !== true)
    throw bad(place, `"skipped" is ${shown(skipped)}; it is true or absent`, 'correct it')
  const {concept, ...others} = rest
  if (skipped && concept !== undefined && typeof concept !== 'string')
    throw bad(place, `"concept" is ${shown(concept)}; it is a concept's name`, 'correct it')
  const isContent = typeof given === 'string' && isContentKey(given)
  return {
    id: isContent ? hashedKey(given) : given,
    labels: new Map(Object.entries(labels).map(([name, isPresent]) => [name, isPresent === true])),
    drawn,
    skipped: skipped && {concept: concept as string | undefined},
    others: new Map(Object.entries({...(isContent && HASHED), ...(skipped ? others : rest)}))
  }
}

const HASHED = {idFrom: 'hash of the row'}

/** The id of a document in a new row, and where it comes from. */
export function rowId({key, row}: DrawnDocument): Pick<LabelRow, 'id' | 'others'> {
  return row.id === undefined ? {id: key, others: new Map(Object.entries(HASHED))} : {id: row.id, others: new Map()}
}

/** Whether an id is the whole content of a document (`rowKey`), as labels files once stored it: [[[field, text]], [features]]. */
function isContentKey(id: string): boolean {
  if (!/^\[\[.*\]\]$/s.test(id)) return false
  try {
    const value: unknown = JSON.parse(id)
    return Array.isArray(value) && value.length === 2 && value.every(Array.isArray)
  } catch {
    return false
  }
}

function rowToJson({id, labels, drawn, skipped, others}: LabelRow): object {
  // Built from entries, since a concept may have any name, `__proto__` among them.
  return Object.fromEntries([
    ['id', id],
    ['labels', Object.fromEntries(labels)],
    ...(drawn === undefined ? [] : [['drawn', drawn]]),
    ...(skipped === undefined ? [] : [['skipped', true]]),
    ...(skipped?.concept === undefined ? [] : [['concept', skipped.concept]]),
    ...others
  ])
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(place: string, fault: string, remedy: string, cause?: unknown): AdfaError {
  return new AdfaError('bad-file', `${place}: ${fault}; ${remedy} (nothing was written)`, {cause})
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : shownValue(value, 60)
}

/** Refuses a row that does not belong to these documents and concepts. `where` names its file. */
export function checkLabelRow(
  {id, labels, drawn, skipped}: LabelRow,
  document: DrawnDocument | undefined,
  concepts: readonly string[],
  where: string
): void {
  const refuse = (what: string, remedy: string) =>
    new AdfaError(
      'mismatch',
      `${where}: document "${String(id).slice(0, 60)}" ${what}; ${remedy}, or choose another \`output\` file`
    )
  const sameAnchors = 'give the anchors that these labels were made for'
  if (document === undefined)
    throw refuse('is not among the documents', 'give the documents that these labels were made for')
  const named = [...labels.keys(), ...(skipped?.concept === undefined ? [] : [skipped.concept])]
  const unknown = named.find(concept => !concepts.includes(concept))
  if (unknown !== undefined)
    throw refuse(`has a label for "${unknown}", which is not a concept here (${nameList(concepts)})`, sameAnchors)
  if (drawn === undefined)
    throw refuse('lacks "drawn"', 'add "drawn": "random" if it was drawn at random and labelled with all its concepts')
  const missing = concepts.find(concept => !labels.has(concept))
  if (drawn === 'random' && skipped === undefined && missing !== undefined)
    throw refuse(`was labelled for all concepts, but has no label for "${missing}"`, sameAnchors)
  if (drawn === 'anchored' && named.length !== 1)
    throw refuse(`has ${named.length} labels; one drawn for an anchor has exactly one`, 'remove the others')
  if (drawn === 'anchored' && !document.evidence.anchors.includes(concepts.indexOf(named[0])))
    throw refuse(
      `was drawn for the anchor of "${named[0]}", which does not fire in it`,
      'the anchor has changed: remove the line'
    )
}

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
