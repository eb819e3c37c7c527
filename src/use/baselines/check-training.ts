import {AdfaError} from '../../base/checks/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'

/** Refuse, by name, concepts that nothing can be learned of: they do not fit the corpus, or their rates or frequency are impossible. */
export function checkTraining({lexicon, documents}: Corpus, concepts: readonly Concept[]): void {
  const names = lexicon.anchors.map(({concept}) => concept)
  if (names.join('\n') !== concepts.map(({name}) => name).join('\n'))
    throw new AdfaError(
      'mismatch',
      `the corpus has ${names.length} concepts and the rates are of ${concepts.length}, or in another order; read the documents with the lexicon that the rates belong to`
    )
  const counts = new Float64Array(concepts.length)
  for (const {evidence} of documents) for (const i of evidence.anchors) counts[i]++
  for (const [i, {name, truePositive: t, falsePositive: e}] of concepts.entries()) {
    const firing = counts[i] / documents.length
    if (!(e > 0 && e < t && t < 1))
      throw badRates(
        name,
        `must fire more often with the concept than without, never always or never; got ${percent(t)} and ${percent(e)}`
      )
    if (!(firing > e && firing < t))
      throw badRates(
        name,
        `fires in ${percent(firing)} of all documents, which must lie between the ${percent(e)} of those without the concept and the ${percent(t)} of those with it`
      )
  }
}

/**
 * How many folds the rows of each concept can be dealt to: `folds`, or fewer where a label is rarer. Concepts that leave
 * fewer than 2 are refused, all at once, by name.
 */
export function foldsFor(
  concepts: readonly Concept[],
  what: string,
  observed: readonly Uint8Array[],
  folds: number
): number[] {
  const ones = observed.map(labels => labels.reduce((sum, label) => sum + label, 0))
  const rarer = ones.map((count, i) => Math.min(count, observed[i].length - count))
  const refused = concepts.flatMap(({name}, i) => (rarer[i] < 2 ? [`"${name}" (${what} in ${ones[i]})`] : []))
  if (refused.length > 0)
    throw new AdfaError(
      'bad-anchors',
      `classifiers need at least 2 documents with and 2 without, of ${observed[0].length}; got ${refused.join(', ')}; leave these concepts out or bring more documents`
    )
  return rarer.map(count => Math.min(folds, count))
}

function badRates(name: string, fault: string): AdfaError {
  return new AdfaError('bad-rates', `"${name}": its anchor ${fault}; correct its rates or leave the concept out`)
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))}%`
}
