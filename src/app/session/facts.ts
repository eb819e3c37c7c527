/** What answers about documents follow from, and what most of them ask of it. */
import {AdfaError, nearestName} from '../../base/checks/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {type Anchor, labelKey} from '../../read/data/index.ts'
import type {Crossing} from '../../use/comparison/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import type {Project} from '../project/index.ts'
import type {Documents, OpenDocuments} from './documents.ts'
import type {Judged} from './evaluation-view.ts'
import type {LearnedResult, Pipeline, Results} from './pipeline.ts'
import type {Work} from './work.ts'

/** The newest project, and the last results, perhaps of an older one. */
export interface Facts extends Pick<Pipeline, 'results' | 'stages'> {
  readonly project: Project
  readonly files: OpenDocuments
  readonly documents: Documents
  readonly work: Work
  /** Documents that cross the threshold in the last comparison, by concept. */
  readonly crossed: ReadonlyMap<string, Crossing> | undefined
  /** The last evaluation. */
  readonly judged: Judged | undefined
}

/** What a person said about a concept in each document. */
export function labelReader({project, documents}: Facts, concept: string | undefined) {
  const labels = labelsByKey(project.labels)
  return (at: number): boolean | undefined =>
    concept === undefined || labels.size === 0 ? undefined : labels.get(labelKey(documents.row(at)))?.get(concept)
}

/** The concept of a project; one that is not there is refused. */
export function anchorOf({anchors}: Project, name: string): Anchor {
  const found = anchors.find(({concept}) => concept === name)
  if (found !== undefined) return found
  const near = nearestName(
    name,
    anchors.map(({concept}) => concept)
  )
  throw new AdfaError(
    'bad-option',
    `the project has no concept "${name}"${near === undefined ? '; add it first' : `; did you mean "${near}"?`}`
  )
}

/** The model that is there, perhaps of an older revision. */
export function lastModel({learned}: Results): LearnedResult {
  if (learned !== undefined) return learned
  throw new AdfaError(
    'bad-option',
    'there is no model yet; give documents and anchors, and wait until the numbers are ready'
  )
}

/** The model of the project as it is now. */
export function readyModel({results: {learned}, stages: {numbers}}: Pick<Facts, 'results' | 'stages'>): LearnedResult {
  if (learned !== undefined && numbers.is === 'ready') return learned
  throw new AdfaError('bad-option', 'the model is not ready; wait for the fit, then try again')
}

/** The probability from which a concept is reported; of a model without one, from which it is more likely than not. */
export function thresholdOf({wordModel}: Pick<Model, 'wordModel'>): number {
  return wordModel.threshold ?? 0.5
}

/** The documents where the anchor of a concept fires. */
export function firedIn(name: string, {encoded}: Results): Uint32Array {
  const i = encoded?.lexicon.anchors.findIndex(({concept}) => concept === name) ?? -1
  return encoded?.fired[i] ?? new Uint32Array()
}

/** The probability of a concept in each document; undefined without a model that has it. */
export function probabilityOf(name: string, {scored}: Results): ((at: number) => number) | undefined {
  if (scored === undefined) return undefined
  const {concepts} = scored.learned.model
  const i = concepts.findIndex(concept => concept.name === name)
  return i < 0 ? undefined : at => scored.probabilities[at * concepts.length + i]
}
