import {AdfaError, nearestName} from '../../base/checks/index.ts'

/**
 * The column that each name means, for names that are not columns themselves: the one that differs only in case or in
 * blanks around it. A column that another name means exactly is not taken.
 */
export function otherSpellings(
  names: readonly string[],
  columns: {has(name: string): boolean; keys(): Iterable<string>},
  where: string
): readonly (readonly [name: string, column: string])[] {
  const found: [string, string][] = []
  for (const name of names) {
    if (columns.has(name)) continue
    const key = plain(name)
    let column: string | undefined
    for (const candidate of columns.keys()) {
      if (candidate.length < name.length || plain(candidate) !== key || names.includes(candidate)) continue
      if (column !== undefined)
        throw new AdfaError(
          'bad-document',
          `${where}: "${name}" may mean "${column}" or "${candidate}"; name one of them exactly`
        )
      column = candidate
    }
    if (column !== undefined) found.push([name, column])
  }
  return found
}

/** A question that ends an error about a name that does not exist: `; did you mean "note"?`, or nothing. */
export function didYouMean(name: string, columns: readonly string[]): string {
  const key = plain(name)
  const near = nearestName(key, columns.map(plain))
  const isPart = (column: string) => near === undefined && key.length > 2 && plain(column).includes(key)
  const meant = columns.find(column => plain(column) === near || isPart(column))
  return meant === undefined ? '' : `; did you mean "${meant.trim()}"?`
}

function plain(name: string): string {
  return name.trim().toLowerCase()
}
