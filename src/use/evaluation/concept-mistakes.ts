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

/** The documents of one concept by their numbers, with probabilities, labels and reports (0 or 1). */
interface JudgedConcept {
  readonly probabilities: readonly number[]
  readonly labels: readonly number[]
  readonly documents: readonly number[]
  readonly tagged: ArrayLike<number>
}

export function conceptMistakes({probabilities, labels, documents, tagged}: JudgedConcept): ConceptMistakes {
  const wrong = (isTagged: boolean) =>
    documents.flatMap((document, at) => {
      const probability = probabilities[at]
      return (labels[at] === 1) === isTagged && (tagged[at] === 1) !== isTagged ? [{document, probability}] : []
    })
  return {
    tags: labels.filter(label => label === 1).length,
    alarms: wrong(false).sort((a, b) => b.probability - a.probability),
    misses: wrong(true).sort((a, b) => a.probability - b.probability)
  }
}
