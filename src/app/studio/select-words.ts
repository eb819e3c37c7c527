import {phraseOf, type SelectedPiece} from './phrase.ts'

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
