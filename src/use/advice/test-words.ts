import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../../read/counts/index.ts'
import {type Anchor, buildCorpus} from '../../read/data/index.ts'

/** An anchor of these features, without rates. */
export function anchorOf(concept: string, any: readonly string[], not: readonly string[] = []): Anchor {
  return {concept, any, not, rates: undefined}
}

/** Counts of documents that are lists of features, each list so many times. */
export function countFeatures(anchors: readonly Anchor[], groups: readonly (readonly [number, string])[]): Counts {
  const rows = groups.flatMap(([count, features]) =>
    Array.from({length: count}, () => ({features: features.split(' ').filter(Boolean)}))
  )
  return countCorpus(buildCorpus(rows, anchors, {skipBadAnchors: true, maxShare: 1}))
}

/** How often a word occurs with and without each concept that switches it on. */
export interface PlantedWord {
  readonly word: string
  readonly when: Readonly<Record<string, number>>
  readonly otherwise: number
}

/** Documents of independent concepts, each in `prevalence` of them, and of words that are noisy-or of the concepts. */
export function drawPlanted(
  seed: number,
  documents: number,
  prevalence: number,
  words: readonly PlantedWord[]
): {readonly features: string[]; readonly tags: string[]}[] {
  const random = rng(seed)
  const concepts = [...new Set(words.flatMap(({when}) => Object.keys(when)))]
  return Array.from({length: documents}, () => {
    const tags = concepts.filter(() => random.next() < prevalence)
    const features = words.flatMap(({word, when, otherwise}) => {
      const absent = tags.reduce((product, tag) => product * (1 - (when[tag] ?? 0)), 1 - otherwise)
      return random.next() < absent ? [] : [word]
    })
    return {features, tags}
  })
}
