import {type Lexicon, type TextOptions, valueFieldNames} from '../../read/data/index.ts'
import {type Finding, listOf} from './finding.ts'

/**
 * Anchor words of one concept inside an anchor phrase of another. Text is read with the longest phrase first, so that
 * in "calcified granuloma" the word "granuloma" does not fire: the two anchors shut each other out.
 */
export function checkNested({anchors, text}: Lexicon): Finding[] {
  const members = anchors.map(({any}) => any.flatMap(name => readWords(name, text)))
  return anchors.flatMap(({concept}, i) =>
    anchors.flatMap(({concept: other}, k) => {
      if (i === k) return []
      const pairs = members[i].flatMap(inner =>
        members[k].filter(outer => contains(outer, inner)).map(outer => [inner.name, outer.name] as const)
      )
      if (pairs.length === 0) return []
      const features = [...new Set(pairs.map(([inner]) => inner))]
      const phrases = [...new Set(pairs.map(([, outer]) => outer))]
      return [
        {
          concept,
          severity: 'warning',
          kind: 'nested',
          message: `its anchor ${listOf(features)} is part of ${listOf(phrases)} of "${other}", and does not fire where that stands`,
          evidence: {features, phrases, other},
          remedy: `if "${other}" is a kind of "${concept}", their relation will be underrated; otherwise all is well`
        } satisfies Finding
      ]
    })
  )
}

interface Words {
  readonly name: string
  readonly field: string | undefined
  /** The words, a blank before and after each. */
  readonly spaced: string
}

/** Regular expressions have no words to compare; categories, numbers and lists are not read as text. */
function readWords(name: string, text: TextOptions): Words[] {
  if (valueFieldNames(text).some(prefix => name.startsWith(`${prefix}:`))) return []
  const field = text.fields.find(prefix => name.startsWith(`${prefix}:`))
  const words = name.slice(field === undefined ? 0 : field.length + 1)
  if (/^\/.+\/[a-z]*$/s.test(words)) return []
  return [
    {
      name,
      field,
      spaced: ` ${words
        .toLowerCase()
        .split(/[\s_-]+/)
        .join(' ')} `
    }
  ]
}

function contains(outer: Words, inner: Words): boolean {
  const meet = outer.field === undefined || inner.field === undefined || outer.field === inner.field
  return meet && outer.spaced.length > inner.spaced.length && outer.spaced.includes(inner.spaced)
}
