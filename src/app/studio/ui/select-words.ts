/** Longer selections are no phrase of an anchor. */
const LONGEST = 80

/** The feature that the selection names, where it lies in one field of a document inside `root`. */
export function selectedFeature(root: HTMLElement | null): string | undefined {
  const selection = getSelection()
  if (root === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const shared = range.commonAncestorContainer
  const value =
    (shared instanceof Element ? shared : shared.parentElement)?.closest<HTMLElement>('[data-field]') ?? null
  if (value === null || !root.contains(value)) return undefined
  const {field = '', prose} = value.dataset
  const feature = phraseOf(field, prose !== undefined, [...piecesOf(value, range)])
  return feature !== undefined && feature.length > LONGEST ? undefined : feature
}

/** Words that are touched count whole; of the text between them, what is selected. Weights and names of concepts are no text. */
function* piecesOf(value: Element, range: Range): Generator<SelectedPiece> {
  const walker = document.createTreeWalker(value, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const holder = node.parentElement
    if (!(node instanceof Text) || holder === null || holder.closest('.weight, .anchor-of') !== null) continue
    const start = node === range.startContainer ? range.startOffset : 0
    const end = node === range.endContainer ? range.endOffset : node.length
    if (!range.intersectsNode(node) || start >= end) continue
    const word = holder.closest<HTMLElement>('[data-feature], .dropped')
    const text = word === null ? node.data.slice(start, end) : node.data
    yield {text, feature: word?.dataset.feature, isNegated: word?.classList.contains('negated') ?? false}
  }
}

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
