/** A piece of a text that is selected, as it is shown. */
export interface SelectedPiece {
  readonly text: string
  /** The name of the feature it became; what stands between words, and words that are not kept, have none. */
  readonly feature: string | undefined
  readonly isNegated: boolean
}

const NEGATED = 'neg:'

/**
 * The feature that selected pieces of one field name: that of a single word, or the phrase that they spell. Single features do not
 * follow each other as words of a text do: of those the first is taken.
 */
export function phraseOf(field: string, isText: boolean, pieces: readonly SelectedPiece[]): string | undefined {
  const features = pieces.flatMap(({feature}) => feature ?? [])
  const spelled = trimmed(pieces.map(({text}) => text).join(isText ? '' : ' '))
  if (spelled === '') return undefined
  const only = pieces.filter(({text}) => trimmed(text) !== '')
  if (features.length > 0 && (!isText || only.length === 1)) return features[0]
  const isPrefixed = features.length === 0 || features.some(feature => feature.startsWith(`${field}:`))
  const named = pieces.filter(({feature}) => feature !== undefined)
  const negated = named.length > 0 && named.every(({isNegated}) => isNegated) ? NEGATED : ''
  return `${isPrefixed ? `${field}:` : ''}${negated}${spelled}`
}

/** Without the blanks and stops around it. */
function trimmed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,;:!?()"'/-]+|[\s.,;:!?()"'/-]+$/g, '')
    .toLowerCase()
}
