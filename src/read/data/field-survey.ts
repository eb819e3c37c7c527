import type {Row} from './row.ts'
import {fieldNames, type RowFields} from './row-fields.ts'

/** Which of the fields asked for no row has. Cost: nothing once every field was seen. */
export class FieldSurvey {
  readonly #unseen: Set<string>

  constructor(fields: RowFields) {
    this.#unseen = new Set(fieldNames(fields))
  }

  /** Values are seen by their features, and so may words be that were given as features. */
  add(row: Row): void {
    for (const name of this.#unseen)
      if (row.text.has(name) || row.features.some(feature => feature.startsWith(`${name}:`))) this.#unseen.delete(name)
  }

  unseen(): string[] {
    return [...this.#unseen]
  }
}
