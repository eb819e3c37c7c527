import {AdfaError} from '../../base/checks/index.ts'
import {percent} from '../../base/text/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'

/** Refuses, by name, concepts that do not fit the corpus, or whose rates or anchor frequency are impossible. */
export function checkTraining({lexicon, documents}: Corpus, concepts: readonly Concept[]): void {
  const names = lexicon.anchors.map(({concept}) => concept)
  if (names.join('\n') !== concepts.map(({name}) => name).join('\n'))
    throw new AdfaError(
      'mismatch',
      `the corpus has ${names.length} concepts and the rates are of ${concepts.length}, or in another order; read the documents with the lexicon that the rates belong to`
    )
  const counts = new Float64Array(concepts.length)
  for (const {anchors} of documents) for (const i of anchors) counts[i]++
  for (const [i, {name, truePositive: t, falsePositive: e}] of concepts.entries()) {
    const firing = counts[i] / documents.length
    const badRates = (fault: string) =>
      new AdfaError('bad-rates', `"${name}": its anchor ${fault}; correct its rates or leave the concept out`)
    if (!(e > 0 && e < t && t < 1))
      throw badRates(
        `must fire more often with the concept than without, never always or never; got ${percent(t)} and ${percent(e)}`
      )
    if (!(firing > e && firing < t))
      throw badRates(
        `fires in ${percent(firing)} of all documents, which must lie between the ${percent(e)} of those without the concept and the ${percent(t)} of those with it`
      )
  }
}

/**
 * The number of folds for each concept: `folds`, or fewer where a label is rarer. Refuses, all at once and by name,
 * concepts that allow fewer than 2.
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
      `classifiers need at least 2 documents with and 2 without, of ${observed[0].length}; got ${refused.join(', ')}; leave these concepts out or give more documents`
    )
  return rarer.map(count => Math.min(folds, count))
}
