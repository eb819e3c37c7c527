import {type Labels, labelKey} from '../../read/data/index.ts'
import type {Crossing} from '../../use/comparison/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import type {Documents} from './documents.ts'
import type {Judged} from './judged.ts'
import type {Results} from './pipeline.ts'
import type {Project} from './project.ts'

/** What answers about documents follow from: the newest project, and the last results, perhaps of an older one. */
export interface ListSource {
  readonly project: Project
  readonly documents: Documents
  readonly results: Results
  /** Documents that cross the threshold in the last comparison, by concept. */
  readonly crossed?: ReadonlyMap<string, Crossing> | undefined
  /** The last evaluation. */
  readonly judged?: Judged
}

/** What a person said about a concept in each document. */
export function labelReader({project, documents}: ListSource, concept: string | undefined) {
  const labels: Labels = labelsByKey(project.labels)
  return (at: number): boolean | undefined =>
    concept === undefined || project.labels.length === 0
      ? undefined
      : labels.get(labelKey(documents.row(at)))?.get(concept)
}
