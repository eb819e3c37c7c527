import {type Model, topWords} from 'adfa'

/** The words of a concept as they change. */
export interface ConceptDrift {
  readonly concept: string
  /** Of the first ten words of the start, those still among the first ten after EM, and after refinement. */
  readonly kept: {readonly em: number; readonly refined: number}
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly refined: readonly string[]
}

const SHOWN_WORDS = 10
const SHOWN_CONCEPTS = 3
const COMMONEST = 20

/**
 * Of the commonest concepts, those that lose most of their words to EM, the commoner first where that is equal: a rule, so
 * that nothing is picked by hand.
 */
export function driftOf(start: Model, em: Model, refined: Model): ConceptDrift[] {
  const commonest = start.latents
    .map(({prevalence}, i) => ({i, prevalence, kept: keptOf(start, em, i)}))
    .sort((a, b) => b.prevalence - a.prevalence)
    .slice(0, COMMONEST)
  const order = commonest.sort((a, b) => a.kept - b.kept || b.prevalence - a.prevalence)
  return order.slice(0, SHOWN_CONCEPTS).map(({i, kept}) => ({
    concept: start.latents[i].name,
    kept: {em: kept, refined: keptOf(start, refined, i)},
    before: firstWords(start, i),
    after: firstWords(em, i),
    refined: firstWords(refined, i)
  }))
}

/** How many of a concept's first ten words stay among them, on average over the concepts. */
export function wordsKept(start: Model, now: Model): number {
  return start.latents.reduce((sum, _, i) => sum + keptOf(start, now, i), 0) / start.latents.length
}

function keptOf(start: Model, now: Model, i: number): number {
  const words = new Set(firstWords(now, i))
  return firstWords(start, i).filter(word => words.has(word)).length
}

function firstWords(model: Model, i: number): string[] {
  return topWords(model, i, SHOWN_WORDS).map(({word}) => word)
}
