import {rng} from '../src/base/numeric/index.ts'
import {emergencyModel, generateDocuments} from '../src/use/synthetic/index.ts'

/** A visit to the generated emergency department, as a note. */
export interface Visit {
  readonly id: string
  readonly text: string
  readonly sex: string
  readonly tags: readonly string[]
}

/** The same visits for the same seed. */
export function emergencyVisits(count: number, seed: number): Visit[] {
  const documents = generateDocuments(emergencyModel(), count, rng(seed).stream('documents'))
  return Array.from(documents, ({id, features, tags}) => ({
    id: String(id),
    text: features.filter(feature => !/^(sex|neg):/.test(feature)).join('. '),
    sex: features.includes('sex:m') ? 'm' : 'f',
    tags: [...tags]
  }))
}

export function asLines(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}
