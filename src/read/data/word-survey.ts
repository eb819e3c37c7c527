import type {Anchors} from './anchors.ts'
import type {TextOptions} from './lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Row} from './row.ts'
import {valueFieldNames} from './row-fields.ts'
import type {FrequencyList} from './token-frequencies.ts'

/** Frequencies of words and anchors; surveys of different documents add up. */
export interface WordSurvey {
  readonly documentCount: number
  /** Per text field, then for `features`, then per category, number and list. */
  readonly frequencies: readonly FrequencyList[]
  /** Documents in which each member fired, and in which each concept's anchor fired. */
  readonly memberHits: readonly number[]
  readonly conceptHits: readonly number[]
}

/** Learns in how many documents each word occurs and each anchor fires. */
export class DocumentSurvey {
  readonly reader: NumberedReader
  readonly #text: TextOptions
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  #documents = 0

  constructor(anchors: Anchors, phrases: readonly string[], reading: TextOptions) {
    this.reader = new NumberedReader(anchors, phrases, reading)
    this.#text = reading
    this.#memberHits = this.reader.index.memberConcepts.map(() => 0)
    this.#conceptHits = anchors.map(() => 0)
  }

  add(row: Row): void {
    const {reader} = this
    reader.read(row)
    this.#documents++
    for (const member of reader.members) this.#memberHits[member]++
    if (reader.members.length > 0) for (const concept of reader.firedConcepts()) this.#conceptHits[concept]++
  }

  /** The survey since the last call. */
  take(): WordSurvey {
    const {table} = this.reader
    const counts = this.reader.takeFrequencies()
    const survey = {
      documentCount: this.#documents,
      frequencies: frequenciesByField(this.#text, table.size, token => ({
        field: table.field(token),
        name: table.name(token),
        documents: counts[token]
      })),
      memberHits: [...this.#memberHits],
      conceptHits: [...this.#conceptHits]
    }
    this.#memberHits.fill(0)
    this.#conceptHits.fill(0)
    this.#documents = 0
    return survey
  }
}

/**
 * The frequencies of a survey, from those of each token; tokens that no document has are left out. A token of `features` is
 * counted in the list of its category, number or list, if it is of one.
 */
export function frequenciesByField(
  reading: TextOptions,
  tokenCount: number,
  tokenAt: (token: number) => {readonly field: number; readonly name: string; readonly documents: number}
): FrequencyList[] {
  const features = reading.text.length
  const prefixes = valueFieldNames(reading).map(name => `${name}:`)
  const lists = Array.from({length: features + 1 + prefixes.length}, () => ({
    tokens: [] as string[],
    counts: [] as number[]
  }))
  for (let token = 0; token < tokenCount; token++) {
    const {field, name, documents} = tokenAt(token)
    if (documents === 0) continue
    const place = field < features ? field : field + 1 + prefixes.findIndex(prefix => name.startsWith(prefix))
    lists[place].tokens.push(name)
    lists[place].counts.push(documents)
  }
  return lists
}
