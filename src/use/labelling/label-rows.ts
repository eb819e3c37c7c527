import {AdfaError} from '../../base/checks/index.ts'

/** How a document came to be asked: drawn from all, or from those where the anchor of the concept in question fires. */
export type Drawing = 'random' | 'anchored'

/** One line of a labels file: an answer. */
export interface LabelRow {
  /** The document's id, or its content (`rowKey`) when it has none. */
  readonly id: string | number
  /** The truth of these concepts; empty when the document was passed over. */
  readonly labels: ReadonlyMap<string, boolean>
  /** Undefined in files of other programs. */
  readonly drawn: Drawing | undefined
  /** What the reader was asked and would not say: this concept, or, if drawn at random, all of them. */
  readonly skipped: {readonly concept: string | undefined} | undefined
  /** Fields that mean nothing here; they are kept. */
  readonly others: ReadonlyMap<string, unknown>
}

/** Read a labels file: {"id": 17, "labels": {"fever": true, "asthma": false}, "drawn": "random"}, one answer a line. */
export function parseLabelRows(text: string, where: string): LabelRow[] {
  const rows: LabelRow[] = []
  const lines = new Map<string, number>()
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const place = `${where}:${at + 1}`
    const row = parseLabelRow(parseJson(line, place), place)
    for (const concept of row.labels.keys()) {
      const name = JSON.stringify([String(row.id), concept])
      const first = lines.get(name)
      if (first !== undefined)
        throw bad(
          place,
          `document ${shown(row.id)} is labelled for "${concept}" in line ${first} already`,
          'a document has one label a concept',
          'take one of the two out'
        )
      lines.set(name, at + 1)
    }
    rows.push(row)
  }
  return rows
}

/** The text of a labels file. */
export function labelRowsToText(rows: readonly LabelRow[]): string {
  return rows.map(row => `${JSON.stringify(rowToJson(row))}\n`).join('')
}

/** The labels of a file, by the document's key (`rowKey`) and concept. How the documents were drawn is left out. */
export function parseLabels(text: string, where: string): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const labels = new Map<string, Map<string, boolean>>()
  for (const row of parseLabelRows(text, where)) {
    const known = labels.get(String(row.id)) ?? new Map<string, boolean>()
    for (const [concept, truth] of row.labels) known.set(concept, truth)
    labels.set(String(row.id), known)
  }
  return labels
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new AdfaError(
      'bad-file',
      `${place}: not valid JSON; a labels file has one object a line; got ${shown(line)}; ` +
        'mend or take out this line (nothing was written)',
      {cause}
    )
  }
}

function parseLabelRow(value: unknown, place: string): LabelRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(
      place,
      `${shown(value)} is not an object`,
      'a line is {"id": ..., "labels": {"concept": true}}',
      'mend it'
    )
  const {id, labels, drawn, skipped, ...rest} = value as Record<string, unknown>
  if (typeof id !== 'string' && typeof id !== 'number')
    throw bad(place, `the id is ${shown(id)}`, 'an id is a text or a number', "write the document's id")
  if (drawn !== undefined && drawn !== 'random' && drawn !== 'anchored')
    throw bad(place, `"drawn" is ${shown(drawn)}`, 'it is "random" or "anchored"', 'mend it, or leave it out')
  if (skipped !== undefined && skipped !== true)
    throw bad(place, `"skipped" is ${shown(skipped)}`, 'it is true or not there', 'mend it')
  const truths = parseTruths(labels, place)
  if (skipped === undefined) return {id, labels: truths, drawn, skipped, others: new Map(Object.entries(rest))}
  const {concept, ...others} = rest
  if (concept !== undefined && typeof concept !== 'string')
    throw bad(place, `"concept" is ${shown(concept)}`, "it is a concept's name", 'mend it')
  return {id, labels: truths, drawn, skipped: {concept}, others: new Map(Object.entries(others))}
}

function parseTruths(value: unknown, place: string): ReadonlyMap<string, boolean> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(place, `"labels" is ${shown(value)}`, 'labels are an object, {"concept": true}', 'mend it')
  const truths = new Map<string, boolean>()
  for (const [concept, truth] of Object.entries(value)) {
    if (typeof truth !== 'boolean')
      throw bad(place, `the label of "${concept}" is ${shown(truth)}`, 'a label is true or false', 'mend it')
    truths.set(concept, truth)
  }
  return truths
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

function bad(place: string, what: string, rule: string, remedy: string): AdfaError {
  return new AdfaError('bad-file', `${place}: ${what}; ${rule}; ${remedy} (nothing was written)`)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
