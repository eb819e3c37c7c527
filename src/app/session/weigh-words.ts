import type {TextPart, TextSpan} from './views.ts'

/** Weaker words are not marked. */
const WORTH_MARKING = 0.1

/** The parts of a text with weights of their words for a concept. */
export function weighWords(parts: readonly TextPart[], weights: ReadonlyMap<string, number>): TextPart[] {
  const mark = (span: TextSpan): TextSpan => {
    const weight = span.kind === 'word' && span.feature !== undefined ? (weights.get(span.feature) ?? 0) : 0
    return Math.abs(weight) < WORTH_MARKING ? span : {...span, weight}
  }
  return parts.map(part => ({...part, spans: part.spans.map(mark)}))
}
