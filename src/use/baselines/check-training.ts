import {AdfaError} from '../../base/checks/index.ts'
import {counted, percent} from '../../base/text/index.ts'
import type {Concept} from '../../learn/model/index.ts'
import type {Corpus} from '../../read/data/index.ts'

/** A concept without a classifier, and why. */
export interface Untrained {
  readonly concept: string
  readonly reason: string
}

/** Refuses concepts that are not those of the corpus. */
export function checkTraining({lexicon}: Corpus, concepts: readonly Concept[]): void {
  const names = lexicon.anchors.map(({concept}) => concept)
  if (names.join('\n') !== concepts.map(({name}) => name).join('\n'))
    throw new AdfaError(
      'mismatch',
      `the corpus has ${names.length} concepts and the rates are of ${concepts.length}, or in another order; read the documents with the lexicon that the rates belong to`
    )
}

/**
 * Why the anchor of a concept cannot stand for it in these documents, if it cannot: losses that correct for noise need an anchor
 * that is more common with its concept, and that fires as often as some prevalence allows.
 */
export function anchorFault({truePositive: t, falsePositive: e}: Concept, fired: Uint8Array): string | undefined {
  if (!(e > 0 && e < t && t < 1))
    return `its anchor must fire more often with the concept than without, never always or never; got ${percent(t)} and ${percent(e)}`
  const firing = fired.reduce((sum, one) => sum + one, 0) / fired.length
  if (!(firing > e && firing < t))
    return `in the training documents its anchor fires in ${percent(firing)}; its rates imply ${percent(e)} to ${percent(t)}`
  return undefined
}

/** Why no classifier can learn these labels, if none can; held out by folds, it needs two documents of both kinds. */
export function labelFault(what: string, observed: Uint8Array, least: 1 | 2): string | undefined {
  const ones = observed.reduce((sum, label) => sum + label, 0)
  if (Math.min(ones, observed.length - ones) >= least) return undefined
  return `${what} in ${ones} of ${counted(observed.length, 'training document')}, and a classifier needs ${least} with and ${least} without`
}

/** The number of folds: `folds`, or fewer where a label is rarer. */
export function foldsFor(observed: Uint8Array, folds: number): number {
  const ones = observed.reduce((sum, label) => sum + label, 0)
  return Math.min(folds, ones, observed.length - ones)
}
