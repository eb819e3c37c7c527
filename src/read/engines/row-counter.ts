import {Counter, type Counts, type CountsHeader} from '../counts/index.ts'
import {createEncoder, type Encoder, type Evidence, FieldSurvey, type Labels, type Row, rowKey} from '../data/index.ts'

/** Counts rows by a lexicon, each document as `limit` leaves it, and notices which fields they have. */
export class RowCounter {
  readonly #encoder: Encoder
  readonly #counter: Counter
  readonly #survey: FieldSurvey
  readonly #limit: (evidence: Evidence, key: string) => Evidence

  constructor(
    header: CountsHeader,
    labels?: Labels,
    limit: (evidence: Evidence, key: string) => Evidence = evidence => evidence
  ) {
    this.#encoder = createEncoder(header.lexicon, labels)
    this.#counter = new Counter(header)
    this.#survey = new FieldSurvey(header.lexicon.text)
    this.#limit = limit
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#survey.add(row)
      if (!this.#encoder.accepts(row)) continue
      const key = rowKey(row)
      this.#counter.add(this.#limit(this.#encoder.encode(row), key), key, this.#encoder.truth(row))
    }
  }

  /** The fields asked for that no row has. */
  unseen(): string[] {
    return this.#survey.unseen()
  }

  finish(): Counts {
    return this.#counter.finish()
  }
}
