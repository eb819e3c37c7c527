import {type Model, topWords} from '../../../learn/model/index.ts'

/** A concept's first words before and after. */
export type ConceptWords = {
  readonly concept: string
  /** How many of the first words are still among the first. */
  readonly kept: number
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export const SHOWN_WORDS = 10
const COMMONEST = 20

/** The words of the commonest concepts, the commonest first: rare ones change by chance. */
export function commonWords(start: Model, now: Model): ConceptWords[] {
  const order = start.concepts.map(({prevalence}, i) => ({i, prevalence})).sort((a, b) => b.prevalence - a.prevalence)
  return order.slice(0, COMMONEST).map(({i}) => wordsOf(start, now, i))
}

/** How many of a concept's first words stay among them, on average over all concepts. */
export function meanKept(start: Model, now: Model): number {
  return start.concepts.reduce((sum, _, i) => sum + wordsOf(start, now, i).kept, 0) / start.concepts.length
}

/** The concept that loses most of its words, the first of equals: a rule, so that nothing is picked by hand. */
export function mostChanged(words: readonly ConceptWords[]): ConceptWords {
  const lost = ({before, kept}: ConceptWords) => before.length - kept
  return words.reduce((most, each) => (lost(each) > lost(most) ? each : most))
}

function wordsOf(start: Model, now: Model, i: number): ConceptWords {
  const [before, after] = [start, now].map(model => topWords(model, i, SHOWN_WORDS).map(({word}) => word))
  const kept = before.filter(word => after.includes(word)).length
  return {concept: start.concepts[i].name, kept, before, after}
}
