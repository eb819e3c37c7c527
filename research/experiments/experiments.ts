import {emDrift} from './em-drift.ts'
import type {Cell, Experiment, ExperimentName} from './experiment.ts'
import {factors} from './factors.ts'
import {heldoutLikelihood} from './heldout-likelihood.ts'
import {lastTag} from './last-tag.ts'
import {timing} from './timing.ts'
import {trees} from './trees.ts'

/** A cell goes only to the experiment that made it. */
export const experiments = {
  trees,
  factors,
  'heldout-likelihood': heldoutLikelihood,
  'last-tag': lastTag,
  'em-drift': emDrift,
  timing
} as unknown as Readonly<Record<ExperimentName, Experiment<Cell>>>
