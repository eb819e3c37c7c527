import {namedFeature, type TextPart, type TextSpan} from '../desk/index.ts'

/** A part of a document as it is shown, under a title of its own. */
export interface TitledPart extends TextPart {
  readonly title: string
}

const NEGATED = 'negated'

/** Ready-made features under what their names begin with: those without, then negated ones, then each kind as it first occurs. */
export function featureGroups(parts: readonly TextPart[]): TitledPart[] {
  return parts.flatMap(part => {
    if (part.isText) return [{...part, title: part.field}]
    const groups = new Map<string, TextSpan[]>([part.field, NEGATED].map(title => [title, []]))
    for (const span of part.spans) {
      const {group = part.field, isNegated} = namedFeature(span.text)
      const title = isNegated ? NEGATED : group
      groups.set(title, [...(groups.get(title) ?? []), span])
    }
    return [...groups].flatMap(([title, spans]) => (spans.length === 0 ? [] : [{...part, title, spans}]))
  })
}
