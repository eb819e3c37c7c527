import {AdfaError, nearestName} from '../../base/checks/index.ts'
import {type Anchor, type Labels, labelKey} from '../../read/data/index.ts'
import type {Crossing} from '../../use/comparison/index.ts'
import type {Evaluation, WrongDocument} from '../../use/evaluation/index.ts'
import {labelsByKey} from '../../use/labelling/index.ts'
import type {Project} from '../project/index.ts'
import type {Documents} from './documents.ts'
import type {EvaluationView} from './evaluation-view.ts'
import type {Slices} from './job.ts'
import type {LearnedResult, Results, Stages} from './pipeline.ts'
import type {OpenDocuments} from './sources.ts'

/** What answers about documents follow from: the newest project, and the last results, perhaps of an older one. */
export interface Facts {
  readonly project: Project
  readonly files: Pick<OpenDocuments, 'source' | 'reading'>
  readonly documents: Documents
  readonly results: Results
  readonly stages: Stages
  readonly slices: Slices
  /** Documents that cross the threshold in the last comparison, by concept. */
  readonly crossed?: ReadonlyMap<string, Crossing> | undefined
  /** The last evaluation. */
  readonly judged?: Judged | undefined
}

/** What was judged, and the answer. */
export interface Judged {
  readonly learned: LearnedResult
  readonly documents: Documents
  readonly labels: Project['labels']
  readonly view: EvaluationView
  /** Of an evaluation by tags, as reports show it, with the names of the files judged on and trained on. */
  readonly figures?: {
    readonly evaluation: Evaluation
    readonly learnedShare: number | undefined
    readonly files: {readonly data: readonly string[]; readonly train?: readonly string[] | undefined}
  }
  /** The surest mistakes first; documents by their numbers. */
  wrong(concept: string, kind: 'alarm' | 'miss'): readonly WrongDocument[]
}

/** What a person said about a concept in each document. */
export function labelReader({project, documents}: Facts, concept: string | undefined) {
  const labels: Labels = labelsByKey(project.labels)
  return (at: number): boolean | undefined =>
    concept === undefined || project.labels.length === 0
      ? undefined
      : labels.get(labelKey(documents.row(at)))?.get(concept)
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
  if (learned === undefined)
    throw new AdfaError(
      'bad-option',
      'there is no model yet; give documents and anchors, and wait until the numbers are ready'
    )
  return learned
}

/** The model of the project as it is now. */
export function readyModel({results: {learned}, stages: {numbers}}: Pick<Facts, 'results' | 'stages'>): LearnedResult {
  if (learned === undefined || numbers.is !== 'ready')
    throw new AdfaError('bad-option', 'the model is not ready; wait for the fit, then try again')
  return learned
}
