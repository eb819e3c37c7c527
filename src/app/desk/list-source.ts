/** What lists and documents are computed from, and what is known of one document. */
import {type Labels, labelKey} from '../../read/data/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import type {Documents} from './documents.ts'
import type {Results} from './pipeline.ts'
import type {Project} from './project.ts'
import {firedIn, thresholdOf} from './state-view.ts'

export interface ListSource {
  readonly project: Project
  readonly documents: Documents
  readonly results: Results
}

/** The probability of a concept in each document; undefined without a model that has it. */
export function probabilityOf(name: string, {scored}: Results): ((at: number) => number) | undefined {
  if (scored === undefined) return undefined
  const {concepts} = scored.learned.model
  const i = concepts.findIndex(concept => concept.name === name)
  return i < 0 ? undefined : at => scored.probabilities[at * concepts.length + i]
}

/** Documents that likely have the concept although its anchor does not fire. */
export function countMissed(name: string, results: Results): number {
  const probability = probabilityOf(name, results)
  const {encoded, scored} = results
  if (probability === undefined || scored === undefined || encoded === undefined) return 0
  const threshold = thresholdOf(scored.learned.model)
  const fired = new Set(firedIn(name, results))
  let count = 0
  for (let at = 0; at < encoded.documents.count; at++) if (probability(at) >= threshold && !fired.has(at)) count++
  return count
}

/** What a person said about a concept in each document. */
export function labelReader({project, documents}: ListSource, concept: string | undefined) {
  const labels: Labels = labelsByKey(project.labels)
  return (at: number): boolean | undefined =>
    concept === undefined || project.labels.length === 0
      ? undefined
      : labels.get(labelKey(documents.row(at)))?.get(concept)
}
