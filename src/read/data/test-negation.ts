import {textDefaults} from './lexicon.ts'
import {createNegationMarker, NEGATED} from './negation.ts'
import {tokenizePlaced} from './tokenize.ts'

export const markNegation = createNegationMarker(textDefaults.negationScope)

/** The tokens that a text negates, in their order. */
export function negatedTokens(text: string): string[] {
  const tokens = tokenizePlaced(text)
  const marks = markNegation(text, tokens)
  return tokens.filter((_, at) => marks[at] === NEGATED).map(({token}) => token)
}
