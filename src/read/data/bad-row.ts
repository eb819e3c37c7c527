import {AdfaError} from '../../base/checks/index.ts'

/** The error that refuses a row: what is wrong, what is expected, what was found. `where` is "notes.jsonl:12". */
export function badRow(where: string, what: string, rule: string, got: unknown): AdfaError {
  const shown = JSON.stringify(got) ?? String(got)
  return new AdfaError(
    'bad-document',
    `${where}: the row ${what}; expected ${rule}; got ${shown.length > 80 ? `${shown.slice(0, 80)}...` : shown}`
  )
}
