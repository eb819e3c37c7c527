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
