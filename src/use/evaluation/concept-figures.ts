import {averagePrecision} from './ranking.ts'

/** A document, by its number among those that were evaluated, that a concept is reported in wrongly or not at all. */
export interface WrongDocument {
  readonly document: number
  readonly probability: number
}

/** How reports of one concept agree with the tags; its figures are undefined where nothing gives them. */
export interface ConceptFigures {
  readonly tags: number
  readonly precision: number | undefined
  readonly recall: number | undefined
  readonly f1: number | undefined
  readonly averagePrecision: number | undefined
  /** Reported without a tag, the most probable first. */
  readonly alarms: readonly WrongDocument[]
  /** Tagged and not reported, the least probable first. */
  readonly misses: readonly WrongDocument[]
}

/** `documents` are the numbers of the documents that the probabilities and labels (0 or 1) belong to. */
export function conceptFigures(
  probabilities: readonly number[],
  labels: readonly number[],
  documents: readonly number[],
  threshold: number
): ConceptFigures {
  const all = documents.map((document, at) => ({document, probability: probabilities[at], isTagged: labels[at] === 1}))
  const of = (isTagged: boolean, isReported: boolean) =>
    all
      .filter(one => one.isTagged === isTagged && one.probability >= threshold === isReported)
      .map(({document, probability}) => ({document, probability}))
  const [hits, misses, alarms] = [of(true, true).length, of(true, false), of(false, true)]
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : undefined)
  const wrong = misses.length + alarms.length
  return {
    tags: hits + misses.length,
    precision: share(hits, hits + alarms.length),
    recall: share(hits, hits + misses.length),
    f1: hits + misses.length > 0 ? share(2 * hits, 2 * hits + wrong) : undefined,
    averagePrecision: averagePrecision(probabilities, labels),
    alarms: alarms.sort((a, b) => b.probability - a.probability),
    misses: misses.sort((a, b) => a.probability - b.probability)
  }
}
