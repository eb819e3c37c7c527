import {type Model, topWords} from '../../learn/model/index.ts'

/** Places of a word among the first words of a concept, from 1; undefined beyond them. */
export interface WordChange {
  readonly word: string
  readonly a?: number
  readonly b?: number
}

/** The first words of a concept that are compared. */
export const FIRST_WORDS = 20
/** Words in both lists that moved most, by at least so many places. */
const MOVED = 5
const LEAST_PLACES = 5

/** Words that enter or leave the first 20 of a concept, and those inside that moved most: entered, left, moved. */
export function compareWords(a: Model, i: number, b: Model, k: number): WordChange[] {
  const [before, after] = [places(a, i), places(b, k)]
  const entered = [...after].filter(([word]) => !before.has(word)).map(([word, to]) => ({word, b: to}))
  const left = [...before].filter(([word]) => !after.has(word)).map(([word, from]) => ({word, a: from}))
  const moved = [...before]
    .flatMap(([word, from]) => {
      const to = after.get(word)
      return to === undefined || Math.abs(to - from) < LEAST_PLACES ? [] : [{word, a: from, b: to}]
    })
    // Equally far: the words first by either list, so that both directions choose the same.
    .sort(
      (x, y) =>
        Math.abs(y.b - y.a) - Math.abs(x.b - x.a) ||
        Math.min(x.a, x.b) - Math.min(y.a, y.b) ||
        (x.word < y.word ? -1 : 1)
    )
    .slice(0, MOVED)
  return [...entered, ...left, ...moved]
}

function places(model: Model, i: number): Map<string, number> {
  return new Map(topWords(model, i, FIRST_WORDS).map(({word}, at) => [word, at + 1]))
}
