import {fieldNames, type RowFields} from './row-fields.ts'
import {badRow, type RowEntries} from './value-features.ts'

/** The field of a row with its votes, an object: source -> class, true, false or null. */
export const VOTES = 'votes'

/** Begins the name of the feature of a vote: `votes:nurse=alcohol`. */
const PREFIX = `${VOTES}:`

/** The name of the feature of a vote; `=` and `\\` in the name of a source are escaped, so that it can be read back. */
export function voteFeature(source: string, vote: string): string {
  return `${PREFIX}${source.replace(/[\\=]/g, '\\$&')}=${vote}`
}

/** The source and the class of the feature of a vote; undefined for other features. */
export function readVote(feature: string): {readonly source: string; readonly vote: string} | undefined {
  if (!feature.startsWith(PREFIX)) return undefined
  const [, source, vote] = /^((?:[^\\=]|\\.)*)=(.+)$/s.exec(feature.slice(PREFIX.length)) ?? []
  return source === undefined ? undefined : {source: source.replace(/\\(.)/gs, '$1'), vote}
}

const AGAINST = 'not '

export function against(concept: string): string {
  return `${AGAINST}${concept}`
}

/** The class that `not c` is against, where c is among the names; otherwise the class itself. */
export function askedClass(concept: string, names: ReadonlySet<string>): string {
  const opposite = concept.startsWith(AGAINST) ? concept.slice(AGAINST.length) : ''
  return names.has(opposite) ? opposite : concept
}

/** The votes of a row, if it has any: other values of a field of that name have no meaning. */
export function votesOf(entries: RowEntries, fields: RowFields): object | undefined {
  const votes = entries.get(VOTES)
  const isObject = typeof votes === 'object' && votes !== null && !Array.isArray(votes)
  return isObject && !fieldNames(fields).includes(VOTES) ? votes : undefined
}

/** The features of the votes of a row: `votes:nurse=alcohol`. Null, a missing key and empty text abstain. */
export function voteFeatures(entries: RowEntries, fields: RowFields, where: string): string[] {
  const features: string[] = []
  const add = (source: string, vote: unknown) => {
    if (vote === null || vote === undefined) return
    const name = String(vote).trim()
    // Label matrices of other programs have -1 where a source abstains; as a class it would be the most frequent one.
    if ((typeof vote !== 'string' && typeof vote !== 'boolean') || name === '-1')
      throw badRow(
        where,
        `the vote of "${source}" is no class`,
        'the name of a class as text, true, false or, to abstain, null (in a table an empty cell)',
        vote
      )
    if (name !== '') features.push(voteFeature(source, name))
  }
  for (const [source, vote] of Object.entries(votesOf(entries, fields) ?? {})) add(source, vote)
  for (const column of fields.votes ?? []) add(column, entries.get(column))
  return features
}
