/** A document, by its number among those that were evaluated, that a concept is reported in wrongly or not at all. */
export interface WrongDocument {
  readonly document: number
  readonly probability: number
}

/** Where the reports of one concept disagree with the tags. */
export interface ConceptMistakes {
  readonly tags: number
  /** Reported without a tag, the most probable first. */
  readonly alarms: readonly WrongDocument[]
  /** Tagged and not reported, the least probable first. */
  readonly misses: readonly WrongDocument[]
}

/** `documents` are the numbers of the documents that the probabilities and labels (0 or 1) belong to. */
export function conceptMistakes(
  probabilities: readonly number[],
  labels: readonly number[],
  documents: readonly number[],
  threshold: number
): ConceptMistakes {
  const wrong = (isTagged: boolean) =>
    documents.flatMap((document, at) => {
      const probability = probabilities[at]
      return (labels[at] === 1) === isTagged && probability >= threshold !== isTagged ? [{document, probability}] : []
    })
  return {
    tags: labels.filter(label => label === 1).length,
    alarms: wrong(false).sort((a, b) => b.probability - a.probability),
    misses: wrong(true).sort((a, b) => a.probability - b.probability)
  }
}
