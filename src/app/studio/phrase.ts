/** A word of a text that is selected, as it is shown. */
export interface SelectedWord {
  readonly text: string
  /** The name of the feature it became; a word that is not kept has none. */
  readonly feature: string | undefined
  readonly isNegated: boolean
}

const NEGATED = 'neg:'

/**
 * The feature that selected words of one field name: that of a single word, or the phrase that they spell. Only neighbouring words
 * of a running text make a phrase; of single features the first is taken.
 */
export function phraseOf(field: string, isText: boolean, words: readonly SelectedWord[]): string | undefined {
  const first = words[0]
  if (first === undefined) return undefined
  if (first.feature !== undefined && (!isText || words.length === 1)) return first.feature
  const text = words.map(word => word.text.trim()).join(' ')
  const spelled = text.replace(/\s+/g, ' ').trim()
  if (spelled === '') return undefined
  const isPrefixed = words.some(({feature}) => feature?.startsWith(`${field}:`) ?? false)
  const isNamed = words.some(({feature}) => feature !== undefined)
  const negated = words.every(({isNegated}) => isNegated) ? NEGATED : ''
  return `${isPrefixed || !isNamed ? `${field}:` : ''}${negated}${spelled}`
}
